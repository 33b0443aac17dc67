"""Reject pairs in which the end of a sentence has no counterpart on the other side.

This filter is not in the BiSECT paper. It finds a clause that was made up, left out, or occurs only in a half. If
the other side expresses the end in other words, it has about as many new words as missing words, so the new words
are subtracted. Among the pairs of WikiSplit that all other filters accept, 9 % have a half with such an end,
because people who split a sentence of Wikipedia add facts to it. All 58 of these pairs that were read are bad.
"""

from collections.abc import Sequence, Set
from itertools import takewhile
from typing import ClassVar

from pydantic import Field

from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View


class UncoveredFilter(RuleFilter):
    """The number of content words at the end of a sentence that the other side lacks.

    Content words that only the other side has are subtracted, because they may be translations or synonyms of the
    missing words.
    """

    VERSION: ClassVar[int] = 3
    max_words: int = Field(default=1, title="Maximum words", ge=0, le=1000)
    """Maximum number of content words at the end of a sentence that the other side of the pair may lack."""

    def measure(self, pair: View) -> float:
        """Return the number of missing words at the end, for the sentence with the most."""
        long, *halves = pair.content_words
        in_long, in_halves = pair.lemmas[0], pair.lemmas[1] | pair.lemmas[2]
        only_in_long = len(pair.content[0] - in_halves)
        only_in_halves = len((pair.content[1] | pair.content[2]) - in_long)
        return max(
            0,
            _count_missing_at_end(long, in_halves) - only_in_halves,
            *(_count_missing_at_end(half, in_long) - only_in_long for half in halves),
        )


def _count_missing_at_end(words: Sequence[str], other: Set[str]) -> int:
    """Return the number of words at the end of a text that are not in `other`."""
    return len([*takewhile(lambda word: word not in other, reversed(words))])
