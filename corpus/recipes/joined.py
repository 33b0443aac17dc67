"""One data set out of builds with several pivots: equal pairs once, references of one sentence together.

docs/recipes/join.md is generated in part from the classes of rows.
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
    """A pair of a join: the columns of a build, and how it relates to the others."""

    group: str | None
    """Id of the pairs that have the same `long` or the same `split`, also over others between them; the same
    in every join of the same pairs. Null for pairs that were rejected before."""
    pivots: int
    """Number of languages whose translation led to a pair of the group; 0 if the pair was rejected before."""
    sources: list[SourceRow]
    """Id, corpus, release, licence and pivot of every pair that is equal, the row itself first."""


class ReferenceRow(TypedDict):
    """A sentence and all its splits."""

    id: str
    """That of the first pair in `pairs`."""
    language: str
    """Language of all texts."""
    long: str
    """The long sentence."""
    split: list[str]
    """The first of `references`."""
    references: list[list[str]]
    """Its different splits, two sentences each."""
    ids: list[list[str]]
    """The pairs that have them; the first one of each is in `pairs`."""
    group: str
    """As in `pairs`."""
    pivots: int
    """As in `pairs`."""


def read(path: Path, judged: Mapping[Path, Path]) -> Iterator[JoinedPair]:
    """Yield the pairs of a joined shard, whose texts are in the judged shard that it was made of."""
    pairs = shards.read(judged[path], JudgedPair, BISECT.records.unread)
    for pair, joint in zip(pairs, shards.read(path, PairRelation), strict=True):
        yield JoinedPair(judged=pair, joint=joint)


def item(judged: JudgedPair) -> DivisionItem:
    """Return what the division needs of a pair.

    Its position is the number of its first sentence in the document. Links are numbered otherwise with each
    pivot; so the parts of a document are in the same sets with all of them.
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
    """Return the sources of a pair and of those that are equal to it."""
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
    """Return what the inspector shows of a pair."""
    joint = joined.joint
    return {
        **BISECT.view.row(joined.judged),
        "group": joint.group or "",
        "pivots": str(joint.pivots),
    }


def _counts(joined: JoinedPair, rejected_by: str | None) -> Counts:
    """Return the counts of a build, and of kept pairs `agreement`, `references` and `sources`."""
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
    """Return the sections on builds, agreement and sources, and those of a build."""
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
        about="Pairs `long -> (s1, s2)` out of bitext with several pivot languages, in the style of BiSECT "
        "(Kim et al., EMNLP 2021): equal pairs are one row with all its sources, and all splits of a "
        "sentence are one row of the configuration `references`.",
        limits=(
            *BISECT.card.limits,
            "References of one sentence are independent translations, not different answers of people; "
            "`pivots` says how many languages agree, not that a pair is right.",
        ),
        notes=_notes,
        rebuild="`bitext-pivot join --preset README.md` joins the same builds again, where they are.",
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
"""Judged pairs as a join divides them, before it is known which are equal."""


def joined(of_a_build: Recipe[JudgedPair], judged: Mapping[Path, Path]) -> Recipe[JoinedPair]:
    """Return the recipe, with scores and texts of that of builds, and the judged shard of each joined one."""
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
