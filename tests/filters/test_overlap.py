"""The paper's r: hand-counted cases and its laws."""

import pytest
from factories import flat, parsed
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.overlap import OverlapFilter

CASES = [
    (("a b c d", "a b", "c d"), 1.0),
    (("a b c d", "a x y z", "b c d"), 0.25),  # the first half has one word in four from long
    (("a b c d", "a b", "x c y z"), 0.25),  # so has the second
    (("a b c d e f g h", "a", "b"), 0.25),  # long has two words in eight from the halves
    (("a b", "c", "a"), 0.0),
    (("The cat .", "the CAT .", "The ."), 1.0),  # lower-cased
    (("a .", "b .", "a ."), 0.5),  # punctuation counts
    (("a a a b", "a a", "b"), 1.0),  # sets, not bags
]


def r(long: str, first: str, second: str) -> float:
    (score,) = OverlapFilter().score([parsed(flat(long), flat(first), flat(second))])
    assert score is not None
    return score


@pytest.mark.parametrize(("sides", "expected"), CASES)
def test_r_is_the_least_of_three_shares(sides: tuple[str, str, str], expected: float) -> None:
    assert r(*sides) == expected


PRINTED = [
    (("a b c d e f g h", "a", "b"), 1.0),  # both halves are in long, whatever else long says
    (("a b c d", "a x", "b y"), 0.5),
    (("a b", "a b c d", "b"), 0.5),
    (("a", "a x", "a y"), 1 / 3),  # less than each half
]


@pytest.mark.parametrize(("sides", "expected"), PRINTED)
def test_the_preset_paper_divides_by_the_halves(
    sides: tuple[str, str, str], expected: float
) -> None:
    chain = Filters(preset="paper")
    pair = parsed(*(flat(side) for side in sides))
    (scores,) = chain.rule_scores([pair])
    assert scores["overlap"] == expected
    printed = chain.active()["overlap"]
    # The signatures differ, so no stored score is used for both.
    assert isinstance(printed, OverlapFilter) and printed.VERSION != OverlapFilter.VERSION


WORDS = st.lists(st.sampled_from("abcdefgh"), min_size=1).map(" ".join)


@given(WORDS, WORDS, WORDS)
def test_r_ignores_the_order_of_halves_and_stays_within_bounds(
    long: str, first: str, second: str
) -> None:
    assert 0 <= r(long, first, second) <= 1
    assert r(long, first, second) == r(long, second, first)
    assert r(long, long, long) == 1
