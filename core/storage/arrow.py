"""Convert records (dataclasses) to Arrow record batches and back. Type hints determine the Arrow types."""

import dataclasses
import functools
import sys
import types
from collections.abc import Callable, Sequence
from itertools import pairwise, repeat
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pyarrow as pa
import pyarrow.parquet as pq

_PLAIN = {int: pa.int64(), float: pa.float64(), bool: pa.bool_(), str: pa.string()}


def schema(record: Any) -> pa.Schema:
    """Return the Arrow schema of a record class."""
    return pa.schema(list(_type(record)))


def arrow_writer(path: Path, columns: pa.Schema, **options: Any) -> pq.ParquetWriter:
    """Open a Parquet file for writing, compressed with Zstandard and with a checksum for each page."""
    return pq.ParquetWriter(path, columns, compression="zstd", write_page_checksum=True, **options)


def batch(record: Any, records: Sequence[Any]) -> pa.RecordBatch:
    """Return an Arrow batch with these records of the class `record`.

    Raises the exceptions of pyarrow for a text that cannot be stored.
    """
    columns = schema(record)
    arrays = [
        pa.array([_plain(getattr(item, column.name)) for item in records], column.type)
        for column in columns
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=columns)


def records(record: Any, batch: pa.RecordBatch) -> list[Any]:
    """Return the records of a batch in order. A tuple whose column is missing in the batch is empty."""
    return values(record, batch.to_struct_array())


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
    """Convert a record, and the records in it, to dictionaries."""
    if names := _names(value.__class__):
        return {name: _plain(getattr(value, name)) for name in names}
    if isinstance(value, tuple) and value and _names(value[0].__class__):
        return [_plain(member) for member in value]
    return list(value.items()) if isinstance(value, dict) else value


@functools.cache
def _names(record: Any) -> tuple[str, ...]:
    """Return the field names of a record class, or an empty tuple for any other class."""
    return (
        tuple(field.name for field in dataclasses.fields(record))
        if dataclasses.is_dataclass(record)
        else ()
    )


def values(hint: Any, array: pa.Array) -> list[Any]:
    """Return the values of an Arrow array, converted to the type `hint`.

    Converting by column is eight times as fast as Arrow's conversion by row.
    """
    origin, args = get_origin(hint), get_args(hint)
    if origin in {Union, types.UnionType}:
        present = iter(values(_present(args), array.drop_null()))
        return [next(present) if valid else None for valid in array.is_valid().to_pylist()]
    if origin is tuple:
        return _split_lists(
            tuple,
            array,
            _interned(array.flatten()) if args[0] is str else values(args[0], array.flatten()),
        )
    if origin is dict:
        rows = slice(array.offsets[0].as_py(), array.offsets[-1].as_py())
        return _split_lists(
            dict,
            array,
            list(zip(_interned(array.keys[rows]), values(args[1], array.items[rows]), strict=True)),
        )
    if hint in _PLAIN or origin is Literal:
        return list(array.to_pylist())
    hints = get_type_hints(hint)
    columns = {
        field.name: column for field, column in zip(array.type, array.flatten(), strict=True)
    }
    fields = [
        values(inner, columns[name]) if name in columns else repeat(())
        for name, inner in hints.items()
    ]
    return [hint(**dict(zip(hints, row, strict=True))) for row in zip(*fields, strict=False)]


def _interned(array: pa.Array) -> list[str]:
    """Return the strings of an array, such as words and labels. Equal strings share memory."""
    encoded = array.dictionary_encode()
    words = [sys.intern(word) for word in encoded.dictionary.to_pylist()]
    return [words[n] for n in encoded.indices.to_pylist()]


def _split_lists(make: Callable[[Any], Any], lists: pa.Array, values: list[Any]) -> list[Any]:
    """Divide the flat values of a ListArray among its rows, and return `make(values)` for each row."""
    offsets = (lists.offsets.to_numpy() - lists.offsets[0].as_py()).tolist()
    return [make(values[start:end]) for start, end in pairwise(offsets)]
