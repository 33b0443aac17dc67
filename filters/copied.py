"""One half says all of `long`: then the other has nothing left to say, and the pair is no split.

No filter of the paper. It catches a half that is a copy of `long`, whatever the other half is.
"""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from pydantic import Field

from filters.base import Filter
from filters.batch import Batch, as_scores
from filters.words import FIRST, LONG, SECOND, within
from pairs.records import ParsedPair


class Copied(Filter):
    """The share of the content words of `long` that one half alone has, for the half that has more of them."""

    preset: ClassVar = "strict"
    thresholds: ClassVar = frozenset({"max_share"})

    max_share: float = Field(
        default=0.95,
        title="Largest share",
        ge=0,
        le=1,
        description="Share of the content words of `long` that one half may have to itself.",
    )

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return the larger share, from 0 to 1; 0 where `long` has no content word."""
        found = Batch.of(pairs).shared_content
        most = np.maximum(within(found, LONG, FIRST), within(found, LONG, SECOND))
        return as_scores(most / np.maximum(1, within(found, LONG)))

    def accepts(self, score: float) -> bool:
        """Accept up to `max_share`."""
        return score <= self.max_share
