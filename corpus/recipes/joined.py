"""The recipe of a join of several builds: each pair once, and all references of a long sentence together.

The tables of columns in docs/recipes/join.md are generated from the row classes.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, TypedDict

from bitext_pivot.core.counts import Counts
from bitext_pivot.core.records import JoinedPair, JudgedPair, PairRelation, PairSource
from bitext_pivot.core.storage import shards
from bitext_pivot.core.templates import render
from bitext_pivot.corpus.division import DivisionItem
from bitext_pivot.corpus.facts import BuildFacts
from bitext_pivot.corpus.pair_counts import count_pair
from bitext_pivot.corpus.recipe import REJECTED, CountSpec, Recipe, RecordSpec, RowView
from bitext_pivot.corpus.recipes.bisect import BISECT, SplitRow, ranking_input

_NUMBER = re.compile(r"\d+")


class SourceRow(TypedDict):
    """Where one of several equal pairs comes from."""

    id: str
    corpus: str
    release: str
    licence: str
    pivot: str


class JoinedRow(SplitRow):
    """A pair of a joined data set: the columns of a single build, and the relations to other pairs."""

    group: str | None
    """Id of the group of pairs that share `long` or `split`, directly or through other pairs. It is the same in every
    join of the same pairs. Null for pairs that a build had rejected."""
    pivots: int
    """Number of different pivot languages in the group of the pair. 0 if a build had rejected the pair."""
    sources: list[SourceRow]
    """Id, corpus, release, licence and pivot of all equal pairs, beginning with the row itself."""


class ReferenceRow(TypedDict):
    """A long sentence and all its splits."""

    id: str
    """Id of the first row of `pairs` that has this long sentence."""
    language: str
    """Language of all texts."""
    long: str
    """The long sentence."""
    split: list[str]
    """The first entry of `references`."""
    references: list[list[str]]
    """All distinct splits of the sentence, with two sentences each."""
    ids: list[list[str]]
    """Ids of the pairs with each split, in the order of `references`. The first id of each list is a row of `pairs`."""
    group: str
    """The same as `group` in `pairs`."""
    pivots: int
    """The same as `pivots` in `pairs`."""


def read(path: Path, judged: Mapping[Path, Path]) -> Iterator[JoinedPair]:
    """Yield the pairs of the joined shard `path`, which contains only relations between pairs.

    `judged` maps the path to the shard of judged pairs that contains the texts.
    """
    pairs = shards.read(judged[path], JudgedPair, BISECT.records.unread)
    for pair, joint in zip(pairs, shards.read(path, PairRelation), strict=True):
        yield JoinedPair(judged=pair, joint=joint)


def item(judged: JudgedPair) -> DivisionItem:
    """Return the fields that decide the subset of a pair.

    Its position is the number of its first sentence in the document. The number of its link would depend on the pivot
    language; with sentences, the same part of a document is in the same subset for all pivots.
    """
    plain, link = BISECT.records.item(judged), judged.pair.alignment
    if link is None:
        return plain
    sentence = link.two_ids[0]
    if link.one_language == judged.pair.language:
        sentence = link.one_id
    number = _NUMBER.search(sentence)
    if number is None:
        return plain
    return plain._replace(position=int(number[0]))


def _row(joined: JoinedPair, kind: str) -> Mapping[str, Any]:
    if kind == "references":
        return _reference_row(joined)
    sources = [asdict(source) for source in _sources(joined)]
    joint = joined.joint
    relations = {"group": joint.group, "pivots": joint.pivots, "sources": sources}
    return {**BISECT.rows.row(joined.judged, kind), **relations}


def _reference_row(joined: JoinedPair) -> Mapping[str, Any]:
    pair, joint = joined.judged.pair, joined.joint
    references = [list(reference.split) for reference in joint.references]
    ids = [list(reference.ids) for reference in joint.references]
    return {
        "id": pair.id,
        "language": pair.language,
        "long": pair.long,
        "split": list(pair.split),
        "references": references or [list(pair.split)],
        "ids": ids or [[source.id for source in _sources(joined)]],
        "group": joint.group,
        "pivots": joint.pivots,
    }


def _sources(joined: JoinedPair) -> Sequence[PairSource]:
    """Return the sources of a pair and of all pairs that equal it."""
    if joined.joint.sources:
        return joined.joint.sources
    pair = joined.judged.pair
    if pair.alignment is None:
        return ()
    source = pair.alignment.source
    alone = PairSource(
        id=pair.id,
        corpus=source.corpus,
        release=source.release,
        licence=source.licence,
        pivot=pair.pivot or "",
    )
    return (alone,)


def _kinds(joined: JoinedPair) -> Sequence[str]:
    if joined.joint.is_first:
        return ("pairs", "references")
    return ("pairs",)


def _shown(joined: JoinedPair) -> dict[str, Any]:
    """Return the columns the inspector shows for a pair."""
    joint = joined.joint
    return {
        **BISECT.view.row(joined.judged),
        "group": joint.group or "",
        "pivots": str(joint.pivots),
    }


def _counts(joined: JoinedPair, rejected_by: str | None) -> Counts:
    """Return the same counts as for a pair of a single build, and three more for a kept pair.

    These are `agreement` (number of pivot languages), `references` and `sources`.
    """
    counts = Counts(count_pair(joined.judged, rejected_by))
    if rejected_by is not None:
        return counts
    counts["agreement", str(joined.joint.pivots)] += 1
    if joined.joint.is_first:
        counts["references", str(max(len(joined.joint.references), 1))] += 1
    for source in _sources(joined):
        counts["sources", f"{source.corpus}/{source.release}", source.pivot, source.licence] += 1
    return counts


def _notes(facts: BuildFacts, of_a_build: Recipe[JudgedPair] = BISECT) -> str:
    """Return the card's sections on the joined builds, then the sections of a single build."""
    return render("corpus/recipes/joined.jinja", facts=facts, build=of_a_build.card.notes(facts))


