"""Shards: Parquet files of one record type, written atomically, so that a shard that exists is complete."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

import pyarrow as pa
import pyarrow.parquet as pq

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.storage import arrow, atomic

Record = TypeVar("Record")
_ROWS_AT_ONCE = 1_000
"""Rows of a row group."""


def write(path: Path, record: type[Record], records: Iterable[Record], facts: Mapping[str, Any] | None = None) -> int:
    """Write records to `path` atomically; return the number of rows.

    The manifest `<path>.json` has rows, sha256 and `facts`. Raises ShardError if the disk is full or a text cannot be
    stored; then neither file exists.
    """
    try:
        with atomic.replacing(path) as partial:
            try:
                rows = _write(partial, record, records)
            except pa.ArrowException as error:
                raise OSError(str(error)) from error
            manifest = {"rows": rows, "sha256": atomic.sha256(partial), **(facts or {})}
            atomic.write_json(atomic.manifest_path(path), manifest)
    except ShardError:
        atomic.manifest_path(path).unlink(missing_ok=True)  # the shard was not renamed
        raise
    return rows


def _write(path: Path, record: Any, records: Iterable[Any]) -> int:
    rows, remaining = 0, iter(records)
    with pq.ParquetWriter(path, arrow.schema(record), compression="zstd", write_page_checksum=True) as writer:
        while batch := list(islice(remaining, _ROWS_AT_ONCE)):
            writer.write_batch(arrow.batch(record, batch))
            rows += len(batch)
    return rows


def find(path: Path) -> dict[str, Any] | None:
    """Return the manifest of a complete shard; None if the shard or its manifest is missing or damaged."""
    return atomic.find_json(atomic.manifest_path(path)) if path.exists() else None


def read(path: Path, record: type[Record], without: Collection[str] = ()) -> Iterator[Record]:
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
    try:
        with path.open("rb") as file:
            shard = pq.ParquetFile(file, page_checksum_verification=True)
            if not shard.schema_arrow.equals(arrow.schema(record)):
                raise pa.ArrowInvalid("it has the columns of another record type")
            if without:
                leaves = [shard.schema.column(number).path for number in range(len(shard.schema))]
                columns = [leaf for leaf in leaves if not {*leaf.split(".")} & {*without}]
            rows, expected = 0, shard.metadata.num_rows
            for batch in shard.iter_batches(batch_size=_ROWS_AT_ONCE, columns=columns):
                rows += batch.num_rows
                yield batch
            if rows != expected:  # a damaged page header can end a column early
                raise pa.ArrowInvalid(f"{rows} of {expected} rows can be read")
    except (pa.ArrowException, OSError) as error:
        raise ShardError(
            f"{path} cannot be read as a shard of {record.__name__} ({error}). "
            "Delete it and run again: only this shard will be built."
        ) from error
