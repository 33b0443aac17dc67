"""Counts of kept pairs by corpus, licence and construction, by shard, for the card and the tables.

Tokens are those of the parser. A token of the two sentences is new if `long` does not have it, counted with repetition
and without regard to case, as %new of BiSECT's metrics.
"""

from array import array
from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt

from corpus.export import Placed
from pairs.storage import arrow

_PAIR = "scored.parsed.pair."
_SOURCE = ("corpus", "release", "licence")
FIELDS = (
    *("scored.parsed.long.tokens", "scored.parsed.split", "scored.scores", "category", "construction"),
    *(f"{_PAIR}alignment.{name}" for name in _SOURCE),
    f"{_PAIR}translated",
)
"""Fields of a judged pair that are counted."""
Numbers = npt.NDArray[np.int64]


def pair_counts(judged: Any, is_kept: npt.NDArray[np.bool_]) -> dict[str, Any]:
    """Return counts of an Arrow batch of judged pairs with `FIELDS`: fields of `corpus.card.Statistics`."""
    licence, translated, category, construction = (
        arrow.plain(arrow.leaf(judged, name))
        for name in (f"{_PAIR}alignment.licence", f"{_PAIR}translated", "category", "construction")
    )
    rows = np.flatnonzero(is_kept).tolist()
    constructions: dict[str, Counter[str]] = {name: Counter() for name in sorted({category[row] for row in rows})}
    for row in rows:
        constructions[category[row]][construction[row]] += 1
    return {
        "by_corpus": _by_corpus(judged, is_kept),
        "licence": Counter(licence[row] or "unknown" for row in rows),
        "translated": Counter(translated[row] or "neither" for row in rows),
        "construction_by_category": constructions,
    }


def added(left: Any, right: Any) -> Any:
    """Return the sum of counts: of two numbers, of two lists by position, of two dictionaries by sorted keys."""
    if isinstance(left, dict):
        names = sorted({*left, *right})
        return {n: added(left[n], right[n]) if n in left and n in right else left.get(n, right.get(n)) for n in names}
    return [added(a, b) for a, b in zip(left, right, strict=True)] if isinstance(left, list) else left + right


class Unique:
    """The numbers of different texts of kept pairs. Memory: 16 bytes per pair."""

    def __init__(self) -> None:
        self._hashes = {"long": array("q"), "split": array("q")}

    def add(self, batch: Placed) -> None:
        """Take the rows that were kept into account."""
        positions = [position for position, reason in enumerate(batch.rejected_by) if reason is None]
        rows = arrow.take(batch.records.select([*self._hashes]), positions)
        self._hashes["long"].extend(map(hash, rows["long"].to_pylist()))
        self._hashes["split"].extend(map(hash, map(tuple, arrow.plain(rows["split"]))))

    def plain(self) -> dict[str, int]:
        """Return the number of different texts of each side."""
        return {side: int(np.unique(np.frombuffer(hashes, np.int64)).size) for side, hashes in self._hashes.items()}


def sources(judged: Any, none: str) -> list[str]:
    """Return the corpus and release of each pair, `none` for an existing pair."""
    corpora, releases = (arrow.plain(arrow.leaf(judged, f"{_PAIR}alignment.{name}")) for name in _SOURCE[:2])
    return [none if c is None else f"{c}/{r}" for c, r in zip(corpora, releases, strict=True)]


def tokens(judged: Any) -> tuple[tuple[Numbers, Any], tuple[Numbers, Any]]:
    """Return the tokens of all long sentences, and of all split ones, each after the numbers of their pairs."""
    long, sentences = arrow.leaf(judged, "scored.parsed.long.tokens"), arrow.leaf(judged, "scored.parsed.split")
    split = sentences.flatten().field("tokens")
    return (arrow.owners(long), long.flatten()), (arrow.owners(sentences)[arrow.owners(split)], split.flatten())


def _by_corpus(judged: Any, is_kept: npt.NDArray[np.bool_]) -> dict[str, dict[str, int]]:
    """Return pairs, the tokens of both sides, and the share of new tokens of the split in millionths, by corpus."""
    long, split, new = _tokens(judged)
    # Integers, so that the sum does not depend on the order of the pairs.
    shares = np.rint(1e6 * new / np.maximum(split, 1)).astype(np.int64)
    columns = {"pairs": np.ones_like(long), "long_tokens": long, "split_tokens": split, "new_millionths": shares}
    names = np.array(sources(judged, ""), dtype=object)
    return {
        source: {name: int(column[is_kept & (names == source)].sum()) for name, column in columns.items()}
        for source in sorted({*names[is_kept]})
    }


def _tokens(judged: Any) -> tuple[Numbers, Numbers, Numbers]:
    """Return for each pair the number of tokens of `long`, of its two sentences, and of their new ones."""
    sides = tokens(judged)
    size, words = arrow.word_numbers([side for _, side in sides])
    counted = [
        np.unique(pairs * size + numbers, return_counts=True) for (pairs, _), numbers in zip(sides, words, strict=True)
    ]
    new = _difference(*counted[1], *counted[0])
    pairs_of_new = counted[1][0] // max(size, 1)
    long, split = (np.bincount(pairs, minlength=len(judged)) for pairs, _ in sides)
    return long, split, np.bincount(pairs_of_new, weights=new, minlength=len(judged))


def _difference(keys: Numbers, counts: Numbers, others: Numbers, other_counts: Numbers) -> Numbers:
    """Return how many more times each sorted key occurs than in others, at least 0."""
    positions = np.searchsorted(others, keys)
    positions[positions == len(others)] = 0
    is_there = others[positions] == keys if len(others) else np.zeros(len(keys), bool)
    return np.maximum(counts - np.where(is_there, other_counts[positions] if len(others) else 0, 0), 0)
