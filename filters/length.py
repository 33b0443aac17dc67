"""Bounds on length: of each sentence, and of both halves against `long`.

No filter of the paper, though its BERTScore is penalised by the same ratio. It catches what was cut off or repeated
at length before an encoder is asked.
"""

from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from filters.base import Filter
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
        return [self._ratio(pair) for pair in pairs]

    def accepts(self, score: float) -> bool:
        """Accept between `min_ratio` and `max_ratio`, both included, and never 0."""
        return score > 0 and self.min_ratio <= score <= self.max_ratio

    def _ratio(self, pair: ParsedPair) -> float:
        long, first, second = len(pair.long.tokens), len(pair.split[0].tokens), len(pair.split[1].tokens)
        if min(long, first, second) < self.shortest or max(long, first, second) > self.longest:
            return 0.0
        return (first + second) / long
