"""Trust: how high a kept pair ranks among those of its corpus, by scores that every kept pair has.

Of pairs that readers judged in two readings 23 of 170 were bad in the best third and 64 of 170 in the worst
(docs/quality.md): most of the difference is WikiSplit's, in legal texts the rank does not help. Ranks know nothing of
other corpora, whose scores are higher or lower for reasons of style.
"""

from array import array
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SCORES = ("overlap", "meaning", "bertscore.recall")
"""The scores whose ranks are averaged, as far as all pairs of a corpus have them."""
_DIGITS = 6
FEWEST = 30
"""Kept pairs of a corpus below which ranks are not given: among ten, they differ by a tenth."""
_Floats = NDArray[np.float64]


class RankingInput(NamedTuple):
    """What a kept pair is ranked by."""

    corpus: str
    """The pairs that it is compared with."""
    scores: Mapping[str, float]


class Trust(NamedTuple):
    """What the other pairs of a build say of a kept pair."""

    rank: float | None
    """From 0 to 1: the share of the pairs of its corpus that rank lower, equal ones counted half. None in a corpus with
    fewer than `FEWEST` pairs."""
    is_best: bool
    """True if the pair belongs to the requested share of its corpus."""


class PairRanking:
    """The kept pairs of a build, in its order: first `add` all, then ask for their `trust`.

    Memory: about 40 bytes per pair.
    """

    def __init__(self) -> None:
        self._scores = [array("d") for _ in SCORES]
        self._corpora = array("q")
        self._numbers: dict[str, int] = {}

    def add(self, pair: RankingInput) -> None:
        """Add the next pair."""
        for name, values in zip(SCORES, self._scores, strict=True):
            values.append(pair.scores.get(name, np.nan))
        self._corpora.append(self._numbers.setdefault(pair.corpus, len(self._numbers)))

    def trust(self, best: float = 1) -> list[Trust]:
        """Return the trust in each pair.

        `best` is the share of each corpus that is best, from 0 to 1: the rounded number of its pairs, at least one, of
        equal ones those that were added first.
        """
        corpora = np.asarray(self._corpora)
        found: list[Trust] = [Trust(None, False)] * len(corpora)
        for corpus in range(len(self._numbers)):
            (members,) = np.nonzero(corpora == corpus)
            ranks = self._ranks(members)
            best_ones = np.argsort(-ranks, kind="stable")[: max(1, round(best * len(ranks)))]
            is_best = np.isin(np.arange(len(ranks)), best_ones)
            for member, rank, chosen in zip(members, ranks.tolist(), is_best.tolist(), strict=True):
                shown = round(rank, _DIGITS) if len(ranks) >= FEWEST else None
                found[member] = Trust(shown, chosen)
        return found

    def _ranks(self, members: NDArray[np.intp]) -> _Floats:
        """Return the rank of each pair of a corpus, by the mean of its ranks by the scores that all of them have."""
        scores = [np.asarray(values)[members] for values in self._scores]
        ranks = [_shares_below(values) for values in scores if not np.isnan(values).any()]
        return _shares_below(np.sum(ranks, axis=0) if ranks else np.zeros(len(members)))


def _shares_below(values: _Floats) -> _Floats:
    """Return the share of the values that are smaller than each, with half of those that are equal."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    shares: _Floats = (np.cumsum(counts) - counts / 2)[places] / len(values)
    return shares
