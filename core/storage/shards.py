"""Shards are Parquet files of records. They are written atomically, so a shard that exists is complete.

A stage of a build, such as translation or parsing, writes the records of each corpus into one or more shards. The
shards of a corpus are numbered: `Tiny-v1-00000.parquet`, `Tiny-v1-00001.parquet` and so on. The manifest of the last
shard has `is_last`.

The footer of a shard contains its manifest, a JSON object, and a seal: the SHA-256 of all other bytes, of the file name
and of the folder name. The seal detects a damaged shard, and a shard that was copied over another. Folders of shards
can be moved to another data folder.
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
"""Number of rows in a Parquet row group."""
_MANIFEST = b"bitext_pivot"
"""Key of the manifest in the metadata of the footer."""
_SEAL = b"\nsha256 of all other bytes: "
"""The bytes before the digest of the seal. They cannot occur in the manifest, because JSON escapes line breaks."""
_NO_DIGEST = b"0" * 64
"""Placeholder for the digest of the seal until the file is complete."""
_UNREADABLE = (pa.ArrowException, OSError, ValueError)
"""Errors that pyarrow raises for a damaged file. ValueError means a column name that is not UTF-8."""


def write(
    path: Path,
    record: type[_Record],
    records: Iterable[_Record],
    facts: Mapping[str, Any] | None = None,
) -> None:
    """Write records of the class `record` into a shard, with `facts` in its manifest.

    The caller has checked with `find` that there is no valid shard, so an existing file is damaged, which is logged.
    Raises ShardError if the disk is full or a text cannot be stored. In this case no new file is left.
    """
    if path.exists():
        warn(
            f"{atomic.place_of(path)} was damaged, or written by another version: it is built again"
        )
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
    """Return the bytes of a shard with the correct digest in the seal, replacing any earlier digest."""
    start, seal, end = content.rpartition(_SEAL)
    end = end[len(_NO_DIGEST) :]
    digest = hashlib.sha256(f"{atomic.place_of(path)}\n".encode() + start + seal + end)
    return start + seal + digest.hexdigest().encode() + end


def names(paths: Iterable[Path]) -> list[str]:
    """Return the folder and file name of each shard, such as `judged-1a2b3c4d/Tiny-v1-00000.parquet`."""
    return [*map(atomic.place_of, paths)]


def find(path: Path) -> dict[str, Any] | None:
    """Return the manifest of a shard, or None if the shard is missing, damaged, or a copy from another place.

    The manifest contains the `facts` given to `write`, and the number of `rows`. It is cached until the file changes,
    so callers must not modify it. Raises ShardError if `path` is not a file.
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
    with suppress(*_UNREADABLE, KeyError, TypeError):  # the seal proves no origin
        footer = pq.read_metadata(pa.BufferReader(content))
        return {**parse_json(footer.metadata[_MANIFEST].decode()), "rows": footer.num_rows}
    return None


def read_manifest(path: Path) -> dict[str, Any]:
    """Return the manifest of a shard. Raises ShardError if the shard is missing, damaged or a copy."""
    if (manifest := find(path)) is None:
        raise ShardError(f"{path} is missing or damaged. Run again: only this shard will be built.")
    return manifest


def read(path: Path, record: type[_Record], without: Collection[str] = ()) -> Iterator[_Record]:
    """Yield the records of a shard in the order they were written. Raises ShardError if it is damaged.

    Fields that `without` names, at any depth, are not read; they must be tuples, and are empty in the records.
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
    read_manifest(path)
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
        # The seal was right, so this program wrote the file. An error with a number is a failure of the system.
        if getattr(error, "errno", None) is None:
            path.unlink(missing_ok=True)
        raise ShardError(
            f"{path} cannot be read as a shard of {record.__name__} ({shown(error)}). Run again: only this shard "
            "will be built."
        ) from error


def numbered(first: Path) -> Iterator[Path]:
    """Yield the path of each possible shard of a source, endlessly, beginning with `first`."""
    source = first.stem.rpartition("-")[0]
    return (first.with_name(f"{source}-{number:05d}.parquet") for number in count())


def find_all(first: Path) -> list[Path] | None:
    """Return the paths of all shards of a source in order, or None if a shard is missing or damaged.

    `first` is the path of its first shard.
    """
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
    """Divide documents into shards. Yield the documents of each shard, and True for the last shard.

    A shard ends with the document in which it reaches `shard_rows`. `size` returns the number of rows of a document. A
    document without rows never starts a new shard, so only the first shard can be empty.
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
