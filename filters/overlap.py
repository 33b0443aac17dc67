"""Lexical overlap of the two sides (BiSECT, section 3.2): too little of it means a wrong alignment.

    r = min(|l ∩ s| / |l|,  |l ∩ s1| / |s1|,  |l ∩ s2| / |s2|)  with  s = s1 ∪ s2

over sets of lower-cased lemmas, punctuation included: with words alone the published pairs would break the paper's
own threshold of 0.25, with punctuation the least of them stands exactly on it.
"""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from pydantic import Field

from filters.base import Filter
from filters.batch import Batch, as_scores
from filters.words import FIRST, LONG, SECOND, within
from pairs.records import ParsedPair


class Overlap(Filter):
    """The least of three shares: of `long` found in the halves, and of each half found in `long`."""

    thresholds: ClassVar = frozenset({"min_overlap"})

    min_overlap: float = Field(
        default=0.25, title="Least overlap", ge=0, le=1, description="The paper's r that a pair must reach."
    )

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return r, from 0 to 1; a sentence without a token shares nothing."""
        found = Batch.of(pairs).shared_lemmas
        shares = [
            within(found, LONG, FIRST | SECOND) / np.maximum(1, within(found, LONG)),
            within(found, LONG, FIRST) / np.maximum(1, within(found, FIRST)),
            within(found, LONG, SECOND) / np.maximum(1, within(found, SECOND)),
        ]
        return as_scores(np.minimum.reduce(shares))

    def accepts(self, score: float) -> bool:
        """Accept from `min_overlap` on."""
        return score >= self.min_overlap
