"""Lexical overlap of the two sides (BiSECT, section 3.2); too little means a wrong alignment.

    r = min(|l ∩ s| / |l|,  |l ∩ s1| / |s1|,  |l ∩ s2| / |s2|)  with  s = s1 ∪ s2

over sets of lower-cased lemmas, punctuation included: on words alone the published pairs violate the paper's own
threshold of 0.25; with punctuation their minimum is exactly 0.25.
"""

from typing import ClassVar

from pydantic import Field

from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View


class Overlap(RuleFilter):
    """The smallest of three shares: of `long` found in the halves, and of each half found in `long`."""

    VERSION: ClassVar[int] = 2
    min_overlap: float = Field(default=0.25, title="Minimum overlap", ge=0, le=1)
    """Minimum r (BiSECT, section 3.2) of a pair."""

    def measure(self, pair: View) -> float:
        """Return r, from 0 to 1; 0 if a sentence has no token."""
        long, first, second = pair.lemmas
        if not (long and first and second):
            return 0.0
        in_first, in_second = long & first, long & second
        return min(len(in_first | in_second) / len(long), len(in_first) / len(first), len(in_second) / len(second))
