"""Reject pairs in which one half of the split repeats all of the long sentence.

Such a half leaves nothing for the other half to say.

This filter is not in the BiSECT paper. The other half is ignored.
"""

from typing import ClassVar

from pydantic import Field

from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View


class CopiesFilter(RuleFilter):
    """The share of the long sentence's content words that a half of the split repeats.

    The half with the larger share counts.
    """

    VERSION: ClassVar[int] = 2
    max_share: float = Field(default=0.9, title="Maximum share", ge=0, le=1)
    """Maximum share of the long sentence's content words that a half of the split may contain."""

    def measure(self, pair: View) -> float:
        """Return the larger share of the split's two halves, from 0 to 1.

        It is 0 if the long sentence has no content words.
        """
        long, *halves = pair.content
        if not long:
            return 0.0
        return max(len(long & half) for half in halves) / len(long)
