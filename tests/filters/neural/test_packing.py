"""Packs: nothing is lost, nothing overflows, few tokens are wasted."""

import random

from hypothesis import given
from hypothesis import strategies as st

from filters.neural.encoder import packs

LENGTHS = st.lists(st.integers(1, 600), max_size=60)


@given(LENGTHS)
def test_each_text_is_in_one_pack(lengths: list[int]) -> None:
    assert sorted(place for group in packs(lengths, 512) for place in group) == list(range(len(lengths)))


@given(LENGTHS)
def test_a_pack_has_room_or_holds_one_long_text(lengths: list[int]) -> None:
    assert all(sum(lengths[n] for n in group) <= 512 or len(group) == 1 for group in packs(lengths, 512))


def test_without_room_every_text_is_alone() -> None:
    assert packs([3, 5, 4], 0) == [[1], [2], [0]]


def test_the_next_text_fills_the_first_gap() -> None:
    assert packs([5, 300, 212, 500, 7], 512) == [[3, 4, 0], [1, 2]]


def test_sentences_waste_one_token_in_fifty() -> None:
    draw = random.Random(1)
    lengths = [draw.randint(8, 90) for _ in range(512)]
    assert sum(lengths) >= 0.98 * 512 * len(packs(lengths, 512))
