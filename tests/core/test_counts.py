"""Counts by path: sums in any order and cut, and back from JSON."""

import json

from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core.counts import Counts, sort_by_count

_PATHS = st.sampled_from(
    [("a",), ("b", "x"), ("b", "y"), ("c", "x", "1"), ("c", "x", "2"), ("c", "é", "1")]
)
_LISTS = st.lists(_PATHS, max_size=20)


@given(_LISTS, _LISTS)
def test_counts_of_the_whole_are_the_sum_of_parts(
    one: list[tuple[str, ...]], other: list[tuple[str, ...]]
) -> None:
    assert Counts(one) + Counts(other) == Counts(other) + Counts(one) == Counts([*one, *other])
    assert isinstance(Counts(one) + Counts(other), Counts)


@given(_LISTS)
def test_what_is_written_as_json_is_read_back(paths: list[tuple[str, ...]]) -> None:
    counts = Counts(paths)
    assert Counts.read(json.loads(json.dumps(counts.nested()))) == counts


def test_numbers_below_a_path_are_sums_by_the_next_name() -> None:
    counts = Counts({("c", "x", "2"): 3, ("c", "x", "1"): 2, ("c", "a"): 1, ("d",): 9})
    assert list(counts.below("c").items()) == [("a", 1), ("x", 5)]
    assert counts.below("c", "x") == {"1": 2, "2": 3}
    assert counts.below("d") == counts.below("nothing") == {}
    assert counts["no", "such", "path"] == 0


def test_the_commonest_come_first_then_by_name() -> None:
    assert sort_by_count({"b": 1, "c": 2, "a": 1}) == [("c", 2), ("a", 1), ("b", 1)]
