"""The recipe of BiSECT: pairs `long -> (s1, s2)` with categories and scores.

The table of columns in docs/data-set.md is generated from the row classes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypedDict

from bitext_pivot.core.records import Alignment, Category, JudgedPair, Side
from bitext_pivot.core.templates import render
from bitext_pivot.corpus import examples, trust
from bitext_pivot.corpus.division import DivisionItem
from bitext_pivot.corpus.facts import BuildFacts
from bitext_pivot.corpus.pair_counts import count_pair
from bitext_pivot.corpus.recipe import (
    REJECTED,
    CardText,
    CountSpec,
    Recipe,
    RecordSpec,
    RowSpec,
    RowView,
)
from bitext_pivot.corpus.trust import RankingInput

_DIGITS = 6  # of scores
_NO_FILTERS: Mapping[str, Any] = {}
_NOT_IN_INSPECTOR = frozenset({"engine", "link", "trust"})


class Attribute(TypedDict):
    """An attribute of an OPUS link."""

    name: str
    value: str


class SplitRow(TypedDict):
    """A pair with its labels, scores and source."""

    id: str
    """`corpus/release/languages:n`, where n is the number of the link in the link file, from 1."""
    language: str
    """Language of `long` and `split`."""
    long: str
    """The long sentence."""
    split: list[str]
    """The two sentences that together say the same as `long`."""
    category: Category
    """Category of the split, as the BiSECT paper defines it."""
    category_bisect: Category
    """Category of the split, by the rules of BiSECT's released code."""
    construction: str
    """Construction of the split (Table 4 of the BiSECT paper), or `other`."""
    split_at: int | None
    """Split point in Unicode characters: `long[:split_at]` is the first part of `long`. Null if all words of `long`
    belong to one of the two sentences."""
    trust: float | None
    """Rank among the kept pairs of the corpus, from 0 (worst) to 1, by the mean of its ranks in `overlap`, `meaning`
    and `bertscore.recall`, if these filters ran. In WikiSplit, fewer pairs with a high rank were bad; in news the rank
    hardly helps, in legal text it does not. Null for rejected pairs and for corpora with fewer than 30 kept pairs."""
    pivot: str | None
    """Language of `foreign`."""
    translated: Side | None
    """The machine-translated side, `long` or `split`. The other side is original text."""
    foreign: list[str]
    """The text from which the translated side was translated: one sentence for `long`, two for `split`."""
    engine: str | None
    """The translation engine: its kind, its model and the beginning of the model's digest. The card has the full
    signature."""
    corpus: str | None
    """Name of the OPUS corpus, or of your own bitext."""
    release: str | None
    """Release of the corpus."""
    licence: str | None
    """Licence, as an SPDX identifier or a short text. `unknown` if the corpus states none."""
    document: str | None
    """Document that contains the sentences in `language`, named as in the link file."""
    foreign_document: str | None
    """Document that contains the sentences in `pivot`."""
    sentence_ids: list[str]
    """Ids that the document gives to the sentences in `language`."""
    foreign_sentence_ids: list[str]
    """Ids that the document gives to the sentences in `pivot`."""
    link: list[Attribute]
    """Attributes of the link, such as its certainty."""
    scores: dict[str, float]
    """Scores by filter, some with several parts, such as `bertscore.recall`. A filter that did not run has no score."""


def row(judged: JudgedPair, kind: str = "pairs") -> SplitRow:
    """Return the row of a pair, with its labels, scores and source.

    The columns of the source are empty if the pair was not built from bitext.
    """
    pair, link, starts = judged.pair, judged.pair.alignment, judged.scored.parsed.long.starts
    plain = SplitRow(
        id=pair.id, language=pair.language, long=pair.long, split=list(pair.split), category=judged.category,
        category_bisect=judged.category_bisect, construction=judged.construction,
        split_at=None if judged.split_at is None else starts[judged.split_at],
        trust=None, pivot=pair.pivot, translated=pair.translated, foreign=[], engine=_short(pair.engine),
        corpus=None, release=None, licence=None, document=None, foreign_document=None,
        sentence_ids=[], foreign_sentence_ids=[], link=[],
        scores={name: round(score, _DIGITS) for name, score in sorted(judged.scored.scores.items())},
    )  # fmt: skip
    if link:
        source = link.source
        one, two = (source.documents[0], [link.one_id]), (source.documents[1], list(link.two_ids))
        is_one = link.one_language == pair.language
        (plain["document"], plain["sentence_ids"]) = one if is_one else two
        (plain["foreign_document"], plain["foreign_sentence_ids"]) = two if is_one else one
        plain["foreign"] = list(link.two) if is_one else [link.one]
        plain["corpus"] = source.corpus
        plain["release"] = source.release
        plain["licence"] = source.licence
        plain["link"] = [
            Attribute(name=name, value=value) for name, value in link.attributes.items()
        ]
    return plain


def ranking_input(judged: JudgedPair) -> RankingInput:
    """Return the scores that rank a pair among the pairs of its corpus and pivot language."""
    link = judged.pair.alignment
    corpus = link.source.corpus if link else ""
    return RankingInput(f"{judged.pair.pivot} {corpus}", judged.scored.scores)


def _short(engine: str | None) -> str | None:
    """Return the beginning of an engine's signature: kind, model and digest."""
    return engine and engine.partition(" direction=")[0]


