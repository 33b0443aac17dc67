"""Trust: the rank of a kept pair among the kept pairs of its corpus, by its scores.

Readers judged pairs in two rounds: 23 of 170 were bad in the best third and 64 of 170 in the worst (docs/quality.md).
Most of this difference comes from WikiSplit; in legal texts the rank does not help. Pairs of different corpora are not
ranked together, because the style of a corpus raises or lowers its scores.
"""

from array import array
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

SCORES = ("overlap", "meaning", "bertscore.recall")
"""The filter scores whose ranks are averaged. A score that any pair of a corpus lacks is ignored for this corpus."""
_DIGITS = 6
FEWEST = 30
"""Minimum number of kept pairs in a corpus that has ranks. With ten pairs, neighbouring ranks differ by a tenth."""
_Floats = NDArray[np.float64]


class RankingInput(NamedTuple):
    """The corpus and the scores by which a kept pair is ranked."""

    corpus: str
    """Name of the group of pairs that are ranked together."""
    scores: Mapping[str, float]


class Trust(NamedTuple):
    """The rank of a kept pair among the pairs of its corpus."""

    rank: float | None
    """Share of the corpus's pairs with a lower rank, from 0 to 1; pairs with the same rank count half. None if the
    corpus has fewer than `FEWEST` pairs, unless only the best share is requested: the rank then explains the choice."""
    is_best: bool
    """Whether the pair belongs to the requested best share of its corpus."""


class PairRanking:
    """Ranks the kept pairs of a build: call `add` for each pair in order, then `trust` once.

    Needs about 40 bytes of memory per pair.
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
        """Return the trust of each pair, in the order in which the pairs were added.

        `best` is the share of each corpus to mark as best, from 0 to 1. It is rounded to a number of pairs, at least
        one. Among pairs with the same rank, the pairs that were added first are marked.
        """
        corpora = np.asarray(self._corpora)
        found: list[Trust] = [Trust(None, False)] * len(corpora)
        for corpus in range(len(self._numbers)):
            (members,) = np.nonzero(corpora == corpus)
            ranks = self._ranks(members)
            best_ones = np.argsort(-ranks, kind="stable")[: max(1, round(best * len(ranks)))]
            is_best = np.isin(np.arange(len(ranks)), best_ones)
            for member, rank, chosen in zip(members, ranks.tolist(), is_best.tolist(), strict=True):
                is_shown = len(ranks) >= FEWEST or best < 1
                shown = round(rank, _DIGITS) if is_shown else None
                found[member] = Trust(shown, chosen)
        return found

    def _ranks(self, members: NDArray[np.intp]) -> _Floats:
        """Rank the pairs of a corpus by their mean rank, over all scores that each of the pairs has."""
        scores = [np.asarray(values)[members] for values in self._scores]
        ranks = [_shares_below(values) for values in scores if not np.isnan(values).any()]
        return _shares_below(np.sum(ranks, axis=0) if ranks else np.zeros(len(members)))


def _shares_below(values: _Floats) -> _Floats:
    """Return for each value the share of smaller values, plus half the share of equal values."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    shares: _Floats = (np.cumsum(counts) - counts / 2)[places] / len(values)
    return shares
