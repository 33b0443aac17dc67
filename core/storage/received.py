"""Open and read files that somebody else may have written. No other module opens them (tests/test_doors.py).

Data sets, data folders and models are copied, downloaded and shared. A file in them is read only if it is a regular
file inside its folder. Lines and JSON files have a maximum size, and JSON is validated by a typed model. An error is
one line that names the file.
"""

import io
import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

from pydantic import BaseModel, ValidationError

from bitext_pivot.core import refused_values, text_files
from bitext_pivot.core.data_files import parse_row
from bitext_pivot.core.errors import EncodingError, ShardError
from bitext_pivot.core.untrusted import shown

_Model = TypeVar("_Model", bound=BaseModel)
_Row = dict[str, Any]
LARGEST = 256 << 20
"""Maximum size of a file that is read as a whole, in bytes."""
_BATCH_ROWS = 1_000
"""Rows of Parquet that are in memory at the same time."""
_KINDS = {
    stat.S_IFREG: "file",
    stat.S_IFDIR: "folder",
    stat.S_IFLNK: "link",
    stat.S_IFIFO: "named pipe",
    stat.S_IFSOCK: "socket",
}
_STREAMS = re.compile(r"/dev/(stdin|fd/\d+)|/proc/self/fd/\d+")
"""Paths of streams that another program writes to, such as `<(zcat pairs.tsv.gz)` in a shell."""


def kind_of_file(path: Path) -> str:
    """Return what a path is: file, folder, link, named pipe, socket, device or absent. Links are not followed.

    A path that cannot be examined, such as a path through a file, counts as absent; writing to it raises the reason.
    """
    try:
        return _KINDS.get(stat.S_IFMT(path.lstat().st_mode), "device")
    except OSError:
        return "absent"


def other_kind(path: Path) -> str:
    """Return what a path is if it is not a regular file, such as `a folder`; return "" for a file.

    A stream of a shell counts as a file. Reading anything else could block forever. Links are followed. Raises OSError
    if the path does not exist.
    """
    kind = _KINDS.get(stat.S_IFMT(path.stat().st_mode), "device")
    is_stream = kind == "named pipe" and _STREAMS.fullmatch(os.fspath(path))
    return "" if kind == "file" or is_stream else f"a {kind}"


def what_is_at(path: Path) -> str:
    """Describe what a path is: `a file`, `a named pipe`, `not there`. Links are followed."""
    try:
        return other_kind(path) or "a file"
    except OSError:
        return "not there"


@contextmanager
def opened(path: Path) -> Iterator[io.BufferedReader]:
    """Open a regular file or a stream of a shell.

    Raises ShardError for anything else, and OSError with the name of the file if it cannot be opened or read.
    """
    if kind := other_kind(path):
        raise ShardError(f"{path} is {kind}; expected a file. Move it away and run again.")
    if path.is_file() and (problem := text_files.pointer(path)):
        raise ShardError(problem)
    try:
        with path.open("rb") as file:
            yield file
    except OSError as error:
        if error.errno and error.filename is None:  # a failing disk
            error.filename = str(path)
        raise


def text(path: Path) -> str:
    """Return the text of a UTF-8 file.

    Raises UnicodeDecodeError for another encoding, ShardError for more than 256 MiB and as `opened` does, and OSError
    if the file cannot be opened.
    """
    with opened(path) as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise ShardError(
            f"{path} has more than {LARGEST >> 20} MiB; expected a small text. Build or download it again."
        )
    return content.decode("utf-8")


def model(path: Path, kind: type[_Model]) -> _Model:
    """Return the content of a JSON file, validated as the pydantic model `kind`.

    Raises ShardError if the file cannot be read or a value is invalid; the message quotes the first invalid value.
    """
    try:
        content = text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise ShardError(
            f"{path} cannot be read ({shown(error)}). Build or download it again."
        ) from error
    try:
        return kind.model_validate_json(content, strict=True)
    except ValidationError as error:
        problem = shown(next(refused_values.problems(error)))
        raise ShardError(
            f"{path.name} in {path.parent} is damaged, or was written by another version ({problem}). "
            "Build or download it again."
        ) from error


def rows(path: Path) -> Iterator[_Row]:
    """Yield the objects in a JSON lines file, plain or compressed.

    Raises ShardError for a line that is not a JSON object, for a line of more than 64 MiB, and as `opened` does.
    """
    try:
        for number, row in enumerate(map(parse_row, lines(path)), 1):
            if isinstance(row, str):
                raise ShardError(
                    f"{path}, line {number}: {shown(row)}. Build or download it again."
                )
            yield row
    except EncodingError as error:
        raise ShardError(str(error)) from error


def lines(path: Path) -> Iterator[str]:
    """Yield the lines of a text file, plain or compressed. Raises the errors of `opened` and `text_files.lines`."""
    with opened(path) as file:
        yield from text_files.lines(text_files.decompressed(file, path), str(path))


def table(path: Path, columns: Sequence[str] | None = None) -> Iterator[_Row]:
    """Yield the rows of a Parquet or Arrow file. Both Arrow formats are read: stream (`datasets`) and Feather.

    Raises ShardError if the file is not such a table, has two columns with one name or a value that Python cannot
    represent, and as `opened` does. Raises OSError if the file cannot be opened.
    """
    import pyarrow as pa  # the import takes a third of a second

    with opened(path) as file:
        try:
            for batch in _batches(file, path.suffix.lower(), columns):
                names = batch.schema.names
                if len({*names}) < len(names):
                    raise ValueError(f"two columns of one name: {', '.join(names)}")
                yield from batch.to_pylist()
        except MemoryError:  # pyarrow raises it, too
            raise
        except (ValueError, KeyError, OverflowError, pa.ArrowException) as error:
            raise ShardError(f"{type(error).__name__}: {shown(error)}") from error


def _batches(file: IO[bytes], extension: str, columns: Sequence[str] | None) -> Iterator[Any]:
    """Yield the record batches of a Parquet or Arrow file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if extension == ".parquet":
        yield from pq.ParquetFile(file).iter_batches(_BATCH_ROWS, columns=columns and [*columns])
        return
    is_file = file.read(6) == b"ARROW1"
    file.seek(0)
    reader = pa.ipc.open_file(file) if is_file else pa.ipc.open_stream(file)
    stored = map(reader.get_batch, range(reader.num_record_batches)) if is_file else reader
    for batch in stored:
        batch.validate(full=True)  # offsets of a damaged batch may point outside its memory
        yield batch


def problem(folder: Path, name: str) -> str:
    """Return the reason why a file in a folder must not be read, or "" if it may be read.

    A link may point to a file in the folder, or to the copy that the hub's client keeps beside its snapshots.
    """
    path = folder / name
    try:
        if not path.exists():
            return "is missing"
        kind = other_kind(path)
        real = path.resolve()
    except (OSError, RuntimeError) as error:  # a loop of links
        return f"cannot be read ({shown(error)})"
    if not any(real.is_relative_to(root) for root in _roots(folder)):
        return "is a link that leaves the folder"
    if kind:
        return f"is {kind}"
    return ""


def _roots(folder: Path) -> list[Path]:
    real = folder.resolve()
    if real.parent.name == "snapshots":
        return [real, real.parent.parent / "blobs"]
    return [real]


def names(folder: Path) -> set[str]:
    """Return the paths of all files and links in a folder and its subfolders. Links are not followed."""
    paths = (path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir())
    return {path.relative_to(folder).as_posix() for path in paths}