def _item(judged: JudgedPair) -> DivisionItem:
    """Return the fields that decide the subset of a pair.

    Corpus and document (in the language of the pairs) come from the alignment; without an alignment, both are "". The
    position is the number after the last colon of the id. The texts to compare are `long`, and the two sentences of the
    split joined by a space. Raises ValueError if the id does not end in a colon and a number.
    """
    pair = judged.pair
    texts = (pair.long, " ".join(pair.split))
    if pair.alignment is None:
        return DivisionItem(pair.id, "", "", _position(pair.id), texts)
    return item_of_link(pair.alignment, pair.language, texts)


def item_of_link(link: Alignment, language: str, texts: tuple[str, str]) -> DivisionItem:
    """Return the fields that decide the subset of an alignment.

    `texts` are its long sentence and its split in `language`, the language of the data set.
    """
    document = link.source.documents[link.one_language != language]
    return DivisionItem(link.id, link.source.corpus, document, _position(link.id), texts)


def _position(id: str) -> int:
    return int(id.rpartition(":")[2])


def inspector_columns(judged: JudgedPair) -> dict[str, Any]:
    """Return the columns the inspector shows for a pair."""
    columns = {name: value for name, value in row(judged).items() if name not in _NOT_IN_INSPECTOR}
    return {
        **columns,
        "scores": {name: round(score, 4) for name, score in sorted(judged.scored.scores.items())},
    }


def _notes(facts: BuildFacts, on_meaning: Mapping[str, str] = _NO_FILTERS) -> str:
    """Return the sections of the card on the yield, categories, corpora and models."""
    models = facts.signature.get("models", {}).values()
    commits = [f"{model['model']}@{model['revision']}" for model in models]
    return render(
        "corpus/recipes/bisect.jinja",
        facts=facts,
        on_meaning=on_meaning,
        ranked_by=[
            name
            for name in trust.SCORES
            if name.partition(".")[0] in facts.signature.get("filters", ())
        ],
        commits=list(dict.fromkeys(commits)),
    )


def _write(facts: BuildFacts) -> dict[str, bytes]:
    """Return the pages examples.md and alignments.md of a data set, by file name."""
    pages = {
        "examples.md": examples.examples_page(facts.title, facts.examples),
        "alignments.md": _alignments(facts),
    }
    return {name: text.encode() for name, text in pages.items()}


def _alignments(facts: BuildFacts) -> str:
    """Return a page on each corpus's links: shapes such as 1-2, skips, lengths and attributes."""
    text = render("corpus/recipes/alignments.jinja", facts=facts)
    return f"{text}\n"


BISECT: Recipe[JudgedPair] = Recipe(
    records=RecordSpec(
        record=JudgedPair,
        stages={
            "alignments": "extract",
            "pairs": "translate",
            "parsed": "parse",
            "scored": "score",
        },
        item=_item,
        unread=("lemmas", "tags", "pos", "morphs", "deps", "heads"),
    ),
    rows=RowSpec(
        classes={"pairs": SplitRow, REJECTED: SplitRow},
        row=row,
        ranking_input=ranking_input,
        equal_by=lambda judged: (judged.pair.long, *judged.pair.split),
        files={
            "alignments.md": "the links of each corpus",
            "examples.md": "examples of each category, with the differences between the sentences",
        },
        write=_write,
    ),
    counted=CountSpec(
        labels=("category", "category_bisect", "construction", "translated"),
        unique=("long", "split"),
        count=count_pair,
    ),
    card=CardText(
        about="Pairs `long -> (s1, s2)` built from bitext in the style of BiSECT (Kim et al., EMNLP 2021), with "
        "category, construction, scores and source.",
        limits=(
            "One side of each pair is machine-translated: see the column `translated`. Translations are more uniform "
            "than original text and contain errors.",
            "Filters do not find all wrong pairs. Their number depends on the engine and the texts, and was not "
            "measured for this data set: read a sample in `inspector.html` before you train on the pairs.",
            "Categories and constructions are assigned by rules on automatic parses. People would label some pairs "
            "differently.",
        ),
        tags=("sentence-simplification", "split-and-rephrase", "machine-translated", "synthetic"),
        paper="kim-etal-2021-bisect",
        notes=_notes,
        group=lambda judged: judged.category,
        example=examples.format_example,
        legend=examples.LEGEND,
    ),
    view=RowView(
        row=inspector_columns,
        facets={
            "category": "Category",
            "construction": "Construction",
            "corpus": "Corpus",
            "pivot": "Pivot language",
            "translated": "Translated side",
        },
        labels=("category", "construction"),
        titles={"long": "Long sentence", "split": "Two sentences", "foreign": "Source"},
    ),
)


def bisect(
    scores: Sequence[str],
    sliders: Mapping[str, Any] = _NO_FILTERS,
    in_examples: Sequence[str] = (),
    on_meaning: Mapping[str, str] = _NO_FILTERS,
) -> Recipe[JudgedPair]:
    """Return the recipe of a build whose rows have the given `scores`.

    The other arguments describe the filters for the inspector, the examples and the card.
    """
    card = replace(
        BISECT.card,
        notes=partial(_notes, on_meaning=on_meaning),
        example=partial(examples.format_example, shown=in_examples),
    )
    return replace(
        BISECT,
        rows=replace(BISECT.rows, scores=tuple(scores)),
        card=card,
        view=replace(BISECT.view, sliders=sliders),
    )
