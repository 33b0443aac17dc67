"""Bounds on length: of each sentence, and of both halves against `long`.

No filter of the paper, though its BERTScore is penalised by the same ratio. It catches what was cut off or repeated
at length before an encoder is asked.
"""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from pydantic import Field

from filters.base import Filter
from filters.batch import Batch, as_scores
from pairs.records import ParsedPair


class Length(Filter):
    """The tokens of both halves for each token of `long`; 0 where a sentence is too short or too long by itself."""

    preset: ClassVar = "strict"
    thresholds: ClassVar = frozenset({"min_ratio", "max_ratio"})

    shortest: int = Field(default=2, title="Fewest tokens", ge=1, le=1000, description="Tokens a sentence must have.")
    longest: int = Field(default=250, title="Most tokens", ge=1, le=100_000, description="Tokens a sentence may have.")
    min_ratio: float = Field(
        default=0.5, title="Least ratio", ge=0, le=1, description="Tokens of both halves for each token of `long`."
    )
    max_ratio: float = Field(
        default=1.7,
        title="Largest ratio",
        ge=1,
        le=100,
        description="Tokens that both halves may have for each token of `long`.",
    )

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return the ratio, or 0 outside of `shortest` and `longest`."""
        sizes = Batch.of(pairs).sizes
        is_bounded = (sizes >= self.shortest).all(axis=1) & (sizes <= self.longest).all(axis=1)
        return as_scores(np.where(is_bounded, (sizes[:, 1] + sizes[:, 2]) / np.maximum(1, sizes[:, 0]), 0.0))

    def accepts(self, score: float) -> bool:
        """Accept between `min_ratio` and `max_ratio`, both included, and never 0."""
        return score > 0 and self.min_ratio <= score <= self.max_ratio
