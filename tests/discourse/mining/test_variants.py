"""The variants of Discovery: how many pairs of which markers, and the laws that hold between them."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.discourse.mining.variants import Drawn, lenders, members

NAMES = ["but", "however", "sadly,", "then,"]
rows_of = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 4), st.integers(0, 2)), max_size=60)


def drawn(rows: list[tuple[int, int, int]]) -> Drawn:
    marker, rank, _ = np.array(rows, int).reshape(-1, 3).T
    order = np.random.default_rng(3).permutation(len(rows)).astype(np.uint64)
    return Drawn(NAMES, frozenset({"but", "however"}), marker, order, rank)


@given(rows_of)
def test_laws(rows: list[tuple[int, int, int]]) -> None:
    data = drawn(rows)
    masks = members(data, per_marker=3, top=2)
    numbers = {name: Counter(data.marker[mask].tolist()) for name, mask in masks.items()}
    enough = {
        marker
        for marker, n in Counter(marker for marker, rank, _ in rows if rank > 2).items()
        if n >= 3
    }
    for name in ("base", "hard", "shuffled"):
        assert numbers[name] == dict.fromkeys(enough, 3)
    assert (data.rank[masks["hard"]] > 2).all()
    totals = Counter(marker for marker, _, _ in rows)
    assert numbers["big"] == {marker: min(6, totals[marker]) for marker in enough}
    assert not (masks["base"] & ~masks["big"]).any()
    assert numbers["adv"] == {marker: n for marker, n in numbers["base"].items() if marker > 1}
    assert not (masks["adv"] & ~masks["base"]).any()
    assert numbers["10"] == Counter({1: min(totals[1], 3)})


@given(rows_of, st.integers(0, 2**60))
def test_second_sentences_move_within_marker_and_set(
    rows: list[tuple[int, int, int]], bits: int
) -> None:
    data, sets = drawn(rows), np.array([subset for *_, subset in rows], int)
    mask = np.array([bool(bits >> n & 1) for n in range(len(rows))], bool)
    lender = lenders(data, mask, sets)
    assert sorted(lender) == list(range(len(rows)))
    groups = [(data.marker[n], sets[n], mask[n]) for n in range(len(rows))]
    sizes = Counter(groups)
    for n, other in enumerate(lender):
        assert groups[n] == groups[other]
        assert (n == other) == (not mask[n] or sizes[groups[n]] == 1)
