"""Lexical overlap of the two sides (BiSECT, section 3.2): too little of it means a wrong alignment.

    r = min(|l ∩ s| / |l|,  |l ∩ s1| / |s1|,  |l ∩ s2| / |s2|)  with  s = s1 ∪ s2

over sets of lower-cased lemmas, punctuation included: with words alone the published pairs would break the paper's
own threshold of 0.25, with punctuation the least of them stands exactly on it.
"""

from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from filters.base import Filter
from filters.words import lemmas
from pairs.records import ParsedPair


class Overlap(Filter):
    """The least of three shares: of `long` found in the halves, and of each half found in `long`."""

    thresholds: ClassVar = frozenset({"min_overlap"})

    min_overlap: float = Field(
        default=0.25, title="Least overlap", ge=0, le=1, description="The paper's r that a pair must reach."
    )

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return r, from 0 to 1."""
        return [overlap(lemmas(pair.long), lemmas(pair.split[0]), lemmas(pair.split[1])) for pair in pairs]

    def accepts(self, score: float) -> bool:
        """Accept from `min_overlap` on."""
        return score >= self.min_overlap


def overlap(long: frozenset[str], first: frozenset[str], second: frozenset[str]) -> float:
    """Return r for three sets of lemmas; an empty one shares nothing.

    >>> overlap(frozenset("abcd"), frozenset("ab"), frozenset("cxyz"))
    0.25
    """
    if not (long and first and second):
        return 0.0
    of_first, of_second = long & first, long & second
    return min(len(of_first | of_second) / len(long), len(of_first) / len(first), len(of_second) / len(second))
