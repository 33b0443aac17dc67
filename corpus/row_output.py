"""Write files of rows for commands: JSON lines, CSV or Parquet, depending on the file extension."""

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
from bitext_pivot.core.storage.arrow import arrow_writer
from bitext_pivot.corpus.formats import json_line

_AT_ONCE = 5_000
"""Number of rows that are held in memory and written as one Parquet row group."""
_FIRST = ("line", "rejected_by", "problem")
"""Columns that come first in CSV."""
OUTPUTS = pa.schema([("line", pa.int64()), ("source", pa.string()), ("output", pa.string())])
"""Columns of a file with the outputs of a model."""
Write = Callable[[Mapping[str, Any]], None]


@contextmanager
def open_row_writer(path: Path, columns: pa.Schema) -> Iterator[Write]:
    """Create a file of rows and yield a function that writes a row.

    Text files are compressed according to their file extension. Parquet and CSV files have the given `columns`; a line
    of JSON has the columns of its row. Raises ShardError if the file cannot be written.
    """
    ending = text_files.extension(path)
    with atomic.replacing(path) as partial:
        if ending == ".parquet":
            with arrow_writer(partial, columns) as file:
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
    """Write the header of a CSV file and return a function that writes a row.

    The two sentences of `split` are written as one text with a separator, other lists as JSON.
    """
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
