import json
from collections import Counter

import pytest
from factories import alignment as made
from hypothesis import given
from hypothesis import strategies as st

from alignments import statistics as module
from alignments.statistics import EDGES, LinkStatistics
from pairs.errors import ShardError
from pairs.records import Alignment


def of(*alignments: Alignment, **skips: int) -> LinkStatistics:
    return LinkStatistics.of(alignments, {"1-2": len(alignments), "1-1": 3}, skips)


def bins(statistics: LinkStatistics, measure: str) -> dict[float, int]:
    pairs = zip(EDGES[measure], statistics.lengths[measure], strict=True)
    return {edge: count for edge, count in pairs if count}


def test_lengths_go_into_the_bin_that_begins_at_or_below_them() -> None:
    found = of(made("a" * 39, "b" * 40, "c d e f"), made("a" * 19 + " " + "a" * 20, "b" * 5_000, ""))
    assert bins(found, "one, characters") == {20: 1, 40: 1}
    assert bins(found, "first of two, characters") == {40: 1, 1500: 1}
    assert bins(found, "second of two, characters") == {0: 2}
    assert bins(found, "one, tokens") == {0: 1, 2: 1}
    assert bins(found, "second of two, tokens") == {0: 1, 4: 1}
    assert bins(found, "one : two, characters") == {0.8: 1, 0: 1}


def test_numbers_are_rounded_to_two_digits_and_words_are_kept() -> None:
    values = ["0.8512", "0.85", "1234", "-0.0001", "-0", "nan", "inf", "1e400", "good"]
    found = of(*(made("a", "b", "c", score=value, id=value) for value in values))
    assert found.attributes == {
        "score": Counter({"0.85": 2, "1200": 1, "-0.0001": 1, "0": 1, "nan": 1, "inf": 1, "1e400": 1, "good": 1})
    }


def test_nothing_counted_is_nothing_added() -> None:
    some = of(made("a b", "c d", "e f", score="1"), duplicate=2)
    assert some + LinkStatistics() == LinkStatistics() + some == some
    assert LinkStatistics.of([], {}, {}) == LinkStatistics()
    assert LinkStatistics.of([], {"1-1": 0}, {"duplicate": 0}, {"cleaned: dash": 0}) == LinkStatistics()


_WORDS = st.lists(st.sampled_from(["a", "bcd", "é" * 30, "雨", "x" * 200, "12"]), max_size=8).map(" ".join)
_ATTRIBUTES = st.dictionaries(
    st.sampled_from(["score", "certainty", "id"]),
    st.one_of(st.floats(-5, 50).map(str), st.sampled_from(["good", "nan", "", "7"]), st.text(max_size=2)),
)
_ALIGNMENTS = st.lists(
    st.builds(lambda o, f, s, a: made(o, f, s, **a), _WORDS, _WORDS, _WORDS, _ATTRIBUTES), max_size=12
)
_COUNTS = st.dictionaries(st.sampled_from(["1-2", "2-1", "duplicate"]), st.integers(0, 9))


@given(_ALIGNMENTS, _ALIGNMENTS, _COUNTS, _COUNTS, st.integers(1, 6))
def test_the_statistics_of_the_whole_are_the_sum_of_the_parts(
    x: list[Alignment], y: list[Alignment], a: dict[str, int], b: dict[str, int], kept: int
) -> None:
    both = Counter(a) + Counter(b)
    before, module._MAX_VALUES = module._MAX_VALUES, kept  # few, so that values are dropped
    try:
        whole = LinkStatistics.of(x + y, both, both, both)
        assert LinkStatistics.of(x, a, a, a) + LinkStatistics.of(y, b, b, b) == whole
        assert LinkStatistics.of(y, b, b, b) + LinkStatistics.of(x, a, a, a) == whole
        assert all(len(values) <= kept for values in whole.attributes.values())
    finally:
        module._MAX_VALUES = before


@given(_ALIGNMENTS, _COUNTS)
def test_what_is_written_as_json_is_read_back(alignments: list[Alignment], counts: dict[str, int]) -> None:
    written = LinkStatistics.of(alignments, counts, counts, counts)
    assert LinkStatistics.read(json.loads(json.dumps(written.plain()))) == written


def test_memory_stays_flat_over_values_that_never_repeat() -> None:
    sizes = []

    def stream() -> object:
        for number in range(10_000):
            yield made("a", "b", "c", name=f"n{number}")
            sizes.append(number)

    found = LinkStatistics.of(stream(), {}, {})  # type: ignore[arg-type]
    assert len(found.attributes["name"]) == 500
    assert found.alignments == len(sizes) == 10_000


@pytest.mark.parametrize(
    "plain",
    [
        {},
        {"alignments": "many"},
        {**LinkStatistics().plain(), "lengths": {"one, characters": {"edges": [0, 1], "counts": [1, 2]}}},
        {**LinkStatistics().plain(), "lengths": {"one, letters": {"edges": [0], "counts": [1]}}},
        {**LinkStatistics().plain(), "lengths": {"one, tokens": {"edges": list(EDGES["one, tokens"]), "counts": [1]}}},
        {**LinkStatistics().plain(), "attributes": ["score"]},
    ],
)
def test_something_else_is_refused(plain: dict[str, object]) -> None:
    with pytest.raises(ShardError, match=r"no statistics of alignments of this version .*Delete the shard"):
        LinkStatistics.read(plain)


def test_the_page_has_a_table_a_group_and_a_bar_a_line() -> None:
    alignments = [made("a " * 30, "b " * 15, "c " * 12, certainty=str(n / 20), type="auto") for n in range(20)]
    page = LinkStatistics.of(alignments, {"1-2": 25, "1-1": 75}, {"duplicate": 4, "bad|link": 1}).markdown("Tiny/v1")
    lines = page.splitlines()
    assert lines[0] == "# Tiny/v1"
    assert "100 links, 20 alignments." in lines
    assert "| 1-1 | 75 | ███████████████ 75.0% |" in lines
    assert "| bad\\|link | 1 | ████ 20.0% |" in lines
    assert "| 60 up to 80 (median) | 20 | ████████████████████ 100.0% |" in lines
    assert "| auto | 20 | ████████████████████ 100.0% |" in lines
    assert "## attribute certainty" in lines
    assert "| 0 to 0.095 | 2 | ██ 10.0% |" in lines
    assert "## of those that stay" not in lines


def test_rows_count_everything_once() -> None:
    alignments = [made("a " * n, "b", "c", score=str(n)) for n in range(1, 60)]
    rows = LinkStatistics.of(alignments, {"1-2": 59}, {}, {"cleaned: dash": 7}).rows()
    sums: Counter[str] = Counter()
    for row in rows:
        sums[row.group] += row.number
    assert sums.pop("of those that stay") == 7
    assert set(sums.values()) == {59}
    assert {*EDGES, "links by shape", "attribute score"} == set(sums)


def test_equal_numbers_make_no_range() -> None:
    rows = of(*[made("a", "b", "c", score="1.0")] * 3).rows()
    assert [(row.name, row.number) for row in rows if row.group == "attribute score"] == [("1", 3)]


def test_an_empty_page_has_no_tables() -> None:
    assert LinkStatistics().markdown("Tiny/v1") == "# Tiny/v1\n\n0 links, 0 alignments.\n"
