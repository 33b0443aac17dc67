"""Atomic files, and the JSON manifest beside a shard (docs/decisions/0011).

A path is a `pathlib.Path`, or a `upath.UPath` of an object store, which has the same methods: such a file is written to
a local temporary file and uploaded in one request.
"""

import hashlib
import json
import os
import tempfile
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from bitext_pivot.core.errors import ShardError


def write_json(path: Path, value: Any) -> None:
    """Write JSON atomically, keys sorted, so that equal values are equal bytes."""
    write_text(path, json.dumps(value, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically, in UTF-8."""
    with replacing(path) as partial:
        partial.write_text(text, encoding="utf-8", newline="\n")


def load_json(path: Path) -> dict[str, Any]:
    """Read a JSON object that `write_json` wrote; raises ShardError when it is missing or damaged."""
    try:
        loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ShardError(
            f"{path} cannot be read ({error}). Delete it and the file of the same name beside it, then run again."
        ) from error
    return loaded


def find_json(path: Path) -> dict[str, Any] | None:
    """Return the JSON object that `write_json` wrote, None when it is missing or damaged.

    Raises ShardError when the file exists and cannot be opened.
    """
    try:
        loaded = json.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return None
    except OSError as error:
        raise ShardError(f"{path} cannot be read ({error}). Make it readable and run again.") from error
    return loaded if isinstance(loaded, dict) else None


def manifest_path(path: Path) -> Path:
    """Return the path of the manifest of a shard."""
    return path.with_name(path.name + ".json")


def read_manifest(path: Path) -> dict[str, Any]:
    """Return the manifest of a shard: rows, sha256 and the entries of its stage."""
    return load_json(manifest_path(path))


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def digest(folder: Path, names: Iterable[str], *, separator: bytes = b"\0") -> str:
    """Return the SHA-256, in hexadecimal, of the names and contents of files in a folder, in the order of `names`."""
    total = hashlib.sha256()
    for name in names:
        total.update(name.encode() + separator + bytes.fromhex(sha256(folder / name)))
    return total.hexdigest()


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield the path of a temporary file, which becomes `path` on success and is deleted on an error.

    The data reach the disk before the name does (fsync, rename, fsync of the folder), so a power failure leaves the
    complete file or none. For an object store the temporary file is local, and the object appears when its upload is
    complete. Raises ShardError when writing fails (a full disk, a read-only folder).
    """
    is_local = isinstance(path, Path)
    folder = path.parent if is_local else Path(tempfile.gettempdir())
    partial = folder / f".{path.name}.{os.getpid()}-{uuid.uuid4().hex}.partial"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield partial
        if is_local:
            sync(partial)
            partial.replace(path)
            sync(folder)
        else:
            _put(partial, path)
    except (OSError, UnicodeEncodeError) as error:
        raise ShardError(
            f"{path} cannot be written ({error}). No partial file is left. Free space or repair the folder and run "
            "again: finished shards are kept."
        ) from error
    finally:
        with suppress(OSError):
            partial.unlink()


def _put(file: Path, path: Any) -> None:
    """Upload a local file to an object store in one request; raises OSError for every error of the store."""
    store = path.fs  # its ImportError names the missing package
    try:
        store.put_file(str(file), path.path)
    except OSError:
        raise
    except Exception as error:  # each store client has its own exceptions
        raise OSError(f"{type(error).__name__}: {error}") from error


def sync(path: Path) -> None:
    """Flush a file or the entries of a folder to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
