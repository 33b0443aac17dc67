"""Atomic writes, digests of files, and sealed JSON files, which contain a checksum of their content.

A file is used only if it has not changed since it was written (docs/decisions/0002, 0011): its SHA-256 is compared with
the one in its manifest (`is_intact`), and the manifest with its own checksum (`find_sealed`).
"""

import functools
import hashlib
import json
import os
import shutil
import sys
import tempfile
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from bitext_pivot.core import text_files
from bitext_pivot.core.data_files import parse_json
from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.storage import received
from bitext_pivot.core.untrusted import shown

STANDARD_OUTPUT = Path("-")
"""The path that a user types to write a file to standard output."""
_SETTLED = 1.0
"""Seconds between two changes of a file after which its times differ for certain. File systems have coarse clocks."""


def write_json(path: Path, value: Any) -> None:
    """Write JSON atomically. Keys are sorted, so equal values give equal bytes."""
    write_text(path, json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically in UTF-8, compressed if its file extension says so."""
    with replacing(path) as partial, text_files.created(partial, path) as file:
        file.write(text)


def load_json(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file. Raises ShardError if the file is missing or damaged."""
    if (loaded := find_json(path)) is None:
        raise _damaged(path)
    return loaded


def find_json(path: Path) -> dict[str, Any] | None:
    """Return the JSON object in a file, or None if the file is missing or damaged."""
    try:
        loaded = parse_json(received.text(path))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    return loaded if isinstance(loaded, dict) else None


def sealed(value: Mapping[str, Any], place: str) -> dict[str, Any]:
    """Return a JSON object with a checksum of its content and of the place where it is valid."""
    return {**value, "checksum": _checksum(value, place)}


def write_sealed(path: Path, value: Mapping[str, Any], place: str = "") -> None:
    """Write JSON atomically with a checksum, by which `find_sealed` detects changes and copies.

    The checksum includes `place`, by default the names of the folder and the file, so a copy elsewhere is not valid.
    """
    write_json(path, sealed(value, place or place_of(path)))


def find_sealed(path: Path, place: str = "") -> dict[str, Any] | None:
    """Return the JSON object that `write_sealed` wrote, or None if the file is missing or has changed."""
    content = find_json(path) or {}
    checksum = content.pop("checksum", None)
    return content if checksum == _checksum(content, place or place_of(path)) else None


def read_sealed(path: Path) -> dict[str, Any]:
    """Return the JSON object that `write_sealed` wrote.

    Raises ShardError if the file is missing or has changed.
    """
    if (value := find_sealed(path)) is None:
        raise _damaged(path)
    return value


def manifest_path(path: Path) -> Path:
    """Return the path of a file's manifest, which is in the same folder: `fr.zip.json` for `fr.zip`."""
    return path.with_name(path.name + ".json")


def read_manifest(path: Path) -> dict[str, Any]:
    """Return the content of a file's manifest. Raises ShardError if the manifest is missing or has changed."""
    return read_sealed(manifest_path(path))


def is_intact(path: Path, digest: str) -> bool:
    """Return True if the file exists and has this SHA-256."""
    with suppress(FileNotFoundError):
        return sha256(path) == digest
    return False


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal. The result is cached until the file changes."""
    return _sha256(path, version_of(path))


@functools.cache
def _sha256(path: Path, _version: object) -> str:
    with received.opened(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest(folder: Path, names: Iterable[str], *, separator: bytes = b"\0") -> str:
    """Return the SHA-256 in hexadecimal of the names and contents of files in a folder, in the order of `names`."""
    total = hashlib.sha256()
    for name in names:
        total.update(name.encode() + separator + bytes.fromhex(sha256(folder / name)))
    return total.hexdigest()


def tree_digest(folder: Path) -> str:
    """Return the SHA-256 of all files in a folder except bytecode, which depends on the Python version."""
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    names = (path.as_posix() for path in files if "__pycache__" not in path.parts)
    return digest(folder, sorted(names))


def version_of(path: Path) -> tuple[int, ...]:
    """Return numbers that change whenever the content of a file changes: its device, inode, size and times.

    For a file written less than a second ago, each call returns different numbers, because another change might leave
    the times unchanged.
    """
    stat = path.stat()
    is_settled = time.time() - stat.st_ctime >= _SETTLED
    call = 0 if is_settled else time.monotonic_ns()
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns, call


def place_of(path: Path) -> str:
    """Return the names of a file's folder and of the file: `judged-1a2b3c4d/Tiny-v1-00000.parquet`."""
    return f"{path.parent.name}/{path.name}"


def _checksum(value: Mapping[str, Any], place: str) -> str:
    # JSON turns keys that are numbers into strings, which sort differently.
    written = json.loads(json.dumps(value))
    return hashlib.sha256(f"{place}\n{json.dumps(written, sort_keys=True)}".encode()).hexdigest()


def _damaged(path: Path) -> ShardError:
    return ShardError(
        f"{path} is missing or damaged. Run the command again to build the file again."
    )


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield the path of a temporary file, which is renamed to `path` on success and deleted on an error.

    The content reaches the disk before the name does (fsync, rename, fsync of the folder), so a power failure leaves
    the complete file or none. If `path` is `-`, the file is copied to standard output.

    Raises ShardError if writing fails (a full disk, a read-only folder), and for a device, a FIFO, a link or a folder,
    which are never replaced.
    """
    if path == STANDARD_OUTPUT:
        with tempfile.TemporaryDirectory() as temporary:
            yield Path(temporary, "output")
            with Path(temporary, "output").open("rb") as file:
                shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.flush()
        return
    what = received.kind_of_file(path)
    if what not in {"file", "absent"}:
        raise ShardError(
            f"{path} is a {what}; expected a file or nothing. Move it away and run again."
        )
    folder = path.parent
    partial = folder / f".{path.name}.{os.getpid()}-{uuid.uuid4().hex}.partial"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield partial
        sync(partial)
        partial.replace(path)
        sync(folder)
    except (OSError, UnicodeEncodeError) as error:
        raise ShardError(
            f"{path} cannot be written ({shown(error)}). No partial file is left, and finished files are kept. "
            "Free space, or make the folder writable, and run again."
        ) from error
    finally:
        with suppress(OSError):
            partial.unlink()


def sync(path: Path) -> None:
    """Flush the content of a file, or the entries of a folder, to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
