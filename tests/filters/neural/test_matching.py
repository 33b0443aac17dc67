"""Greedy matching by hand."""

import pytest
import torch

from filters.neural.matching import Comparison, match

ROWS = torch.tensor([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])


def test_every_token_is_matched_with_the_nearest_of_the_other_text() -> None:
    found = match(ROWS[:2], [1, 1], ROWS[2:], [1])
    assert found == pytest.approx((0.7, 0.8, 2 * 0.7 * 0.8 / 1.5))


def test_a_weight_is_a_share() -> None:
    assert match(ROWS[:2], [3, 1], ROWS[2:], [5]).precision == pytest.approx((3 * 0.6 + 0.8) / 4)
    assert match(ROWS[:2], [0, 1], ROWS[2:], [5])[:2] == pytest.approx((0.8, 0.8))


def test_a_text_of_which_nothing_counts_scores_nothing() -> None:
    assert match(ROWS[:2], [0, 0], ROWS, [1, 1, 1]) == Comparison(0, 0, 0)
    assert match(ROWS, [1, 1, 1], ROWS[:1], [0]) == Comparison(0, 0, 0)


def test_opposite_texts_score_below_nothing() -> None:
    assert match(ROWS[:1], [1], -ROWS[:1], [1]) == (-1, -1, -1)


def test_a_right_angle_is_no_division_by_nothing() -> None:
    assert match(ROWS[:1], [1], ROWS[1:2], [1]) == (0, 0, 0)