JOINED: Recipe[JoinedPair] = Recipe(
    records=RecordSpec(
        record=JoinedPair,
        stages=BISECT.records.stages,
        item=lambda joined: item(joined.judged),
        positions="sentences",
        last="join",
    ),
    rows=replace(
        BISECT.rows,
        classes={"pairs": JoinedRow, "references": ReferenceRow, REJECTED: JoinedRow},
        row=_row,
        equal_by=None,
        ranking_input=lambda joined: ranking_input(joined.judged),
        kinds=_kinds,
    ),
    counted=CountSpec(
        labels=(*BISECT.counted.labels, "pivot"), unique=BISECT.counted.unique, count=_counts
    ),
    card=replace(
        BISECT.card,
        about="Pairs `long -> (s1, s2)` built from bitext with several pivot languages, in the style of BiSECT "
        "(Kim et al., EMNLP 2021). Equal pairs are one row with all its sources. All splits of a sentence are "
        "one row of the configuration `references`.",
        limits=(
            *BISECT.card.limits,
            "The references of a sentence are independent translations, not answers of different people. "
            "`pivots` counts the languages that agree; it does not say that a pair is right.",
        ),
        notes=_notes,
        rebuild="`bitext-pivot join --preset README.md` joins the same builds again, if they are still in their "
        "folders.",
        group=lambda joined: BISECT.card.group(joined.judged),
    ),
    view=RowView(
        row=_shown,
        facets={**BISECT.view.facets, "pivots": "Pivot languages in the group"},
        labels=(*BISECT.view.labels, "group"),
        titles=BISECT.view.titles,
    ),
)
_JUDGED = replace(BISECT.records, item=item, positions="sentences")
JUDGED: Recipe[JudgedPair] = replace(BISECT, records=_JUDGED)
"""The recipe with which a join assigns judged pairs to subsets, before it finds equal pairs."""


def joined(of_a_build: Recipe[JudgedPair], judged: Mapping[Path, Path]) -> Recipe[JoinedPair]:
    """Return the recipe of a joined data set.

    `of_a_build` is the recipe of the joined builds. `judged` maps each joined shard to its shard of judged pairs.
    """
    example = of_a_build.card.example
    return replace(
        JOINED,
        records=replace(JOINED.records, reader=partial(read, judged=judged)),
        rows=replace(JOINED.rows, scores=of_a_build.rows.scores),
        card=replace(
            JOINED.card,
            notes=partial(_notes, of_a_build=of_a_build),
            example=example and (lambda joined: example(joined.judged)),
        ),
    )
