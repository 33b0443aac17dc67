"""Words repeated over and over, a typical engine failure: `of the report of the report of the report`.

Not a filter of the paper. A repetition on both sides, such as a list of equal items, is accepted. Punctuation
does not count, because a split changes it: `New York, New York, and ...` becomes `New York, New York.`
A colon and a semicolon count: what is before them may be the subject of the clause behind them (`Other agents: other
agents may ...`).
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

from pydantic import Field

from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View

_PUNCTUATION = frozenset(",.?!…")


class RepetitionFilter(RuleFilter):
    """The number of repeated tokens that one side has more than the other."""

    VERSION: ClassVar[int] = 4
    max_tokens: int = Field(default=2, title="Maximum tokens", ge=0, le=1000)
    """Maximum difference in tokens between the longest repetitions of the two sides. One word three times is 2, four
    words twice are 4."""

    def measure(self, pair: View) -> float:
        """Return the difference in tokens between the longest repetition in `long` and in the halves."""
        long, first, second = (longest_repetition(parse.tokens) for parse in pair.parses)
        return abs(long - max(first, second))


def longest_repetition(tokens: Sequence[str]) -> int:
    """Return the number of tokens in the longest run that repeats the tokens right before it, at least three.

    >>> longest_repetition("we went on and on and on and on".split())
    6
    """
    tokens = _without_punctuation(tokens)
    trigrams = list(zip(tokens, tokens[1:], tokens[2:], strict=False))
    if len(set(trigrams)) == len(trigrams):
        return 0
    last: dict[tuple[str, ...], int] = {}
    distances: set[int] = set()
    for position, trigram in enumerate(trigrams):
        if trigram in last:
            distances.add(position - last[trigram])
        last[trigram] = position
    return max((_longest_run(tokens, distance) for distance in distances), default=0)


def _longest_run(tokens: Sequence[str], distance: int) -> int:
    """Return the longest run of tokens equal to those `distance` before them; 0 if shorter than `distance` or three."""
    longest = run = 0
    for before, after in zip(tokens, tokens[distance:], strict=False):
        run = run + 1 if before == after else 0
        longest = max(longest, run)
    return longest if longest >= max(distance, 3) else 0


def _without_punctuation(tokens: Sequence[str]) -> list[str]:
    """Return tokens without punctuation behind words; of a run of punctuation only the first is dropped."""
    return [
        token
        for before, token in pairwise(["", *tokens])
        if token not in _PUNCTUATION or before in _PUNCTUATION
    ]
