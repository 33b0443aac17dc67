"""Shards: Parquet files of one record type, written so that a shard that exists is complete.

How a file is written whole or not at all: pairs/atomic.py. The Arrow schema is derived from the record's type hints.
This is the only file that imports pyarrow.
"""

import dataclasses
import functools
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import pyarrow as pa
import pyarrow.parquet as pq

from pairs import atomic
from pairs.errors import ShardError

Record = TypeVar("Record")
_PLAIN = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
_ROWS_AT_ONCE = 1_000


def schema(record: Any) -> pa.Schema:
    """Return the Arrow schema of a record class."""
    return _schema(record)


@functools.cache
def _schema(record: Any) -> pa.Schema:
    return pa.schema([pa.field(name, _arrow(hint)) for name, hint in _hints(record).items()])


def write(path: Path, record: type[Record], records: Iterable[Record], facts: Mapping[str, Any] | None = None) -> int:
    """Write records to `path` atomically, with `<path>.json` telling rows, sha256 and `facts`; return the rows.

    Raises ShardError when the disk is full or a text cannot be stored; then neither file exists.
    """
    with atomic.replacing(path) as partial:
        try:
            rows = _write(partial, record, records)
        except pa.ArrowException as error:
            raise OSError(str(error)) from error
        said = {"rows": rows, "sha256": atomic.sha256(partial), **(facts or {})}
        atomic.write_json(atomic.manifest(path), said)
    return rows


def _write(path: Path, record: type[Record], records: Iterable[Record]) -> int:
    rows = 0
    with pq.ParquetWriter(path, schema(record), compression="zstd") as writer:
        for batch in _batches(records):
            writer.write_table(pa.Table.from_pylist(batch, schema=schema(record)))
            rows += len(batch)
    return rows


def read(path: Path, record: type[Record]) -> Iterator[Record]:
    """Yield the records of a shard in the order they were written; raises ShardError when it is damaged."""
    kind: Any = record
    build = _builder(kind)
    try:
        with path.open("rb") as file:
            for batch in pq.ParquetFile(file).iter_batches(batch_size=_ROWS_AT_ONCE):
                yield from map(build, batch.to_pylist())
    except (pa.ArrowException, OSError) as error:
        raise ShardError(
            f"{path} cannot be read as a shard of {record.__name__} ({error}). "
            "Delete it and run again: it alone will be built anew."
        ) from error


def _batches(records: Iterable[Record]) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    for record in records:
        batch.append(_plain(record))
        if len(batch) == _ROWS_AT_ONCE:
            yield batch
            batch = []
    if batch:
        yield batch


def _plain(value: Any) -> Any:
    """Turn a record into dicts and lists; maps become lists of entries, as Arrow wants them."""
    if _is_record(value):
        record: Any = type(value)
        return {name: _plain(getattr(value, name)) for name in _fields(record)}
    if isinstance(value, tuple):
        return [_plain(item) for item in value] if value and _is_record(value[0]) else list(value)
    return list(value.items()) if isinstance(value, dict) else value


def _is_record(value: Any) -> bool:
    return hasattr(value, "__dataclass_fields__")


@functools.cache
def _fields(record: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(record))


def _hints(record: Any) -> dict[str, Any]:
    hints = get_type_hints(record)
    return {name: hints[name] for name in _fields(record)}


def _arrow(hint: Any) -> pa.DataType:
    origin, args = get_origin(hint), get_args(hint)
    if hint in _PLAIN:
        return _PLAIN[hint]
    if origin is Literal:
        return pa.string()
    if origin in (Union, types.UnionType):
        return _arrow(next(arg for arg in args if arg is not type(None)))
    if origin is tuple:
        return pa.list_(_arrow(args[0]))
    if origin is dict:
        return pa.map_(_arrow(args[0]), _arrow(args[1]))
    return pa.struct(list(schema(hint)))


@functools.cache
def _builder(hint: Any) -> Callable[[Any], Any]:
    """Return the function that makes a value of this type from what Arrow gives back."""
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        build = _builder(next(arg for arg in args if arg is not type(None)))
        return lambda value: None if value is None else build(value)
    if origin is tuple:
        item = _builder(args[0])
        if args[0] is str:
            return lambda value: tuple(map(sys.intern, value))  # words and labels recur: a quarter of the memory
        return tuple if item is _same else lambda value: tuple(map(item, value))
    if origin is dict:
        return dict
    if _is_record(hint):
        fields = [(name, _builder(inner)) for name, inner in _hints(hint).items()]
        return lambda value: hint(**{name: build(value[name]) for name, build in fields})
    return _same


def _same(value: Any) -> Any:
    return value
