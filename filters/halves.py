"""Each half must speak of what `long` speaks of: enough of its content words occur there.

No filter of the paper. Overlap counts every token, and two unrelated sentences share *the*, *of* and the full stop; of
content words they share few. `meaning` asks the same of an encoder, which knows synonyms.
"""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from filters.base import Filter
from filters.batch import Batch, as_scores
from filters.words import FIRST, LONG, SECOND, within
from pairs.columns import Counts
from pairs.records import ParsedPair


class Halves(Filter):
    """The share of a half's content words that `long` has, for the half that has fewer of them."""

    preset: ClassVar = "strict"
    thresholds: ClassVar = frozenset({"min_share"})

    min_share: float = Field(
        default=0.15,
        title="Least share",
        ge=0,
        le=1,
        description="Share of the content words of each half that must occur in `long`.",
    )

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return the smaller share, from 0 to 1; a half without a content word counts as 1."""
        found = Batch.of(pairs).shared_content
        return as_scores(np.minimum(_share(found, FIRST), _share(found, SECOND)))

    def accepts(self, score: float) -> bool:
        """Accept from `min_share` on."""
        return score >= self.min_share


def _share(found: Counts, half: int) -> NDArray[np.float64]:
    words = within(found, half)
    return np.where(words > 0, within(found, half, LONG) / np.maximum(1, words), 1.0)
