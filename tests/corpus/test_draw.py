"""Records drawn by their ids."""

import hashlib

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from corpus.draw import Draw, digests

IDS = [f"Everyday/v1/en-fr:{number}" for number in range(30)]


def drawn(ids: list[str], limit: int, cut: int) -> list[str]:
    """Return the ids drawn in two parts."""
    draw = Draw(limit)
    for start, part in ((0, ids[:cut]), (cut, ids[cut:])):
        draw.add(digests(part), np.arange(len(part)) + start)
    assert draw.seen == len(ids)
    return [ids[position] for position in draw.positions()]


@given(st.permutations(IDS), st.sampled_from([0, 1, 10, 30, 40]), st.integers(0, 30))
def test_the_smallest_digests_are_drawn_in_any_order_and_cut(ids: list[str], limit: int, cut: int) -> None:
    assert drawn(ids, limit, cut) == sorted(IDS, key=lambda id: hashlib.sha256(id.encode()).digest())[:limit]


def test_ids_that_utf_8_cannot_encode_have_digests() -> None:
    assert len(digests(["\ud800", "a"])) == 2
