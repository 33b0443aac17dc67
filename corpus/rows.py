"""Rows of a data set: the columns of its Parquet and JSON files, as plain dictionaries.

docs/data-set.md is generated from the classes below.
"""

from typing import Any, TypedDict

from pairs.records import Category, Side
from pairs.storage import arrow

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


_LABELS = ("category", "category_bisect", "construction")
_PAIR, _LINK, _STARTS = "scored.parsed.pair.", "scored.parsed.pair.alignment.", "scored.parsed.long.starts"
_LEAVES = (
    *(f"{_PAIR}{name}" for name in ("id", "language", "long", "split", "pivot", "translated", "engine")),
    *_LABELS,
    *(f"{_LINK}{name}" for name in ("corpus", "release", "licence", "attributes", "one_language")),
    *(f"{_LINK}{name}" for name in ("one", "one_document", "one_id", "two", "two_document", "two_ids")),
)
FIELDS = (*_LEAVES, _STARTS, "split_at", "scored.scores")
"""Fields of a judged pair that its row is made of."""
_DIGITS = 6  # of scores


def rows(judged: Any, columns: Any) -> Any:
    """Return an Arrow batch of judged pairs with `FIELDS` as one of rows; `columns` is their schema.

    For an existing pair the columns of the source are null or empty.
    """
    leaf = {name.rpartition(".")[2]: arrow.leaf(judged, name) for name in _LEAVES}
    is_one = arrow.equal(leaf["one_language"], leaf["language"])
    one_texts, one_ids = arrow.singletons(leaf["one"]), arrow.singletons(leaf["one_id"])
    two_texts, two_ids = arrow.filled(leaf["two"]), arrow.filled(leaf["two_ids"])
    arrays = {
        **leaf,
        "split_at": arrow.element(arrow.leaf(judged, _STARTS), arrow.leaf(judged, "split_at")),
        "foreign": arrow.chosen(is_one, two_texts, one_texts),
        "document": arrow.chosen(is_one, leaf["one_document"], leaf["two_document"]),
        "foreign_document": arrow.chosen(is_one, leaf["two_document"], leaf["one_document"]),
        "sentence_ids": arrow.chosen(is_one, one_ids, two_ids),
        "foreign_sentence_ids": arrow.chosen(is_one, two_ids, one_ids),
        "link": arrow.entries(leaf["attributes"], ("name", "value")),
        "scores": arrow.struct(arrow.leaf(judged, "scored.scores"), columns.field("scores").type, _DIGITS),
    }
    return arrow.table(arrays, columns)
