"""Reject a half that repeats all of `long`, which leaves nothing for the other half to say.

This filter is not in the BiSECT paper. It finds a half that is a copy of `long`, whatever is in the other half.
"""

from typing import ClassVar

from pydantic import Field

from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View


class CopiesFilter(RuleFilter):
    """The share of the content words of `long` in a half, for the half with the larger share."""

    VERSION: ClassVar[int] = 2
    max_share: float = Field(default=0.9, title="Maximum share", ge=0, le=1)
    """Maximum share of the content words of `long` that a half may contain."""

    def measure(self, pair: View) -> float:
        """Return the larger share, from 0 to 1, or 0 if `long` has no content words."""
        long, *halves = pair.content
        if not long:
            return 0.0
        return max(len(long & half) for half in halves) / len(long)
