"""Lines of JSON made a column at a time are those made row by row."""

import json
from typing import Any

import orjson
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from corpus.json_lines import dictionaries, json_line, json_lines

_SCHEMA = pa.schema([
    ("id", pa.string()), ("count", pa.int64()), ("flag", pa.bool_()), ("share", pa.float64()),
    ("texts", pa.list_(pa.string())), ("numbers", pa.list_(pa.int64())),
    ("scores", pa.struct([("a b", pa.float64()), ('"', pa.float64())])),
    ("link", pa.list_(pa.struct([("name", pa.string()), ("value", pa.string())]))),
])  # fmt: skip
_TEXT = st.text(max_size=8) | st.sampled_from(
    ['a"b\\', "\x00\x1f\x7f", "one\u2028two", "\u2029", "three\x85", ",", "}\n{", "🐱e\u0301"]
)
_FLOAT = st.floats(allow_nan=False, allow_infinity=False)
_LINK = st.builds(lambda name, value: {"name": name, "value": value}, _TEXT, _TEXT)
_ROWS = st.lists(
    st.fixed_dictionaries({
        "id": st.none() | _TEXT,
        "count": st.none() | st.integers(-(2**63), 2**63 - 1),
        "flag": st.none() | st.booleans(),
        "share": st.none() | _FLOAT,
        "texts": st.none() | st.lists(_TEXT, max_size=3),
        "numbers": st.none() | st.lists(st.integers(0, 9), max_size=2),
        "scores": st.none() | st.dictionaries(st.sampled_from(["a b", '"']), _FLOAT),
        "link": st.none() | st.lists(_LINK, max_size=2),
    }),
    max_size=5,
)  # fmt: skip


def in_order(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row, and its scores, in the order of the columns."""
    scores = row["scores"]
    ordered = scores and {name: scores[name] for name in ("a b", '"') if name in scores}
    return {name: ordered if name == "scores" else row[name] for name in _SCHEMA.names}


@given(_ROWS, st.integers(0, 2))
def test_lines_are_those_of_each_row(rows: list[dict[str, Any]], start: int) -> None:
    batch = pa.RecordBatch.from_pylist(rows, _SCHEMA).slice(start)
    expected = [in_order(row) for row in rows[start:]]
    assert bytes(json_lines(batch)).decode() == "".join(f"{json_line(row)}\n" for row in expected)
    assert dictionaries(batch) == [orjson.loads(json_line(row)) for row in expected]


def test_scores_that_no_row_has_are_an_empty_object() -> None:
    columns = pa.schema([("id", pa.string()), ("scores", pa.struct([]))])
    batch = pa.RecordBatch.from_pylist([{"id": "a", "scores": {}}], columns)
    assert bytes(json_lines(batch)) == b'{"id":"a","scores":{}}\n'


def test_line_breaks_of_unicode_stay_in_their_line() -> None:
    line = json_line({"long": "a\u2028b\u2029c\x85d\ne"})
    assert len(line.splitlines()) == 1
    assert json.loads(line)["long"] == "a\u2028b\u2029c\x85d\ne"
