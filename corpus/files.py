"""Files of a data set, written in one pass in all formats: `pairs/train-00000.parquet`, `rejected/train-00000.jsonl`.

Memory holds `_BATCH` rows per open Parquet file.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

import pyarrow as pa
import pyarrow.parquet as pq

from corpus.formats import Files, TextFormat
from corpus.recipe import REJECTED
from pairs.storage import atomic

_BATCH = 5_000  # rows of a Parquet row group
Row = Mapping[str, Any]
_Write = Callable[[Row], bool]
"""Writes a row to a format; returns False for one that the format cannot hold."""


class DataFiles:
    """Writer of all files of a data set, each written atomically; use it as a context manager.

    Rejected rows are written in the formats with all columns only. Raises ShardError if a file cannot be written; the
    files that were open then do not exist.
    """

    def __init__(self, folder: Path, export: Files, schemas: Mapping[str, pa.Schema]) -> None:
        self.folder, self.export = folder, export
        self.schemas = schemas
        """Columns of the rows of each kind, in the order of the card."""
        self.rows: Counter[str] = Counter()
        """Rows of each file, by its path in the folder."""
        self.counts: Counter[str] = Counter()
        """Rows of each kind."""
        self.skipped: Counter[str] = Counter()
        """Rows that a format cannot hold, by reason."""
        self._parts: dict[tuple[str, str], _Part] = {}

    def write(self, kind: str, subset: str, row: Row) -> None:
        """Write a row to the files of its kind and subset (`train` ...)."""
        if (kind, subset) not in self._parts:
            self._parts[kind, subset] = _Part(self, kind, subset)
        self._parts[kind, subset].write(row)
        self.counts[kind] += 1

    def subsets(self, kind: str) -> list[str]:
        """Return the subsets with rows of a kind, in the order in which they began."""
        return [subset for part, subset in self._parts if part == kind]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        stack = ExitStack()
        for part in self._parts.values():
            stack.push(part.stack)
        stack.__exit__(*error)


class _Part:
    """The files of one kind and subset; the next ones begin after `file_rows` rows."""

    def __init__(self, files: DataFiles, kind: str, subset: str) -> None:
        self._files, self._kind, self._subset = files, kind, subset
        self._formats = [one for one in files.export.formats if kind != REJECTED or one in files.export.FULL]
        self._written = 0
        self._open: list[tuple[str, list[str], _Write]] = []
        self.stack = ExitStack()

    def write(self, row: Row) -> None:
        number, position = divmod(self._written, self._files.export.file_rows)
        if not position:
            self.stack.close()
            self._open = [self._opened(one, f"{self._kind}/{self._subset}-{number:05d}") for one in self._formats]
        self._written += 1
        for one, names, write in self._open:
            if write(row):
                for name in names:
                    self._files.rows[name] += 1
            else:
                self._files.skipped[f"not in the files of {one}: separator or line break in the text"] += 1

    def _opened(self, one: str, stem: str) -> tuple[str, list[str], _Write]:
        names = [stem + ending for ending in self._files.export.endings(one)]
        self._files.rows.update(dict.fromkeys(names, 0))
        paths = [self._files.folder / name for name in names]
        if one == "parquet":
            writer = _parquet(paths[0], self._files.schemas[self._kind])
        else:
            writer = _text(paths, self._files.export.text(one))
        return one, names, self.stack.enter_context(writer)


@contextmanager
def _parquet(path: Path, columns: pa.Schema) -> Iterator[_Write]:
    rows: list[Row] = []

    def write(row: Row | None) -> bool:
        if row is not None:
            rows.append(row)
        if len(rows) == _BATCH or row is None:
            writer.write_batch(pa.RecordBatch.from_pylist(rows, columns))
            rows.clear()
        return True

    with (
        atomic.replacing(path) as partial,
        pq.ParquetWriter(partial, columns, compression="zstd", write_page_checksum=True) as writer,
    ):
        yield write
        write(None)


@contextmanager
def _text(paths: Sequence[Path], one: TextFormat) -> Iterator[_Write]:
    """Yield what writes a row as one line to each file; files named `.zst` are compressed."""
    with ExitStack() as stack:
        partials = [stack.enter_context(atomic.replacing(path)) for path in paths]
        codecs = ["zstd" if path.suffix == ".zst" else None for path in paths]
        outs = [
            stack.enter_context(pa.output_stream(str(partial), compression=codec, buffer_size=2**20))
            for partial, codec in zip(partials, codecs, strict=True)
        ]

        for out in outs if one.header else ():
            out.write(f"{one.header}\n".encode())

        def write(row: Row) -> bool:
            is_accepted = one.accepts(row)
            for out, line in zip(outs, one.lines(row) if is_accepted else (), strict=is_accepted):
                out.write(f"{line}\n".encode())
            return is_accepted

        yield write
