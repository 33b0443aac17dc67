"""Samples drawn by hashes: known ranks, any order, any seed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core.sampling import HashSample, rank

IDS = [f"Everyday/v1/en-fr:{number}" for number in range(30)]


def drawn(ids: list[str], size: int, seed: int | None = None) -> list[str]:
    sample = HashSample[str](size, seed)
    for name in ids:
        sample.add(name, lambda name=name: name)  # type: ignore[misc]
    assert sample.seen == len(ids)
    return sample.values()


@given(st.permutations(IDS), st.sampled_from([0, 1, 10, 30, 40]), st.none() | st.integers(0, 3))
def test_the_smallest_ranks_are_drawn_in_any_order(
    ids: list[str], size: int, seed: int | None
) -> None:
    assert drawn(ids, size, seed) == sorted(IDS, key=lambda name: rank(name, seed))[:size]


def test_values_outside_the_sample_are_not_made() -> None:
    sample, made = HashSample[str](3), []
    for name in sorted(IDS, key=rank):
        sample.add(name, lambda name=name: made.append(name) or name)  # type: ignore[func-returns-value,misc]
    assert sample.values() == made == sorted(IDS, key=rank)[:3]
    assert [position for _, position, _ in sample.ranked()] == [1, 2, 3]


@pytest.mark.parametrize(
    ("text", "seed", "last"), [("a", None, 343), ("é", 0, 828), ("\ud800", 1, 39)]
)
def test_ranks_are_known_numbers(text: str, seed: int | None, last: int) -> None:
    assert rank(text, seed) % 1000 == last
