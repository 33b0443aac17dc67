"""Files of rows that a command writes: JSON lines, CSV or Parquet, by the ending of the name."""

import csv
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from bitext_pivot.core import text_files
from bitext_pivot.core.reading.row_files import SEPARATOR
from bitext_pivot.core.storage import atomic
from bitext_pivot.corpus.formats import json_line

_AT_ONCE = 5_000
"""Rows of a group of Parquet, which are held in memory."""
_FIRST = ("line", "rejected_by", "problem")
"""Columns with which a line of CSV begins."""
OUTPUTS = pa.schema([("line", pa.int64()), ("source", pa.string()), ("output", pa.string())])
"""Columns of the outputs of a model."""
Write = Callable[[Mapping[str, Any]], None]


@contextmanager
def open_row_writer(path: Path, columns: pa.Schema) -> Iterator[Write]:
    """Create a file of rows, compressed by its ending if it is text, and yield what writes a row.

    `columns`: those of Parquet and CSV; JSON has those that a row has. Raises ShardError if it cannot be
    written.
    """
    ending = text_files.extension(path)
    with atomic.replacing(path) as partial:
        if ending == ".parquet":
            with pq.ParquetWriter(partial, columns) as file:
                yield from _batches(file, columns)
            return
        with text_files.created(partial, path) as out:
            if ending == ".csv":
                yield _csv(out, columns)
            else:
                yield lambda row: print(json_line(row), file=out)


def _batches(file: pq.ParquetWriter, columns: pa.Schema) -> Iterator[Write]:
    waiting: list[Mapping[str, Any]] = []

    def flush() -> None:
        file.write_batch(pa.RecordBatch.from_pylist(waiting, columns))
        waiting.clear()

    def write(row: Mapping[str, Any]) -> None:
        waiting.append(row)
        if len(waiting) == _AT_ONCE:
            flush()

    yield write
    flush()


def _csv(out: Any, columns: pa.Schema) -> Write:
    """Write the header and return what writes a line: `split` as one text, other lists and groups as JSON."""
    first = [name for name in _FIRST if name in columns.names]
    names = [*first, *(name for name in columns.names if name not in first)]
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(names)

    def cell(name: str, value: Any) -> Any:
        if name == "split" and value:
            return f" {SEPARATOR} ".join(value)
        if isinstance(value, list | dict):
            return json_line(value)
        return value

    return lambda row: lines.writerow([cell(name, row.get(name)) for name in names])
