"""The variants of Discovery: how many pairs of which markers, and the laws that hold between them."""

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.discourse.mining.variants import SampledPairs, variant_masks

NAMES = ["but", "however", "sadly,", "then,"]
rows_of = st.lists(st.tuples(st.integers(0, 3), st.integers(1, 4)), max_size=60)


def drawn(rows: list[tuple[int, int]]) -> SampledPairs:
    marker, rank = np.array(rows, int).reshape(-1, 2).T
    order = np.random.default_rng(3).permutation(len(rows)).astype(np.uint64)
    return SampledPairs(NAMES, frozenset({"but", "however"}), marker, order, rank)


@given(rows_of)
def test_laws(rows: list[tuple[int, int]]) -> None:
    data = drawn(rows)
    masks = variant_masks(data, per_marker=3, top=2)
    numbers = {name: Counter(data.marker[mask].tolist()) for name, mask in masks.items()}
    enough = {
        marker
        for marker, n in Counter(marker for marker, rank in rows if rank > 2).items()
        if n >= 3
    }
    for name in ("base", "hard"):
        assert numbers[name] == dict.fromkeys(enough, 3)
    assert (data.rank[masks["hard"]] > 2).all()
    totals = Counter(marker for marker, _ in rows)
    assert numbers["big"] == {marker: min(6, totals[marker]) for marker in enough}
    assert not (masks["base"] & ~masks["big"]).any()
    assert numbers["adv"] == {marker: n for marker, n in numbers["base"].items() if marker > 1}
    assert not (masks["adv"] & ~masks["base"]).any()
