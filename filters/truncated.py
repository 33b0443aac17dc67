"""A half that was truncated and ends in a full stop all the same: its part of `long` continues after its end.

Not a filter of the paper. No single feature distinguishes such a half from one that leaves something out in good faith,
so several are weighed: it ends in a word that needs a continuation, the last words of its part of `long` occur in
neither half, it is shorter than its part, and both halves are shorter than `long`. The weights (truncated.toml) are
those of a logistic regression on published and natural pairs and the same pairs with one half truncated
(`fit_truncated.py` at 6db46117).

`long` is divided between the halves by its content words: where most words before are in the first half only and most
words after in the second only.
"""

import math
import operator
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from typing import ClassVar, NamedTuple

from pydantic import Field

from bitext_pivot.core.data_files import read_toml
from bitext_pivot.core.records import Parse
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import CONTENT, View

FEATURES = (
    "ends open", "ratio", "other's excess", "tail", "other's missing", "length", "other's new", "missing", "part",
)  # fmt: skip
"""Features of a half, in the order of the values of `signs`."""
_TABLE = read_toml(Path(__file__).with_suffix(".toml"))
_BIAS: float = _TABLE["bias"]
_WEIGHTS: list[float] = [_TABLE["weights"][feature] for feature in FEATURES]
_OPEN = frozenset({"DET", "ADP", "CCONJ", "SCONJ", "PART", "AUX"})


class TruncatedFilter(RuleFilter):
    """The log odds that a half was truncated; the half with the higher odds counts."""

    VERSION: ClassVar[int] = 2
    max_odds: float = Field(default=4.4, title="Maximum odds", ge=-100, le=100)
    """Maximum log odds that a half was truncated, as in the data for the weights, in which every second half was. 3
    finds 10 to 15 % more of them than 4, and rejects 0.5 % more of EMEA and JRC."""

    def measure(self, pair: View) -> float:
        """Return the higher log odds of the two halves."""
        return max(
            math.fsum(map(operator.mul, values, _WEIGHTS)) + _BIAS
            for values in truncation_features(pair)
        )


class _Half(NamedTuple):
    """A half compared with its part of `long`; words are content words."""

    ends_open: bool
    """True if its last word needs a continuation."""
    length: float
    """Logarithm of its tokens per token of its part, between -2 and 2."""
    part: int
    """Number of words of its part."""
    missing: int
    """Number of these that occur in neither half."""
    tail: int
    """Number of these after the last one that occurs in a half."""
    new: int
    """Number of its own words that `long` lacks."""


def truncation_features(pair: View) -> tuple[list[float], list[float]]:
    """Return the features named in `FEATURES` of both halves."""
    long, *halves = pair.parses
    in_first, in_second = (
        [word in half for word in pair.content_words[0]] for half in pair.lemmas[1:]
    )
    is_known = list(map(operator.or_, in_first, in_second))
    cut = _cut(in_first, in_second)
    places = [n for n, pos in enumerate(long.pos) if pos in CONTENT]
    border = places[cut] if cut < len(places) else len(long.tokens)
    new = [len(content - pair.content[0]) for content in pair.content[1:]]
    first = _half(halves[0], is_known[:cut], tokens=border, new=new[0])
    second = _half(halves[1], is_known[cut:], tokens=len(long.tokens) - border, new=new[1])
    ratio = min(sum(pair.lengths[1:]) / max(1, pair.lengths[0]), 1)
    return _signs(first, second, ratio), _signs(second, first, ratio)


def _signs(half: _Half, counterpart: _Half, ratio: float) -> list[float]:
    return [
        half.ends_open,
        ratio,
        max(counterpart.length, 0),
        min(half.tail, 8),
        min(counterpart.missing, 12),
        min(half.length, 0),
        min(counterpart.new, 6),
        min(max(half.missing - half.new, -4), 8),
        half.part / max(half.part + counterpart.part, 1),
    ]


def _cut(in_first: Sequence[bool], in_second: Sequence[bool]) -> int:
    """Return how many content words of `long` belong to the first half: where most votes for it come before."""
    votes = list(accumulate(map(operator.sub, in_first, in_second), initial=0))
    return votes.index(max(votes))


def _half(half: Parse, is_known: Sequence[bool], *, tokens: int, new: int) -> _Half:
    """Compare a half with its part of `long`: which of its words occur in a half, and its number of tokens."""
    return _Half(
        ends_open=next((pos in _OPEN for pos in reversed(half.pos) if pos != "PUNCT"), False),
        length=min(max(math.log(max(1, len(half.tokens)) / max(1, tokens)), -2), 2),
        part=len(is_known),
        missing=is_known.count(False),
        tail=is_known[::-1].index(True) if True in is_known else len(is_known),
        new=new,
    )
