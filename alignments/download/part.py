"""The file that a download writes: `<name>.part`, with its version in `<name>.part.json`, until it is complete.

A complete file has a manifest, `<name>.json`, with bytes, sha256, url and etag.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.storage import atomic


def is_downloaded(path: Path) -> bool:
    """Return True if `path` is a completely downloaded file, by its size: its bytes are not read."""
    try:
        return bool(path.stat().st_size == atomic.read_manifest(path)["bytes"])
    except (OSError, KeyError, ShardError):
        return False


def is_complete(path: Path) -> bool:
    """Return True if `path` is a completely downloaded file with the SHA-256 that it had then."""
    return is_downloaded(path) and atomic.is_intact(path, atomic.read_manifest(path)["sha256"])


class Part:
    """The incomplete file `<name>.part` and its state, `<name>.part.json`."""

    def __init__(self, final: Path) -> None:
        self.have = 0
        """Bytes in the file."""
        self._final = final
        self._path = final.with_name(final.name + ".part")
        self._state = final.with_name(final.name + ".part.json")

    @contextmanager
    def opened(self, identity: Mapping[str, Any], most: int) -> Iterator[None]:
        """Open the file to append to it. At most `most` bytes of it are kept, and none of another identity."""
        if atomic.find_json(self._state) != identity:
            self._path.unlink(missing_ok=True)
            atomic.write_json(self._state, identity)
        with self._path.open("ab") as self._file:
            self.have = self._file.truncate(min(self._file.tell(), most))
            yield

    def write(self, data: bytes) -> None:
        """Append bytes; they survive a kill."""
        self._file.write(data)
        self._file.flush()
        self.have += len(data)

    def restart(self) -> None:
        """Delete all bytes."""
        self.have = self._file.truncate(0)

    def finish(self, facts: Mapping[str, Any]) -> None:
        """Sync the file, write its manifest and rename it."""
        with self._path.open("rb") as file:
            os.fsync(file.fileno())
        manifest = {"bytes": self.have, "sha256": atomic.sha256(self._path), **facts}
        self._final.unlink(missing_ok=True)  # an older file of this size would pass for the new one
        atomic.write_sealed(atomic.manifest_path(self._final), manifest)
        self._path.replace(self._final)
        self._state.unlink(missing_ok=True)
