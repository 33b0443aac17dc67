"""BiSECT: pairs `long -> (s1, s2)` with categories and scores (corpus/rows.py has their columns)."""

from collections.abc import Sequence
from typing import Any

from corpus.divide import Item
from corpus.recipe import REJECTED, Recipe, View
from corpus.rows import RejectedRow, Row, row
from pairs.records import JudgedPair

_PAIR = ("id", "language", "long", "split")
_UNSHOWN = frozenset({"engine", "link"})
_SOURCE = ("corpus", "one_language", "one_document", "two_document")


def _item(values: Sequence[Any]) -> Item:
    """Return what the division needs of a pair. Its texts are `long`, and its two sentences together."""
    id, language, long, split, corpus, one_language, one, two = values
    document = one if one_language == language else two
    return Item(id, corpus or "", document or "", int(id.rpartition(":")[2]), (long, " ".join(split)))


def _row(judged: JudgedPair, kind: str) -> Any:  # noqa: ARG001
    return row(judged)


def shown(judged: JudgedPair) -> dict[str, Any]:
    """Return what the inspector shows of a pair: its columns, and the filter that rejected it or None."""
    columns = {name: value for name, value in row(judged).items() if name not in _UNSHOWN}
    scores = {name: round(score, 4) for name, score in sorted(judged.scored.scores.items())}
    return {**columns, "scores": scores, "rejected_by": judged.rejected_by}


BISECT: Recipe[JudgedPair] = Recipe(
    record=JudgedPair,
    rows={"pairs": Row, REJECTED: RejectedRow},
    row=_row,
    kinds=lambda _: ("pairs",),
    item=_item,
    item_fields=[*(f"scored.parsed.pair.{name}" for name in (*_PAIR, *(f"alignment.{name}" for name in _SOURCE)))],
    labels=("category", "category_bisect", "construction"),
    tags=("sentence-simplification", "split-and-rephrase"),
    view=View(
        id=lambda judged: judged.pair.id,
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
