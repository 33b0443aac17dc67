"""The balanced selection: shares of frequent phenomena, and drawing by identifier."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.discourse.fusion.balance import FREQUENT, frequent_phenomenon, kept_shares


@pytest.mark.parametrize(
    ("discourse_type", "connective", "expected"),
    [
        ("SINGLE_S_COORD", ", and", "and"),
        ("SINGLE_S_COORD_ANAPHORA", "but", "but"),
        ("PAIR_CONN", "but ,", "but"),
        ("PAIR_ANAPHORA", "", "anaphora"),
        ("PAIR_CONN_ANAPHORA", "however ,", ""),
        ("SINGLE_CONN_INNER", "and although", ""),
        ("PAIR_NONE", "", ""),
        ("SINGLE_RELATIVE", "", ""),
    ],
)
def test_three_phenomena_are_frequent(discourse_type: str, connective: str, expected: str) -> None:
    assert frequent_phenomenon(discourse_type, connective) == expected


@given(
    st.dictionaries(st.sampled_from([*FREQUENT, ""]), st.integers(1, 10**9)), st.floats(0.01, 0.33)
)
def test_no_phenomenon_exceeds_its_share_or_is_cut_more(
    counts: dict[str, int], most: float
) -> None:
    shares = kept_shares(Counter(counts), most)
    left = {name: number * shares.get(name, 1) for name, number in counts.items()}
    total = sum(left.values())
    assert all(left[name] <= most * total * (1 + 1e-6) for name in shares)
    assert all(
        left[name] >= most * total * (1 - 1e-6) for name, share in shares.items() if share < 1
    )
