"""Convert records to Arrow batches and back. The Arrow type of a record is derived from its type hints.

Only this file, shards.py and in corpus/ files.py, json_lines.py and schema.py import pyarrow.
"""

import dataclasses
import functools
import sys
import types
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, repeat
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

_PLAIN = {int: pa.int64(), float: pa.float64(), bool: pa.bool_(), str: pa.string()}


def schema(record: Any) -> pa.Schema:
    """Return the Arrow schema of a record class."""
    return pa.schema(list(_type(record)))


def batch(record: Any, records: Sequence[Any]) -> pa.RecordBatch:
    """Return records as columns. Raises pyarrow's exceptions for a text that cannot be stored."""
    columns = schema(record)
    arrays = [pa.array([_plain(getattr(item, column.name)) for item in records], column.type) for column in columns]
    return pa.RecordBatch.from_arrays(arrays, schema=columns)


def records(record: Any, batch: pa.RecordBatch) -> list[Any]:
    """Return the records of a batch, in order; tuples whose columns it does not have are empty."""
    return values(record, batch.to_struct_array())


def leaf(batch: pa.RecordBatch, name: str) -> pa.Array:
    """Return a field of all records of a batch, such as `scored.parsed.pair.id`; null in a record that is None."""
    return pc.struct_field(batch.to_struct_array(), name.split("."))


def element(lists: pa.Array, positions: pa.Array) -> pa.Array:
    """Return the element of each list at a position, null where the position is null."""
    return lists.values.take(pc.add(lists.offsets[:-1], positions))


def owners(lists: pa.Array) -> npt.NDArray[np.int64]:
    """Return the number of its list for each element of some lists."""
    return np.repeat(np.arange(len(lists)), np.diff(lists.offsets.to_numpy()))


def codes(words: pa.Array) -> tuple[list[str], npt.NDArray[np.int64]]:
    """Return the different words of an array without nulls, and for each word its number among them."""
    encoded = words.dictionary_encode()
    return encoded.dictionary.to_pylist(), encoded.indices.to_numpy().astype(np.int64)


def word_numbers(sides: Sequence[pa.Array]) -> tuple[int, list[npt.NDArray[np.int64]]]:
    """Return how many different words several arrays have, in lower case, and for each word its number among them."""
    encoded = pa.concat_arrays(sides).dictionary_encode()
    lowered = _lowered(encoded.dictionary).dictionary_encode()
    numbers = lowered.indices.to_numpy().astype(np.int64)[encoded.indices.to_numpy()]
    return len(lowered.dictionary), np.split(numbers, np.cumsum([len(side) for side in sides])[:-1])


def _lowered(words: pa.StringArray) -> pa.StringArray:
    """Return words as `str.lower` has them: Arrow's function for all of Unicode knows no final sigma."""
    is_other = pc.invert(pc.string_is_ascii(words))
    others = pa.array([word.lower() for word in words.filter(is_other).to_pylist()], pa.string())
    return pc.replace_with_mask(pc.ascii_lower(words), is_other, others)


def table(columns: Mapping[str, pa.Array], schema: pa.Schema) -> pa.RecordBatch:
    """Return the columns of a schema as a batch; others are left out."""
    return pa.RecordBatch.from_arrays([columns[column.name].cast(column.type) for column in schema], schema=schema)


def take(batch: pa.RecordBatch, rows: Sequence[int]) -> pa.RecordBatch:
    """Return some rows of a batch."""
    return batch.take(pa.array(rows, pa.int64()))


def without(batch: pa.RecordBatch, names: Sequence[str], pattern: str) -> pa.RecordBatch:
    """Return the rows in whose columns, texts or lists of texts, a regular expression of RE2 matches nowhere."""
    matches = (pc.match_substring_regex(_strings(batch[name], "\0"), pattern) for name in names)
    return batch.filter(pc.invert(functools.reduce(pc.or_, matches)))


def lines(columns: Sequence[Any], separator: str) -> pa.Buffer:
    """Return a line for each row: its columns separated by tabs, the texts of a list by `separator`."""
    if not len(columns[0]):
        return pa.py_buffer(b"")
    rows = pc.binary_join_element_wise(*(_strings(pa.array(column), separator) for column in columns), "\t")
    return content(pc.binary_join_element_wise(rows, "\n", ""))


def content(strings: pa.StringArray) -> pa.Buffer:
    """Return the texts of a whole array, one behind the other."""
    first, last = strings.offset, strings.offset + len(strings)
    _, offsets, texts = strings.buffers()
    begin, end = np.frombuffer(offsets, np.int32)[[first, last]].tolist()
    return texts.slice(begin, end - begin)


def _strings(array: pa.Array, separator: str) -> pa.StringArray:
    return pc.binary_join(array, separator) if pa.types.is_list(array.type) else array.cast(pa.string())


def texts(array: pa.Array) -> list[str]:
    """Return the texts of an array, those of a list joined by spaces."""
    return list(_strings(array, " ").to_pylist())


def equal(left: pa.Array, right: pa.Array) -> pa.Array:
    """Return whether two values are equal, False if one is null."""
    return pc.fill_null(pc.equal(left, right), False)


def chosen(flags: pa.Array, yes: pa.Array, no: pa.Array) -> pa.Array:
    """Return a value of `yes` where the flag is true, else of `no`."""
    return pc.if_else(flags, yes, no)


def filled(lists: pa.Array) -> pa.Array:
    """Return lists, empty ones in the place of null."""
    return pc.if_else(lists.is_valid(), lists, pa.scalar([], lists.type)) if lists.null_count else lists


