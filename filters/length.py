"""Reject sentences of unusual length, and splits too short or long for their long sentence.

This filter is not in the BiSECT paper, although the paper lowers BERTScore by a penalty on the same ratio. It finds
truncated and repetitive text before a model runs.
"""

from pydantic import Field

from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View


class LengthFilter(RuleFilter):
    """The tokens in both halves of the split per token of the long sentence.

    The score is 0 if a sentence is too short or too long.
    """

    shortest: int = Field(default=2, title="Minimum tokens", ge=1, le=1000)
    """Minimum number of tokens in the long sentence and in each half of the split."""
    longest: int = Field(default=250, title="Maximum tokens", ge=1, le=100_000)
    """Maximum number of tokens in the long sentence and in each half of the split."""
    min_ratio: float = Field(default=0.5, title="Minimum ratio", ge=0, le=1)
    """Minimum number of tokens in both halves of the split together, per token of the long sentence."""
    max_ratio: float = Field(default=1.7, title="Maximum ratio", ge=1, le=100)
    """Maximum number of tokens in both halves of the split together, per token of the long sentence."""

    def measure(self, pair: View) -> float:
        """Return the tokens in the split per token of the long sentence.

        The result is 0 if a sentence is too short or too long.
        """
        long, first, second = pair.lengths
        is_bounded = self.shortest <= min(pair.lengths) and max(pair.lengths) <= self.longest
        return (first + second) / long if is_bounded else 0.0

    def accepts(self, score: float) -> bool:
        """Return True if the score is not 0 and satisfies both thresholds."""
        return score > 0 and super().accepts(score)
