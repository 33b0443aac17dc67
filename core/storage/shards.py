"""Shards: Parquet files of one record type, written atomically, so that a shard that exists is complete."""

import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import pyarrow as pa
import pyarrow.parquet as pq

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.progress import warn
from bitext_pivot.core.storage import arrow, atomic, received
from bitext_pivot.core.untrusted import shown

_Record = TypeVar("_Record")
_ROWS_AT_ONCE = 1_000
"""Rows of a row group."""


def write(
    path: Path,
    record: type[_Record],
    records: Iterable[_Record],
    facts: Mapping[str, Any] | None = None,
    *,
    begun: float | None = None,
) -> int:
    """Write records to `path` atomically; return the number of rows.

    The manifest `<path>.json` has rows, sha256, `facts`, and the seconds since the work was `begun`, a value of
    `time.monotonic`.
    A shard that is there already was damaged (`find`), which is logged. Raises ShardError if the disk is full
    or a text cannot be stored; then neither file exists.
    """
    if path.exists():
        warn(f"{path.parent.name}/{path.name} or its manifest was damaged: it is built again")
    try:
        with atomic.replacing(path) as partial:
            try:
                rows = _write(partial, record, records)
            except pa.ArrowException as error:
                raise OSError(str(error)) from error
            manifest = {
                "rows": rows,
                "sha256": atomic.sha256(partial),
                **(facts or {}),
            }
            if begun is not None:
                manifest["seconds"] = round(time.monotonic() - begun, 3)
            atomic.write_sealed(atomic.manifest_path(path), manifest)
    except ShardError:
        atomic.manifest_path(path).unlink(missing_ok=True)  # the shard was not renamed
        raise
    return rows


def _write(path: Path, record: Any, records: Iterable[Any]) -> int:
    rows, remaining = 0, iter(records)
    with pq.ParquetWriter(
        path, arrow.schema(record), compression="zstd", write_page_checksum=True
    ) as writer:
        while batch := list(islice(remaining, _ROWS_AT_ONCE)):
            writer.write_batch(arrow.batch(record, batch))
            rows += len(batch)
    return rows


def names(paths: Iterable[Path]) -> list[str]:
    """Return the names of shards with their folders, which change with everything that made them."""
    return [f"{path.parent.name}/{path.name}" for path in paths]


def find(path: Path) -> dict[str, Any] | None:
    """Return the manifest of a complete shard; None if the shard or its manifest is missing, damaged or another's."""
    manifest = atomic.find_sealed(atomic.manifest_path(path))
    return manifest if manifest and atomic.is_intact(path, manifest["sha256"]) else None


def read(path: Path, record: type[_Record], without: Collection[str] = ()) -> Iterator[_Record]:
    """Yield the records of a shard in the order they were written. Raises ShardError if it is damaged.

    Tuples in fields named in `without`, at any depth, are not read and are empty.
    """
    for batch in _batches(path, record, without=without):
        yield from arrow.records(record, batch)


def part(path: Path, record: type, name: str) -> Iterator[Any]:
    """Yield a field of each record, such as `scored.parsed.pair`, without reading the others.

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
        raise ShardError(
            f"{path} is missing, or not what was written. Run again: only this shard will be built."
        )
    try:
        with received.opened(path) as file:
            shard = pq.ParquetFile(file, page_checksum_verification=True)
            if not shard.schema_arrow.equals(arrow.schema(record)):
                raise pa.ArrowInvalid("it has the columns of another record type")
            if without:
                leaves = [shard.schema.column(number).path for number in range(len(shard.schema))]
                columns = [leaf for leaf in leaves if not {*leaf.split(".")} & {*without}]
            yield from shard.iter_batches(batch_size=_ROWS_AT_ONCE, columns=columns)
    except (
        pa.ArrowException,
        OSError,
        ValueError,
    ) as error:  # a name in the footer may be no UTF-8
        atomic.manifest_path(path).unlink(missing_ok=True)  # so that the next run builds it
        raise ShardError(
            f"{path} cannot be read as a shard of {record.__name__} ({shown(error)}). Run again: only this shard "
            "will be built."
        ) from error
