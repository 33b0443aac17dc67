"""BiSECT: pairs `long -> (s1, s2)` with categories and scores (corpus/rows.py has their columns)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from corpus import rows
from corpus.distributions import distributions
from corpus.divide import Item
from corpus.recipe import REJECTED, Recipe, View
from corpus.rows import Row
from corpus.statistics import FIELDS, pair_counts
from pairs.records import JudgedPair

_PAIR = ("id", "language", "long", "split")
_UNSHOWN = frozenset({"engine", "link"})
_SOURCE = ("corpus", "one_language", "one_document", "two_document")


def _item(values: Sequence[Any]) -> Item:
    """Return what the division needs of a pair. Its texts are `long`, and its two sentences together."""
    id, language, long, split, corpus, one_language, one_document, two_document = values
    document = one_document if one_language == language else two_document
    return Item(id, corpus or "", document or "", int(id.rpartition(":")[2]), (long, split))


def _counts(judged: Any, is_kept: Sequence[bool]) -> dict[str, Any]:
    flags = np.array(is_kept, bool)
    return {**pair_counts(judged, flags), "distributions": distributions(judged, flags)}


def shown(row: Row) -> dict[str, Any]:
    """Return what the inspector shows of a row."""
    columns = {name: value for name, value in row.items() if name not in _UNSHOWN}
    return {**columns, "scores": {name: round(score, 4) for name, score in row["scores"].items()}}


BISECT: Recipe[JudgedPair] = Recipe(
    record=JudgedPair,
    rows={"pairs": Row, REJECTED: Row},
    read=rows.rows,
    row_fields=rows.FIELDS,
    item=_item,
    item_fields=[*(f"scored.parsed.pair.{name}" for name in (*_PAIR, *(f"alignment.{name}" for name in _SOURCE)))],
    text_fields=("scored.parsed.pair.long", "scored.parsed.pair.split"),
    count=_counts,
    count_fields=FIELDS,
    labels=("category", "category_bisect", "construction"),
    tags=("sentence-simplification", "split-and-rephrase"),
    view=View(
        id="scored.parsed.pair.id",
        row=shown,
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
