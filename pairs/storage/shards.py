"""Shards: Parquet files of one record type, written so that a shard that exists is complete.

How a file is written whole or not at all: pairs/storage/atomic.py. How records become columns: pairs/storage/arrow.py.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from pairs.errors import ShardError
from pairs.storage import arrow, atomic

Record = TypeVar("Record")
_ROWS_AT_ONCE = 1_000


def write(path: Path, record: type[Record], records: Iterable[Record], facts: Mapping[str, Any] | None = None) -> int:
    """Write records to `path` atomically, with `<path>.json` telling rows, sha256 and `facts`; return the rows.

    Raises ShardError when the disk is full or a text cannot be stored; then neither file exists.
    """
    try:
        with atomic.replacing(path) as partial:
            try:
                rows = _write(partial, record, records)
            except pa.ArrowException as error:
                raise OSError(str(error)) from error
            said = {"rows": rows, "sha256": atomic.sha256(partial), **(facts or {})}
            atomic.write_json(atomic.manifest(path), said)
    except ShardError:
        atomic.manifest(path).unlink(missing_ok=True)  # the shard did not get its name
        raise
    return rows


def _write(path: Path, record: Any, records: Iterable[Any]) -> int:
    rows, left = 0, iter(records)
    with pq.ParquetWriter(path, arrow.schema(record), compression="zstd", write_page_checksum=True) as writer:
        while some := list(islice(left, _ROWS_AT_ONCE)):
            writer.write_batch(arrow.batch(record, some))
            rows += len(some)
    return rows


def find(path: Path) -> dict[str, Any] | None:
    """Return the manifest of a complete shard, None when the shard or its manifest is missing or damaged."""
    return atomic.find_json(atomic.manifest(path)) if path.exists() else None


def read(path: Path, record: type[Record]) -> Iterator[Record]:
    """Yield the records of a shard in the order they were written; raises ShardError when it is damaged."""
    for batch in _batches(path, record):
        yield from arrow.records(record, batch)


def _batches(path: Path, record: Any) -> Iterator[pa.RecordBatch]:
    try:
        with path.open("rb") as file:
            shard = pq.ParquetFile(file, page_checksum_verification=True)
            if not shard.schema_arrow.equals(arrow.schema(record)):
                raise pa.ArrowInvalid("its columns are those of another kind of record")
            rows = 0
            for batch in shard.iter_batches(batch_size=_ROWS_AT_ONCE):
                rows += batch.num_rows
                yield batch
            if rows != shard.metadata.num_rows:  # a damaged page header can end a column early
                raise pa.ArrowInvalid(f"{rows} of {shard.metadata.num_rows} rows can be read")
    except (pa.ArrowException, OSError) as error:
        raise ShardError(
            f"{path} cannot be read as a shard of {record.__name__} ({error}). "
            "Delete it and run again: it alone will be built anew."
        ) from error
