"""The end of `long` is in neither half: a clause that an engine made up, or one that the halves leave out.

Not a filter of the paper. Halves that say the end in other words have about as many words that `long` lacks as they
leave out; these are subtracted.
"""

from itertools import takewhile
from typing import ClassVar

from pydantic import Field

from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View


class Uncovered(RuleFilter):
    """The number of content words at the end of `long` that the halves neither have nor replace."""

    VERSION: ClassVar[int] = 2
    max_words: int = Field(default=5, title="Maximum words", ge=0, le=1000)
    """Maximum number of content words at the end of `long` that the halves may leave out."""

    def measure(self, pair: View) -> float:
        """Return the length of the run of missing words at the end, less than it where other words replace some."""
        content, first, second = pair.content
        halves = pair.lemmas[1] | pair.lemmas[2]
        tail = sum(
            1 for _ in takewhile(lambda word: word not in halves, reversed(pair.content_words[0]))
        )
        if not tail:
            return 0
        missing, new = content - halves, (first | second) - content
        return min(tail, max(0, len(missing) - len(new)))
