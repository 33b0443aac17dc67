"""Trust: how high a kept pair ranks among those of its corpus, by scores that every kept pair has.

Of 240 pairs that readers judged 26 % were bad, 15 % of the best third and 44 % of the worst (docs/quality.md);
in news the rank hardly helps. Ranks know nothing of other corpora, whose scores are higher or lower for reasons of
style.
"""

from array import array
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SCORES = ("overlap", "meaning", "bertscore.recall")
"""The scores whose ranks are averaged, as far as all pairs of a corpus have them."""
_DIGITS = 6
_Floats = NDArray[np.float64]


class Ranked(NamedTuple):
    """What a kept pair is ranked by."""

    corpus: str
    """The pairs that it is compared with."""
    category: str
    scores: Mapping[str, float]


class Trust(NamedTuple):
    """What the other pairs of a build say of a kept pair."""

    rank: float
    """From 0 to 1: the share of the pairs of its corpus that rank lower, equal ones counted half."""
    is_best: bool
    """True if the pair belongs to the requested share of its category."""


class Ranking:
    """The kept pairs of a build, in its order: first `add` all, then ask for their `trust`.

    Memory: about 40 bytes per pair.
    """

    def __init__(self) -> None:
        self._scores = [array("d") for _ in SCORES]
        self._corpora, self._categories = array("q"), array("q")
        self._numbers: dict[str, int] = {}

    def add(self, pair: Ranked) -> None:
        """Add the next pair."""
        for name, values in zip(SCORES, self._scores, strict=True):
            values.append(pair.scores.get(name, np.nan))
        self._corpora.append(self._number(pair.corpus))
        self._categories.append(self._number(pair.category))

    def _number(self, name: str) -> int:
        return self._numbers.setdefault(name, len(self._numbers))

    def trust(self, best: float = 1) -> list[Trust]:
        """Return the trust in each pair; `best` is the share of each category that is best, from 0 to 1."""
        corpora = np.asarray(self._corpora)
        ranks = [_ranks(np.asarray(values), corpora) for values in self._scores]
        means = np.sum(np.nan_to_num(ranks), axis=0)
        trust = _ranks(means, corpora)
        is_best = _ranks(trust, np.asarray(self._categories)) > 1 - best
        return [
            Trust(round(rank, _DIGITS), chosen)
            for rank, chosen in zip(trust.tolist(), is_best.tolist(), strict=True)
        ]


def _ranks(values: _Floats, groups: NDArray[np.int64]) -> _Floats:
    """Return the rank of each value in its group, between 0 and 1; NaN in a group that lacks a value."""
    ranks = np.full(len(values), np.nan)
    for group in np.unique(groups):
        members = groups == group
        if not np.isnan(values[members]).any():
            ranks[members] = _shares_below(values[members])
    return ranks


def _shares_below(values: _Floats) -> _Floats:
    """Return the share of the values that are smaller than each, with half of those that are equal."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    shares: _Floats = (np.cumsum(counts) - counts / 2)[places] / len(values)
    return shares
