"""Shards: Parquet files of records, each with a manifest of its own in the footer, written atomically.

A shard that exists is complete. The footer ends with a seal: the SHA-256 of all other bytes of the file and of its
place, the names of its folder and of the file. So a damaged shard is noticed, and a copy in the place of another one,
but a shard can be moved to another data folder with all that it records.

The shards of one source are numbered: `Tiny-v1-00000.parquet`, `Tiny-v1-00001.parquet`. The manifest of the last one
says so.
"""

import functools
import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import count, islice
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import pyarrow as pa
import pyarrow.parquet as pq

from bitext_pivot.core.data_files import parse_json
from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.progress import warn
from bitext_pivot.core.storage import arrow, atomic, received
from bitext_pivot.core.untrusted import shown

_Record = TypeVar("_Record")
_Document = TypeVar("_Document")
_GROUP_ROWS = 1_000
"""Rows of a row group."""
_MANIFEST = b"bitext_pivot"
"""Name of the manifest in the footer."""
_SEAL = b"\nsha256 of all other bytes: "
"""Precedes the digest. JSON, which comes before it in the footer, contains no line break."""
_NO_DIGEST = b"0" * 64
_UNREADABLE = (pa.ArrowException, OSError, ValueError)
"""Errors of pyarrow for a damaged file; ValueError for a name that is not UTF-8."""


def write(
    path: Path,
    record: type[_Record],
    records: Iterable[_Record],
    facts: Mapping[str, Any] | None = None,
) -> None:
    """Write records to `path` atomically, with `facts` in the manifest.

    If the path exists, `find` has rejected the file, which is logged. Raises ShardError if the disk is full or a text
    cannot be stored; then the file does not exist.
    """
    if path.exists():
        warn(f"{_place(path)} was damaged, or written by another version: it is built again")
    with atomic.replacing(path) as partial:
        try:
            _write(partial, record, iter(records), facts or {})
        except pa.ArrowException as error:
            raise OSError(str(error)) from error
        partial.write_bytes(sealed(path, partial.read_bytes()))


def _write(path: Path, record: Any, records: Iterator[Any], facts: Mapping[str, Any]) -> None:
    schema = arrow.schema(record)
    with arrow.arrow_writer(path, schema) as writer:
        while group := [*islice(records, _GROUP_ROWS)]:
            writer.write_batch(arrow.batch(record, group))
        manifest = json.dumps(facts, sort_keys=True)
        writer.add_key_value_metadata({_MANIFEST: manifest, "seal": _SEAL + _NO_DIGEST})


def sealed(path: Path, content: bytes) -> bytes:
    """Return the content of a shard with its seal: the digest of its place and of all other bytes."""
    start, seal, end = content.rpartition(_SEAL)
    end = end[len(_NO_DIGEST) :]
    digest = hashlib.sha256(f"{_place(path)}\n".encode() + start + seal + end)
    return start + seal + digest.hexdigest().encode() + end


def _place(path: Path) -> str:
    return f"{path.parent.name}/{path.name}"


def names(paths: Iterable[Path]) -> list[str]:
    """Return the names of shards with their folders, which change with everything that made them."""
    return [*map(_place, paths)]


def find(path: Path) -> dict[str, Any] | None:
    """Return the manifest of a shard; None if the shard is missing, damaged, or a copy from another place.

    The manifest has the facts that were written, and the number of `rows`. A process reads a shard once, and again when
    the file changes. Raises ShardError if `path` is not a file.
    """
    with suppress(FileNotFoundError, NotADirectoryError):
        return _find(path, atomic.version_of(path))
    return None


@functools.cache
def _find(path: Path, _version: object) -> dict[str, Any] | None:
    with received.opened(path) as file:
        content = file.read()
    if content != sealed(path, content):
        return None
    with suppress(*_UNREADABLE, KeyError, TypeError):  # anybody can seal a file
        footer = pq.read_metadata(pa.BufferReader(content))
        return {**parse_json(footer.metadata[_MANIFEST].decode()), "rows": footer.num_rows}
    return None


def read_manifest(path: Path) -> dict[str, Any]:
    """Return the manifest of a shard as `find` does; raises ShardError if there is none."""
    if (manifest := find(path)) is None:
        raise ShardError(f"{path} is missing or damaged. Run again: only this shard will be built.")
    return manifest


def read(path: Path, record: type[_Record], without: Collection[str] = ()) -> Iterator[_Record]:
    """Yield the records of a shard in the order they were written. Raises ShardError if it is damaged.

    Tuples in fields named in `without`, at any depth, are not read and are empty.
    """
    for batch in _batches(path, record, without=without):
        yield from arrow.records(record, batch)


def part(path: Path, record: type, name: str) -> Iterator[Any]:
    """Yield one field of each record, such as `scored.parsed.pair`, without reading the others.

    Raises ShardError if the shard is damaged.
    """
    for batch in _batches(path, record, [name]):
        hint, values = record, batch.to_struct_array()
        for step in name.split("."):
            hint, values = get_type_hints(hint)[step], values.field(step)
        yield from arrow.values(hint, values)


def _batches(
    path: Path, record: Any, columns: list[str] | None = None, *, without: Collection[str] = ()
) -> Iterator[pa.RecordBatch]:
    if find(path) is None:
        raise ShardError(f"{path} is missing or damaged. Run again: only this shard will be built.")
    try:
        with received.opened(path) as file:
            shard = pq.ParquetFile(file, page_checksum_verification=True)
            if not shard.schema_arrow.equals(arrow.schema(record)):
                raise pa.ArrowInvalid("it has the columns of another record type")
            if without:
                leaves = [shard.schema.column(index).path for index in range(len(shard.schema))]
                columns = [leaf for leaf in leaves if not {*leaf.split(".")} & {*without}]
            yield from shard.iter_batches(batch_size=_GROUP_ROWS, columns=columns)
    except _UNREADABLE as error:
        path.unlink(missing_ok=True)  # its seal proves that this program wrote it: built again
        raise ShardError(
            f"{path} cannot be read as a shard of {record.__name__} ({shown(error)}). Run again: only this shard "
            "will be built."
        ) from error


def numbered(first: Path) -> Iterator[Path]:
    """Yield the paths of the shards of a source, without end, given the path of the first one."""
    source = first.stem.rpartition("-")[0]
    return (first.with_name(f"{source}-{number:05d}.parquet") for number in count())


def find_all(first: Path) -> list[Path] | None:
    """Return the shards of a source in order, None unless all exist as they were written."""
    paths = []
    for path in numbered(first):
        manifest = find(path)
        if manifest is None:
            return None
        paths.append(path)
        if manifest.get("is_last"):
            break
    return paths


def cut(
    documents: Iterable[_Document], shard_rows: int, size: Callable[[_Document], int]
) -> Iterator[tuple[list[_Document], bool]]:
    """Yield the documents of each shard, and True with the last one.

    A shard ends with the document in which it reaches `shard_rows`; `size` returns the rows of a document. A document
    without rows follows those before it, so that no later shard is empty.
    """
    shard: list[_Document] = []
    rows = 0
    for document in documents:
        if rows >= shard_rows and size(document):
            yield shard, False
            shard, rows = [], 0
        shard.append(document)
        rows += size(document)
    if shard:
        yield shard, True
