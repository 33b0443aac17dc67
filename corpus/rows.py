"""Rows of a data set: the columns of its Parquet and JSON files, as plain dictionaries.

docs/data-set.md is generated from the classes below.
"""

from typing import Any, TypedDict, cast

from pairs.records import Alignment, Category, JudgedPair, Side

COLUMNS = "columns 2"
"""Part of the key of data sets. Raise the number when a column changes."""


class Attribute(TypedDict):
    """An attribute of an OPUS link."""

    name: str
    value: str


class Row(TypedDict):
    """A pair with its labels, scores and source."""

    id: str
    """`corpus/release/languages:n`, n the position of the link in the link file, counted from 1."""
    language: str
    """Language of `long` and `split`."""
    long: str
    """The long sentence."""
    split: list[str]
    """Two sentences with the meaning of `long`."""
    category: Category
    """Category of the split by the paper's definitions."""
    category_bisect: Category
    """Category by the rules of BiSECT's released code."""
    construction: str
    """Construction of the split (the paper's Table 4), or `other`."""
    split_at: int | None
    """`long[:split_at]` is the first part of `long`, in Unicode characters; null if all words of `long` belong to one
    of the two sentences."""
    pivot: str | None
    """Language of `foreign`."""
    translated: Side | None
    """The side that is machine-translated, `long` or `split`; the other one is original text."""
    foreign: list[str]
    """The original of the translated side: one sentence if that is `long`, two if it is `split`."""
    engine: str | None
    """Signature of the translation engine."""
    corpus: str | None
    """Name of the OPUS corpus or of the user's own bitext."""
    release: str | None
    """Release of the corpus."""
    licence: str | None
    """SPDX identifier or a short text; `unknown` if the corpus states none."""
    document: str | None
    """Document of the sentences in `language`, as the link file names it."""
    foreign_document: str | None
    """Document of the sentences in `pivot`."""
    sentence_ids: list[str]
    """Ids of the sentences in `language` within their document."""
    foreign_sentence_ids: list[str]
    """Ids of the sentences in `pivot` within their document."""
    link: list[Attribute]
    """Attributes of the link, such as its certainty."""
    scores: dict[str, float]
    """Scores by filter, with parts such as `bertscore.recall`; a filter that did not run has none."""


class RejectedRow(Row):
    """A rejected pair: a row and the filter that rejected it."""

    rejected_by: str
    """Name of the first filter that rejected the pair."""


def row(judged: JudgedPair) -> Row:
    """Return the row of a judged pair; for an existing pair the columns of the source are None or empty."""
    pair = judged.pair
    values: Any = {
        "id": pair.id,
        "language": pair.language,
        "long": pair.long,
        "split": list(pair.split),
        "category": judged.category,
        "category_bisect": judged.category_bisect,
        "construction": judged.construction,
        "split_at": character(judged),
        "pivot": pair.pivot,
        "translated": pair.translated,
        "engine": pair.engine,
        **_source(pair.alignment, pair.language),
        "scores": {name: round(score, 6) for name, score in sorted(judged.scored.scores.items())},
    }
    return cast(Row, values)


def character(judged: JudgedPair) -> int | None:
    """Return the offset in `long` at which the split falls, `long[:offset]` being the first part, or None."""
    return None if judged.split_at is None else judged.scored.parsed.long.starts[judged.split_at]


def _source(alignment: Alignment | None, language: str) -> dict[str, Any]:
    """Return the columns of the alignment that a pair comes from."""
    if alignment is None:
        texts = {"corpus": None, "release": None, "licence": None, "document": None, "foreign_document": None}
        return {**texts, "foreign": [], "sentence_ids": [], "foreign_sentence_ids": [], "link": []}
    one = {"texts": [alignment.one], "document": alignment.one_document, "ids": [alignment.one_id]}
    two = {"texts": list(alignment.two), "document": alignment.two_document, "ids": list(alignment.two_ids)}
    ours, foreign = (one, two) if alignment.one_language == language else (two, one)
    return {
        "foreign": foreign["texts"],
        "corpus": alignment.corpus,
        "release": alignment.release,
        "licence": alignment.licence,
        "document": ours["document"],
        "foreign_document": foreign["document"],
        "sentence_ids": ours["ids"],
        "foreign_sentence_ids": foreign["ids"],
        "link": [{"name": name, "value": value} for name, value in alignment.attributes.items()],
    }
