"""Columns that are made of other columns."""

import pyarrow as pa
from hypothesis import example, given
from hypothesis import strategies as st

from pairs.storage import arrow

_MAPS = st.lists(
    st.dictionaries(st.sampled_from("abc"), st.integers(-(10**9), 10**9).map(lambda n: n / 1e8) | st.floats(-9, 9))
)


@given(_MAPS)
@example([{"a": 0.9711175, "b": 0.95606145, "c": 1.0}, {}])  # ties, on which numpy's round differs
def test_scores_are_rounded_as_python_does_and_other_names_left_out(maps: list[dict[str, float]]) -> None:
    fields = pa.struct([("a", pa.float64()), ("b", pa.float64())])
    array = pa.array([list(one.items()) for one in [{"a": 9.0}, *maps]], pa.map_(pa.string(), pa.float64()))
    assert arrow.struct(array[1:], fields, digits=6).to_pylist() == [
        {name: round(one[name], 6) if name in one else None for name in "ab"} for one in maps
    ]


def test_the_texts_of_a_part_of_an_array_are_its_own() -> None:
    assert bytes(arrow.content(pa.array(["rain", "é", "", "snow"])[1:3])) == "é".encode()
