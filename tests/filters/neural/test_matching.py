"""Greedy matching by hand, and packs of texts."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from filters.neural.encoder import packs
from filters.neural.matching import match

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
