"""Shards: Parquet files of one record type, written so that a shard that exists is complete.

A path is a `pathlib.Path`, or a `upath.UPath` of an object store, which has the same methods: there a shard is written
on this machine and put under its name in one request. The Arrow schema is derived from the record's type hints. This is
the only file that imports pyarrow.
"""

import dataclasses
import functools
import hashlib
import json
import os
import tempfile
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import pyarrow as pa
import pyarrow.parquet as pq

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
    with replacing(path) as partial:
        rows = 0
        with pq.ParquetWriter(partial, schema(record), compression="zstd") as writer:
            for batch in _batches(records):
                writer.write_table(pa.Table.from_pylist(batch, schema=schema(record)))
                rows += len(batch)
        digest = sha256(partial)
        write_json(manifest(path), {"rows": rows, "sha256": digest, **(facts or {})})
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


def manifest(path: Path) -> Path:
    """Return where the small JSON beside a shard lies."""
    return path.with_name(path.name + ".json")


def facts(path: Path) -> dict[str, Any]:
    """Return what the JSON beside a shard says: rows, sha256 and what the stage added."""
    return load_json(manifest(path))


def load_json(path: Path) -> dict[str, Any]:
    """Read a JSON object that `write_json` wrote; raises ShardError when it is missing or damaged."""
    try:
        loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ShardError(
            f"{path} cannot be read ({error}). Delete it and the file of the same name beside it, then run again."
        ) from error
    return loaded


def write_json(path: Path, value: Any) -> None:
    """Write JSON atomically, keys sorted, so that equal values are equal bytes."""
    write_text(path, json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically, in UTF-8."""
    with replacing(path) as partial:
        partial.write_text(text, encoding="utf-8", newline="\n")


class replacing:  # noqa: N801 -- reads as a verb: `with replacing(path) as partial`
    """A temporary name beside `path` that becomes `path` when the block ends well, and vanishes when it does not.

    The data reach the disk before the name does (fsync, rename, fsync of the folder), so a cut of power leaves either
    the whole file or none. For an object store the temporary file lies on this machine, and the store shows the object
    only when all of it has arrived. Raises ShardError when the file system or the store refuses (a full disk, a
    read-only folder).
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.here = isinstance(path, Path)
        folder = path.parent if self.here else Path(tempfile.gettempdir())
        self.partial = folder / f".{path.name}.{os.getpid()}-{id(self):x}.partial"

    def __enter__(self) -> Path:
        self.partial.parent.mkdir(parents=True, exist_ok=True)
        return self.partial

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        try:
            if error is None:
                self._publish()
        except OSError as failure:
            error = failure
        finally:
            self.partial.unlink(missing_ok=True)
        if isinstance(error, OSError | pa.ArrowException | UnicodeEncodeError):
            raise ShardError(
                f"{self.path} cannot be written ({error}). Nothing half-written is left; free space or "
                "mend the folder and run again: what is built stays built."
            ) from error

    def _publish(self) -> None:
        if not self.here:
            _put(self.partial, self.path)
            return
        _sync(self.partial)
        self.partial.replace(self.path)
        _sync(self.path.parent)


def _put(file: Path, path: Any) -> None:
    """Copy a file of this machine to its name in an object store, at once; raises OSError whatever the store raises."""
    store = path.fs  # an ImportError here says which package is missing
    try:
        store.put_file(str(file), path.path)
    except OSError:
        raise
    except Exception as error:  # the client of every store has errors of its own
        raise OSError(f"{type(error).__name__}: {error}") from error


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


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
        return tuple if item is _same else lambda value: tuple(map(item, value))
    if origin is dict:
        return dict
    if _is_record(hint):
        fields = [(name, _builder(inner)) for name, inner in _hints(hint).items()]
        return lambda value: hint(**{name: build(value[name]) for name, build in fields})
    return _same


def _same(value: Any) -> Any:
    return value
