"""Greedy matching and spans by hand, and packs of texts."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from filters.neural.encoder import packs
from filters.neural.matching import SPAN, match, weakest_span

ROWS = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
CASES = {
    "each token with the nearest": (ROWS[:2], [1, 1], ROWS[2:], [1], (0.7, 0.8, 2 * 0.7 * 0.8 / 1.5)),
    "weights are shares": (ROWS[:2], [3, 1], ROWS[2:], [5], (0.65, 0.8, 2 * 0.65 * 0.8 / 1.45)),
    "a weight of 0 does not count": (ROWS[:2], [0, 1], ROWS[2:], [5], (0.8, 0.8, 0.8)),
    "a candidate of which nothing counts": (ROWS[:2], [0, 0], ROWS, [1, 1, 1], (0, 0, 0)),
    "a reference of which nothing counts": (ROWS, [1, 1, 1], ROWS[:1], [0], (0, 0, 0)),
    "opposite texts": (ROWS[:1], [1], -ROWS[:1], [1], (-1, -1, -1)),
    "a right angle": (ROWS[:1], [1], ROWS[1:2], [1], (0, 0, 0)),
}


@pytest.mark.parametrize("case", CASES)
def test_precision_recall_and_f(case: str) -> None:
    *sides, expected = CASES[case]
    assert match(*sides) == pytest.approx(expected)


def vectors(*similarities: float) -> torch.Tensor:
    """Unit vectors with these similarities to (1, 0)."""
    return torch.tensor([[number, (1 - number**2) ** 0.5] for number in similarities], dtype=torch.float64)


AXES = torch.eye(2, dtype=torch.float64)
SPANS = {
    # vectors, what counts, texts beside them, expected
    "the weakest six in a row": (vectors(1, *[0.5] * 3, *[0.2] * 3, 1, 1, 1), [1] * 10, [AXES[:1]], 2.1 / 6),
    "at the beginning": (vectors(*[0.1] * 6, *[0.9] * 4), [1] * 10, [AXES[:1]], 0.1),
    "at the end": (vectors(*[0.9] * 4, *[0.1] * 6), [1] * 10, [AXES[:1]], 0.1),
    "a short text is one span": (vectors(0.4, 0.8), [1, 1], [AXES[:1]], 0.6),
    "what does not count is skipped": (vectors(*[0.5] * 3, -1, *[0.5] * 3), [1, 1, 1, 0, 1, 1, 1], [AXES[:1]], 0.5),
    "the nearest of two texts": (vectors(1, 0, 1, 0, 1, 0), [1] * 6, [AXES[:1], AXES[1:]], 1),
    "nothing counts": (vectors(1, 1), [0, 0], [AXES[:1]], 0),
}  # fmt: skip


@pytest.mark.parametrize("case", SPANS)
def test_the_weakest_span(case: str) -> None:
    one, weights, others, expected = SPANS[case]
    assert weakest_span(one, weights, others) == pytest.approx(expected)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30), st.data())
def test_no_span_is_weaker_and_none_gets_weaker_beside_more_texts(
    similarities: list[float], data: st.DataObject
) -> None:
    one = vectors(*similarities)
    whole = weakest_span(one, [1] * len(one), [AXES[:1]])
    assert min(similarities) - 1e-9 <= whole <= max(similarities) + 1e-9
    assert weakest_span(one, [1] * len(one), [AXES[:1], AXES[1:]]) >= whole - 1e-9
    if len(one) >= SPAN:
        begin = data.draw(st.integers(0, len(one) - SPAN))
        part = one[begin : begin + SPAN]
        assert weakest_span(part, [1] * SPAN, [AXES[:1]]) >= whole - 1e-9


@given(st.lists(st.integers(1, 600), max_size=60))
def test_each_text_is_in_one_pack_that_has_room_or_holds_one_long_text(lengths: list[int]) -> None:
    groups = packs(lengths, 512)
    assert sorted(place for group in groups for place in group) == list(range(len(lengths)))
    assert all(sum(lengths[n] for n in group) <= 512 or len(group) == 1 for group in groups)


@pytest.mark.parametrize(
    ("lengths", "room", "groups"), [([3, 5, 4], 0, [[1], [2], [0]]), ([5, 300, 212, 500, 7], 512, [[3, 4, 0], [1, 2]])]
)
def test_the_next_text_fills_the_first_gap(lengths: list[int], room: int, groups: list[list[int]]) -> None:
    assert packs(lengths, room) == groups
