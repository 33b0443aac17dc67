"""Reject pairs in which a half of the split was truncated but ends in a full stop anyway.

This filter is not in the BiSECT paper. Each half corresponds to a part of the long sentence. No single feature
distinguishes such a half from a half that leaves something out on purpose, so several are weighted: the half ends
in a word that needs a continuation, the last words of its part of `long` occur in neither half, the half is shorter
than its part, and both halves together are shorter than `long`. The weights in truncated.toml come from a logistic
regression on published and natural pairs, and on the same pairs with one half truncated (`fit_truncated.py` at
6db46117).

`long` is divided into a part for each half by its content words: most content words before the division occur only
in the first half, and most after it only in the second half.
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
"""Names of the features of a half of the split, in the order in which `truncation_features` returns them."""
_TABLE = read_toml(Path(__file__).with_suffix(".toml"))
_BIAS: float = _TABLE["bias"]
_WEIGHTS: list[float] = [_TABLE["weights"][feature] for feature in FEATURES]
_OPEN = frozenset({"DET", "ADP", "CCONJ", "SCONJ", "PART", "AUX"})


class TruncatedFilter(RuleFilter):
    """The log odds that a half of the split was truncated, for the half with the higher odds."""

    VERSION: ClassVar[int] = 2
    max_odds: float = Field(default=4.4, title="Maximum odds", ge=-100, le=100)
    """Maximum log odds that a half of the split was truncated. The odds assume that 50 % of the halves are
    truncated, as in the training data. Compared with a maximum of 4, a maximum of 3 finds 10 to 15 % more truncated
    halves, and rejects 0.5 % more pairs of EMEA and JRC."""

    def measure(self, pair: View) -> float:
        """Return the log odds that a half of the split was truncated, for the half with higher odds."""
        return max(
            math.fsum(map(operator.mul, values, _WEIGHTS)) + _BIAS
            for values in truncation_features(pair)
        )


class _HalfComparison(NamedTuple):
    """A half of the split compared with its part of `long`. All words counted are content words."""

    ends_open: bool
    """True if the last word of the half needs a continuation, as an article does."""
    length: float
    """Logarithm of the ratio of tokens in the half to tokens in its part of `long`, between -2 and 2."""
    part: int
    """Number of words in the half's part of `long`."""
    missing: int
    """Number of words in the half's part of `long` that occur in neither half."""
    tail: int
    """Number of words at the end of the half's part of `long`, after the last word that occurs in a half."""
    new: int
    """Number of words in the half that `long` lacks."""


def truncation_features(pair: View) -> tuple[list[float], list[float]]:
    """Return the features of each half of the split, in the order of `FEATURES`."""
    long, *halves = pair.parses
    in_first, in_second = (
        [word in half for word in pair.content_words[0]] for half in pair.lemmas[1:]
    )
    is_known = list(map(operator.or_, in_first, in_second))
    cut = _find_cut(in_first, in_second)
    indices = [n for n, pos in enumerate(long.pos) if pos in CONTENT]
    border = indices[cut] if cut < len(indices) else len(long.tokens)
    new = [len(content - pair.content[0]) for content in pair.content[1:]]
    first = _compare_half(halves[0], is_known[:cut], tokens=border, new=new[0])
    second = _compare_half(halves[1], is_known[cut:], tokens=len(long.tokens) - border, new=new[1])
    ratio = min(sum(pair.lengths[1:]) / max(1, pair.lengths[0]), 1)
    return _features(first, second, ratio), _features(second, first, ratio)


def _features(half: _HalfComparison, counterpart: _HalfComparison, ratio: float) -> list[float]:
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


def _find_cut(in_first: Sequence[bool], in_second: Sequence[bool]) -> int:
    """Return how many content words of `long`, counted from its start, belong to the first half.

    A word that only the first half contains counts 1, a word that only the second half contains counts -1. The
    first half's part ends where the sum is largest.
    """
    votes = list(accumulate(map(operator.sub, in_first, in_second), initial=0))
    return votes.index(max(votes))


def _compare_half(
    half: Parse, is_known: Sequence[bool], *, tokens: int, new: int
) -> _HalfComparison:
    """Compare a half with its part of `long`.

    `is_known` states for each word of the part whether it occurs in a half. `tokens` is the number of tokens in the
    part, and `new` the number of words in the half that `long` lacks.
    """
    return _HalfComparison(
        ends_open=next((pos in _OPEN for pos in reversed(half.pos) if pos != "PUNCT"), False),
        length=min(max(math.log(max(1, len(half.tokens)) / max(1, tokens)), -2), 2),
        part=len(is_known),
        missing=is_known.count(False),
        tail=is_known[::-1].index(True) if True in is_known else len(is_known),
        new=new,
    )
