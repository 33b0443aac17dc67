"""Each half must add something: a content word of `long` that the other half lacks.

No filter of the paper, and off by default: a good second half often says its part in other words ("It persists during
treatment"), and so 2 % of the published test set and 5 % of EMEA and JRC have a half that adds no word. What it is for,
a half that says all of `long` beside one that says nothing of it, `copied` and `halves` find at a quarter of the cost.
"""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from pydantic import Field

from filters.base import Filter
from filters.batch import Batch, as_scores
from filters.words import FIRST, LONG, SECOND
from pairs.records import ParsedPair


class Addition(Filter):
    """Counts the content words of `long` that only one half has, for the half that has fewest of them."""

    preset: ClassVar = "strict"
    thresholds: ClassVar = frozenset({"min_words"})

    min_words: int = Field(
        default=0,
        title="Fewest words",
        ge=0,
        le=100,
        description="Content words of `long` that each half must add. 0: this filter is off.",
    )

    @property
    def is_on(self) -> bool:
        """Whether a word is asked for at all."""
        return self.min_words > 0

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return the smaller number of words that a half adds."""
        found = Batch.of(pairs).shared_content
        return as_scores(np.minimum(found[:, LONG | FIRST], found[:, LONG | SECOND]))

    def accepts(self, score: float) -> bool:
        """Accept from `min_words` on."""
        return score >= self.min_words
