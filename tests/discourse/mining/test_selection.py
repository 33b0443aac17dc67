"""Selection of frequent markers: independent of the order of the rows, exact, with known numbers."""

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core.sampling import rank
from bitext_pivot.discourse.mining.selection import SelectionSettings, count_and_bound_markers

SETTINGS = SelectionSettings(min_count=3, max_count=5, per_marker=2)
rows_of = st.lists(
    st.tuples(st.sampled_from(["but", "sadly,", "[no-conn]"]), st.text(max_size=4)),
    max_size=60,
    unique=True,
)


@given(rows_of, st.randoms(use_true_random=False))
def test_the_smallest_ranks_of_frequent_markers_are_drawn(
    rows: list[tuple[str, str]], shuffle: random.Random
) -> None:
    counts, found = count_and_bound_markers(rows, SETTINGS)
    assert counts == Counter(marker for marker, _ in rows)
    for marker, number in counts.items():
        ranks = sorted(rank(id, 0) for name, id in rows if name == marker)
        assert found.get(marker) == (
            ranks[: SETTINGS.max_count][-1] if number >= SETTINGS.min_count else None
        )
    other = list(rows)
    shuffle.shuffle(other)
    assert count_and_bound_markers(other, SETTINGS) == (counts, found)


def test_of_many_rows_exactly_as_many_as_allowed_are_drawn() -> None:
    rows = [("but", f"row {n}") for n in range(5_000)]
    counts, found = count_and_bound_markers(rows, SelectionSettings(min_count=1, max_count=70))
    drawn = [id for marker, id in rows if rank(id, 0) <= found[marker]]
    assert counts["but"] == 5_000 and len(drawn) == 70
