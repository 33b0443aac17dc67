"""Lengths, counted by hand."""

import pytest
from factories import flat, parsed

from bitext_pivot.filters.length import LengthFilter

CASES = {
    "as long as long": (10, 4, 6, 1.0),
    "half as long": (10, 2, 3, 0.5),
    "twice as long": (10, 10, 10, 2.0),
    "one token": (10, 1, 9, 0.0),
    "too long": (251, 100, 151, 0.0),
    "a half too long": (240, 251, 3, 0.0),
    "the longest": (250, 125, 125, 1.0),
}


@pytest.mark.parametrize("case", CASES)
def test_the_halves_are_measured_by_long(case: str) -> None:
    *lengths, expected = CASES[case]
    assert LengthFilter().score(
        [parsed(*(flat(" ".join(["a"] * int(length))) for length in lengths))]
    ) == [expected]


def test_a_sentence_out_of_bounds_never_passes() -> None:
    assert not LengthFilter(min_ratio=0).accepts(0.0)
