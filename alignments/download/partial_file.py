"""The file that a download writes: `<name>.part` until it is complete.

`<name>.part.json` contains the version of the file on the server. A complete file has a manifest, `<name>.json`, with
size, SHA-256, URL and ETag.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.storage import atomic


def is_downloaded(path: Path) -> bool:
    """Return True if `path` has a manifest and the size recorded there. The content is not read."""
    try:
        return bool(path.stat().st_size == atomic.read_manifest(path)["bytes"])
    except (OSError, KeyError, ShardError):
        return False


def is_complete(path: Path) -> bool:
    """Return True if `path` has the size and the SHA-256 recorded in its manifest."""
    return is_downloaded(path) and atomic.is_intact(path, atomic.read_manifest(path)["sha256"])


class PartialFile:
    """An incomplete download: the received bytes in `<name>.part`, and their version in `<name>.part.json`."""

    def __init__(self, final_path: Path) -> None:
        self.size = 0
        """Number of bytes in the file."""
        self._final_path = final_path
        self._path = final_path.with_name(final_path.name + ".part")
        self._version_path = final_path.with_name(final_path.name + ".part.json")

    @contextmanager
    def opened(self, version: Mapping[str, Any], size: int | None) -> Iterator[None]:
        """Open the partial file to append bytes. Use as a context manager.

        Bytes of another version are deleted, and so are bytes beyond `size`, the size of the complete file.
        """
        if atomic.find_json(self._version_path) != version:
            self._path.unlink(missing_ok=True)
            atomic.write_json(self._version_path, version)
        with self._path.open("ab") as self._file:
            self.size = self._file.tell()
            if size is not None and self.size > size:
                self.size = self._file.truncate(size)
            yield

    def write(self, data: bytes) -> None:
        """Append bytes and flush them, so that they are not lost if this process is killed."""
        self._file.write(data)
        self._file.flush()
        self.size += len(data)

    def restart(self) -> None:
        """Delete all received bytes, to start again."""
        self.size = self._file.truncate(0)

    def finish(self, facts: Mapping[str, Any]) -> None:
        """Write the manifest, with `facts`, and give the file its final name."""
        with self._path.open("rb") as file:
            os.fsync(file.fileno())
        manifest = {"bytes": self.size, "sha256": atomic.sha256(self._path), **facts}
        # An older file of the same size would match the new manifest until it is replaced.
        self._final_path.unlink(missing_ok=True)
        atomic.write_sealed(atomic.manifest_path(self._final_path), manifest)
        self._path.replace(self._final_path)
        self._version_path.unlink(missing_ok=True)
