"""Rows of an Arrow batch as lines of JSON, made a column at a time."""

from itertools import chain
from typing import Any

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc

from pairs.storage import arrow

_ESCAPED = r'["\\\x00-\x1f\x{85}\x{2028}\x{2029}]'
"""Characters that JSON escapes, and line breaks of Unicode, escaped so that every reader agrees on lines."""


def json_line(row: Any) -> str:
    """Return one line of JSON; line breaks of Unicode stay escaped so that every reader agrees on lines."""
    text = orjson.dumps(row).decode()
    return text.replace("\x85", "\\u0085").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def json_lines(batch: pa.RecordBatch) -> pa.Buffer:
    """Return a line for each row, as `json_line` writes it; members of a struct that are null are left out."""
    if not len(batch):
        return pa.py_buffer(b"")
    names = [f"{',' if index else '{'}{json_line(name)}:" for index, name in enumerate(batch.schema.names)]
    members = chain.from_iterable(zip(names, map(_json, batch), strict=True))
    lines = _joined(*members, "}\n")
    return arrow.content(lines)


def dictionaries(batch: pa.RecordBatch) -> list[dict[str, Any]]:
    """Return the rows as `json_lines` would write them."""
    return [orjson.loads(line) for line in bytes(json_lines(batch)).splitlines()]


def _json(array: pa.Array) -> pa.Array:
    """Return the JSON of each value."""
    return pc.fill_null(_present(array), "null")


def _present(array: pa.Array) -> pa.Array:
    """Return the JSON of each value, null for null."""
    for is_kind, make in _KINDS:
        if is_kind(array.type):
            return make(array)
    return _numbers(array)


def _strings(array: pa.Array) -> pa.Array:
    quoted = _joined('"', array, '"')
    is_escaped = pc.match_substring_regex(array, _ESCAPED)
    if not pc.any(is_escaped).as_py():
        return quoted
    texts = map(json_line, array.filter(is_escaped).to_pylist())
    return pc.replace_with_mask(quoted, pc.fill_null(is_escaped, False), pa.array(texts, pa.string()))


def _lists(array: pa.Array) -> pa.Array:
    lengths = pc.fill_null(pc.list_value_length(array), 0).to_numpy()
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), _json(array.flatten()))
    return _if_valid(array, _joined("[", pc.binary_join(lists, ","), "]"))


def _structs(array: pa.Array) -> pa.Array:
    if not array.type.num_fields:
        return _if_valid(array, pa.repeat("{}", len(array)))
    members = (
        _joined(f"{json_line(field.name)}:", _present(member), ",")
        for field, member in zip(array.type, array.flatten(), strict=True)
    )
    present = pc.binary_join_element_wise(*members, "", null_handling="replace", null_replacement="")
    return _if_valid(array, _joined("{", pc.ascii_rtrim(present, ","), "}"))


def _numbers(array: pa.Array) -> pa.Array:
    valid = array.drop_null().to_numpy(zero_copy_only=False)
    text = orjson.dumps(valid, option=orjson.OPT_SERIALIZE_NUMPY).decode()[1:-1]
    numbers = pc.split_pattern(pa.array([text] if text else [], pa.string()), ",").flatten()
    return pc.replace_with_mask(pa.nulls(len(array), pa.string()), array.is_valid(), numbers)


def _if_valid(array: pa.Array, strings: pa.Array) -> pa.Array:
    return pc.if_else(array.is_valid(), strings, None) if array.null_count else strings


def _joined(*parts: Any) -> pa.Array:
    return pc.binary_join_element_wise(*parts, "")


_KINDS = ((pa.types.is_string, _strings), (pa.types.is_list, _lists), (pa.types.is_struct, _structs))
