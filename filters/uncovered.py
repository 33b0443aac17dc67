"""The end of a sentence that the other side neither says nor replaces.

Not a filter of the paper. It finds a clause that was made up, left out, or is only in a half. Sentences that
say the end in other words leave out about as many words of the other side as they have of their own; these
are subtracted. Of WikiSplit's pairs that all other filters keep, 9 % have such a half: people who split a
sentence of Wikipedia add facts to it. All 58 of these that were read are bad.
"""

from collections.abc import Sequence, Set
from itertools import takewhile
from typing import ClassVar

from pydantic import Field

from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View


class UncoveredFilter(RuleFilter):
    """The number of content words at the end of a sentence that the other side neither has nor replaces."""

    VERSION: ClassVar[int] = 3
    max_words: int = Field(default=1, title="Maximum words", ge=0, le=1000)
    """Maximum number of content words at the end of a sentence that the other side may lack."""

    def measure(self, pair: View) -> float:
        """Return the number of missing words at the end of the sentence that has the most."""
        long, *halves = pair.content_words
        in_long, in_halves = pair.lemmas[0], pair.lemmas[1] | pair.lemmas[2]
        lost = len(pair.content[0] - in_halves)
        new = len((pair.content[1] | pair.content[2]) - in_long)
        return max(
            0, _tail(long, in_halves) - new, *(_tail(half, in_long) - lost for half in halves)
        )


def _tail(words: Sequence[str], other: Set[str]) -> int:
    """Return the number of words at the end of a text that the other side lacks."""
    return len([*takewhile(lambda word: word not in other, reversed(words))])
