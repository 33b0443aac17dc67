"""Write the Parquet and JSON files of a data set, such as `pairs/train-00000.parquet`, in one pass.

Each file contains rows of one kind (such as `pairs` or `rejected`) and of one subset (such as `train`). Fewer than
`_BATCH` rows of each kind and subset are held in memory.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Self

import pyarrow as pa

from bitext_pivot.core.storage import atomic
from bitext_pivot.core.storage.arrow import arrow_writer
from bitext_pivot.corpus import reading
from bitext_pivot.corpus.division import SUBSETS
from bitext_pivot.corpus.formats import DataRow, ExportSettings, json_line

_BATCH = 5_000  # rows of a Parquet row group
_KIB = 1024
_PARQUET: Mapping[str, Any] = {
    "use_dictionary": False,  # a dictionary of texts would be one page, which every changed row changes
    "use_content_defined_chunking": {"min_chunk_size": 32 * _KIB, "max_chunk_size": 128 * _KIB},
    "write_page_index": True,
}
"""Options of the Parquet writer: the content decides where a data page ends. Most bytes then stay the same when a few
rows change, and a hub that stores equal chunks once only receives changed chunks."""
_Write = Callable[[Sequence[DataRow], pa.RecordBatch], None]
"""A function that writes rows to a file. It gets the same rows as mappings and as an Arrow batch."""


class DataSetFiles:
    """A context manager that writes the Parquet and JSON files of a data set, each atomically.

    The text formats are written from these files later (corpus/text_formats.py). Raises ShardError if a file cannot be
    written, and then discards all open files.
    """

    def __init__(
        self, folder: Path, export: ExportSettings, schemas: Mapping[str, pa.Schema]
    ) -> None:
        self.folder, self.export = folder, export
        self.schemas = schemas
        """Arrow schema of each kind of row, such as `pairs`, in the order in which the card lists the kinds."""
        self.rows: Counter[str] = Counter()
        """Number of rows in each file, by the path of the file relative to the folder."""
        self.bytes: Counter[tuple[str, str]] = Counter()
        """Size of the rows in memory, in bytes, as Arrow counts it, by kind of row and subset."""
        self._parts: dict[tuple[str, str], _OpenFiles] = {}

    def write(self, kind: str, subset: str, row: DataRow) -> None:
        """Write a row to the files of a kind of row, such as `pairs`, and a subset, such as `train`."""
        if (kind, subset) not in self._parts:
            self.begin(kind, subset)
        self._parts[kind, subset].write(row)

    def begin(self, kind: str, subset: str) -> None:
        """Create the first files of a kind of row and a subset. They may remain without rows."""
        self._parts[kind, subset] = _OpenFiles(self, kind, subset)

    def subsets(self, kind: str) -> list[str]:
        """Return the subsets that have files of this kind of row, in the order of `SUBSETS`."""
        return [subset for subset in SUBSETS if (kind, subset) in self._parts]

    def loaded_files(self, kind: str, subset: str) -> list[str]:
        """Return the files that `load_dataset` reads for a kind of row and a subset."""
        ending = self.export.extensions(self.export.loaded_format)[0]
        return [
            name
            for name in self.rows
            if name.startswith(f"{kind}/{subset}-") and name.endswith(ending)
        ]

    def read(
        self, kind: str, subsets: Sequence[str] = SUBSETS, columns: Sequence[str] | None = None
    ) -> Iterator[dict[str, Any]]:
        """Yield the rows of one kind from the finished files, in order."""
        for subset in subsets:
            for name in self.loaded_files(kind, subset):
                yield from reading.read_file(self.folder / name, columns)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: Any) -> None:
        stack = ExitStack()
        for part in self._parts.values():
            stack.push(part.stack)
        stack.__exit__(*error)


class _OpenFiles:
    """The files, one per format, to which rows of one kind (such as `pairs`) and subset are written.

    After `ExportSettings.file_rows` rows, they are closed and the next files are opened.
    """

    def __init__(self, files: DataSetFiles, kind: str, subset: str) -> None:
        self._files, self._kind, self._subset = files, kind, subset
        self._next_file = 0
        self._room = 0
        """Number of rows that still fit in the open files."""
        self._waiting: list[DataRow] = []
        self._open: list[tuple[str, _Write]] = []
        self.stack = ExitStack()
        self._begin()

    def write(self, row: DataRow) -> None:
        if not self._room:
            self._begin()
        self._waiting.append(row)
        self._room -= 1
        if len(self._waiting) == _BATCH:
            self._flush()

    def _begin(self) -> None:
        self.stack.close()
        stem = f"{self._kind}/{self._subset}-{self._next_file:05d}"
        self._open = [self._opened(name, stem) for name in self._files.export.full_formats]
        # Write the remaining rows before the files are closed.
        self.stack.push(lambda error, *_: None if error else self._flush())
        self._next_file, self._room = self._next_file + 1, self._files.export.file_rows

    def _flush(self) -> None:
        if not self._waiting:
            return
        rows, self._waiting = self._waiting, []
        batch = pa.RecordBatch.from_pylist(rows, self._files.schemas[self._kind])
        self._files.bytes[self._kind, self._subset] += batch.nbytes
        for name, write in self._open:
            write(rows, batch)
            self._files.rows[name] += len(rows)

    def _opened(self, format_name: str, stem: str) -> tuple[str, _Write]:
        (ending,) = self._files.export.extensions(format_name)
        name = f"{stem}{ending}"
        self._files.rows[name] = 0
        path = self._files.folder / name
        writer = _json(path)
        if format_name == "parquet":
            writer = _parquet(path, self._files.schemas[self._kind])
        return name, self.stack.enter_context(writer)


@contextmanager
def _parquet(path: Path, columns: pa.Schema) -> Iterator[_Write]:
    with (
        atomic.replacing(path) as partial,
        arrow_writer(partial, columns, **_PARQUET) as writer,
    ):

        def write(rows: Sequence[DataRow], batch: pa.RecordBatch) -> None:
            writer.write_batch(batch)

        yield write


@contextmanager
def _json(path: Path) -> Iterator[_Write]:
    with open_stream(path) as out:

        def write(rows: Sequence[DataRow], batch: pa.RecordBatch) -> None:
            out.write("".join(f"{json_line(row)}\n" for row in rows).encode())

        yield write


@contextmanager
def open_stream(path: Path) -> Iterator[Any]:
    """Open a file that replaces `path` when it is closed.

    If `path` ends in `.zst`, it is compressed.
    """
    codec = "zstd" if path.suffix == ".zst" else None
    with (
        atomic.replacing(path) as partial,
        pa.output_stream(str(partial), compression=codec, buffer_size=2**20) as out,
    ):
        yield out
