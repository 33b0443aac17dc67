"""Bounds on length: of each sentence, and of both halves relative to `long`.

Not a filter of the paper, although its BERTScore is penalised by the same ratio. It finds truncated and repetitive
text before a model runs.
"""

from pydantic import Field

from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View


class LengthFilter(RuleFilter):
    """The number of tokens of both halves per token of `long`; 0 if a sentence is too short or too long by itself."""

    shortest: int = Field(default=2, title="Minimum tokens", ge=1, le=1000)
    """Minimum number of tokens of a sentence."""
    longest: int = Field(default=250, title="Maximum tokens", ge=1, le=100_000)
    """Maximum number of tokens of a sentence."""
    min_ratio: float = Field(default=0.5, title="Minimum ratio", ge=0, le=1)
    """Minimum tokens of both halves per token of `long`."""
    max_ratio: float = Field(default=1.7, title="Maximum ratio", ge=1, le=100)
    """Maximum tokens of both halves per token of `long`."""

    def measure(self, pair: View) -> float:
        """Return the ratio, or 0 outside of `shortest` and `longest`."""
        long, first, second = pair.lengths
        is_bounded = self.shortest <= min(pair.lengths) and max(pair.lengths) <= self.longest
        return (first + second) / long if is_bounded else 0.0

    def accepts(self, score: float) -> bool:
        """Return True within the thresholds, and never for 0."""
        return score > 0 and super().accepts(score)
