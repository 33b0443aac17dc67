"""Halves that say the same: one of them repeats the other, or says all of it and more.

Not a filter of the paper. Content words are counted, so that a repeated subject (`The firm ... . The firm ...`) does
not matter. Halves with fewer than three content words may share them by chance; they are not compared.
"""

from typing import ClassVar

from pydantic import Field

from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View

_FEW = 3


class SameHalves(RuleFilter):
    """The share of the content words of the shorter half that the other half has too."""

    VERSION: ClassVar[int] = 2
    max_share: float = Field(default=0.9, title="Maximum share", ge=0, le=1)
    """Maximum share of the content words of one half that may occur in the other half."""

    def measure(self, pair: View) -> float:
        """Return the share, from 0 to 1; 0 if a half has fewer than three content words."""
        _, first, second = pair.content
        fewer = min(len(first), len(second))
        return len(first & second) / fewer if fewer >= _FEW else 0.0