def singletons(values: pa.Array) -> pa.Array:
    """Return a list of each value, an empty one for null."""
    offsets = np.concatenate([[0], np.cumsum(values.is_valid().to_numpy(zero_copy_only=False))])
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), values.drop_null())


def entries(maps: pa.Array, names: tuple[str, str]) -> pa.Array:
    """Return maps as lists of structs whose two fields have these names, empty lists for null."""
    offsets = maps.offsets.to_numpy()
    first, last = offsets[[0, -1]]
    structs = pa.StructArray.from_arrays([maps.keys[first:last], maps.items[first:last]], names)
    return pa.ListArray.from_arrays(pa.array(offsets - first, pa.int32()), structs)


def struct(maps: pa.Array, fields: pa.StructType, digits: int) -> pa.Array:
    """Return maps from names to numbers as structs of rounded numbers, null where a map has no such name."""
    if not len(fields):
        return pa.array([{}] * len(maps), fields)
    first, last = maps.offsets.to_numpy()[[0, -1]]
    words, numbers = codes(maps.keys[first:last])
    indices = np.array([fields.get_field_index(word) for word in words], dtype=np.int64)[numbers]
    is_field = indices >= 0
    where = indices[is_field], owners(maps)[is_field]
    values, is_missing = np.zeros((len(fields), len(maps))), np.ones((len(fields), len(maps)), bool)
    values[where], is_missing[where] = _rounded(maps.items[first:last].to_numpy()[is_field], digits), False
    columns = [pa.array(column, mask=missing) for column, missing in zip(values, is_missing, strict=True)]
    return pa.StructArray.from_arrays(columns, fields=list(fields))


def _rounded(values: npt.NDArray[np.float64], digits: int) -> npt.NDArray[np.float64]:
    """Return the values as `round` does; numpy multiplies first, so that it may take 0.97111749999 for a tie."""
    rounded = np.round(values, digits)
    may_be_tied = np.abs(np.abs(values - rounded) * 10**digits - 0.5) < 1e-6
    rounded[may_be_tied] = [round(value, digits) for value in values[may_be_tied].tolist()]
    return rounded


def plain(array: pa.Array) -> list[Any]:
    """Return the values of an array, of lists as lists and of maps as lists of pairs; those of null are empty."""
    if pa.types.is_list(array.type):
        return _cut(list, array, array.flatten().to_pylist())
    if pa.types.is_map(array.type):
        rows = slice(array.offsets[0].as_py(), array.offsets[-1].as_py())
        return _cut(list, array, list(zip(array.keys[rows].to_pylist(), array.items[rows].to_pylist(), strict=True)))
    return list(array.to_pylist())


@functools.cache
def _type(hint: Any) -> pa.DataType:
    origin, args = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return _PLAIN[hint]
    if origin is Literal:
        return pa.string()
    if origin in {Union, types.UnionType}:
        return _type(_present(args))
    if origin in {tuple, list}:
        return pa.list_(_type(args[0]))
    if origin is dict:
        return pa.map_(*map(_type, args))
    return pa.struct([(name, _type(inner)) for name, inner in get_type_hints(hint).items()])


def _present(args: tuple[Any, ...]) -> Any:
    """Return the member of an optional type that is not None."""
    return next(arg for arg in args if arg is not type(None))


def _plain(value: Any) -> Any:
    """Return a record as a dictionary, and the records in it."""
    if names := _names(value.__class__):
        return {name: _plain(getattr(value, name)) for name in names}
    if isinstance(value, tuple) and value and _names(value[0].__class__):
        return [_plain(member) for member in value]
    return list(value.items()) if isinstance(value, dict) else value


@functools.cache
def _names(record: Any) -> tuple[str, ...]:
    """Return the fields of a class of records, none of another class."""
    return tuple(field.name for field in dataclasses.fields(record)) if dataclasses.is_dataclass(record) else ()


def values(hint: Any, array: pa.Array) -> list[Any]:
    """Return the values of an array, one column at a time: eight times as fast as Arrow's conversion to rows."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in {Union, types.UnionType}:
        present = iter(values(_present(args), array.drop_null()))
        return [next(present) if valid else None for valid in array.is_valid().to_pylist()]
    if origin is tuple:
        return _cut(tuple, array, _words(array.flatten()) if args[0] is str else values(args[0], array.flatten()))
    if origin is dict:
        rows = slice(array.offsets[0].as_py(), array.offsets[-1].as_py())
        return _cut(dict, array, list(zip(_words(array.keys[rows]), values(args[1], array.items[rows]), strict=True)))
    if hint in _PLAIN or origin is Literal:
        return list(array.to_pylist())
    hints = get_type_hints(hint)
    columns = {field.name: column for field, column in zip(array.type, array.flatten(), strict=True)}
    fields = [values(inner, columns[name]) if name in columns else repeat(()) for name, inner in hints.items()]
    return [hint(**dict(zip(hints, row, strict=True))) for row in zip(*fields, strict=False)]


def _words(array: pa.Array) -> list[str]:
    """Return words and labels, which recur: each is in memory once."""
    encoded = array.dictionary_encode()
    words = [sys.intern(word) for word in encoded.dictionary.to_pylist()]
    return [words[n] for n in encoded.indices.to_pylist()]


def _cut(make: Callable[[Any], Any], lists: pa.Array, values: list[Any]) -> list[Any]:
    """Return the lists of an Arrow array, given the values of all of them."""
    offsets = (lists.offsets.to_numpy() - lists.offsets[0].as_py()).tolist()
    return [make(values[start:end]) for start, end in pairwise(offsets)]
