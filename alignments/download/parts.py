"""A file that is on its way: the `.part` beside its name, what it is a part of, and the lock that says who writes it.

The JSON beside the `.part` says which version of which file its bytes belong to and is written before the first of
them. It goes when the manifest beside the finished file is there, which is written last: bytes, sha256, url, etag.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alignments.download.sessions import Session
from pairs.errors import ShardError
from pairs.storage import atomic, locks


def kept(path: Path) -> str | None:
    """Return the SHA-256 of a downloaded file that is there whole, None when it must be fetched."""
    try:
        facts = atomic.read_manifest(path)
        return str(facts["sha256"]) if path.stat().st_size == facts["bytes"] else None
    except (OSError, KeyError, ShardError):
        return None


class Part:
    """The `.part` of a file."""

    def __init__(self, final: Path) -> None:
        self.final = final
        self.path = final.with_name(final.name + ".part")
        self.have = 0
        """Bytes of it that are right."""
        self.resumed = 0
        """Bytes that were there before this process opened it."""
        self._state = final.with_name(final.name + ".part.json")
        self._identity: Mapping[str, Any] | None = None

    @contextmanager
    def opened(self, identity: Mapping[str, Any], *, lasting: bool, most: int) -> Iterator[None]:
        """Open it for writing behind the bytes that belong to this identity, at most `most` of them.

        `identity` is plain JSON; with `lasting` false nothing can be kept, whatever it says.
        """
        again = lasting and identity == self._identity
        if not again and not (lasting and identity == self._left_behind()):
            self.path.unlink(missing_ok=True)
            atomic.write_json(self._state, identity)
        self._identity = identity
        with self.path.open("ab") as self._file:
            size = self._file.truncate(min(self._file.tell(), most))
            if not again or size != self.have:
                self.have = self.resumed = size
            yield

    def write(self, data: bytes | memoryview) -> int:
        """Append bytes, which a kill will not lose; return how many."""
        self._file.write(data)
        self._file.flush()
        self.have += len(data)
        return len(data)

    def restart(self) -> None:
        """Forget all bytes."""
        self._file.truncate(0)
        self.have = self.resumed = 0

    def settle(self, facts: Mapping[str, Any]) -> int:
        """Force the bytes to disk, give them their name and write the manifest; return how many they are."""
        with self.path.open("rb") as file:
            os.fsync(file.fileno())
        atomic.manifest_path(self.final).unlink(missing_ok=True)  # it may speak of an older file of this size
        self.path.replace(self.final)
        own = {"bytes": self.have, "sha256": atomic.sha256(self.final)}
        atomic.write_json(atomic.manifest_path(self.final), {**own, **facts})
        self._state.unlink(missing_ok=True)
        return self.have

    def _left_behind(self) -> dict[str, Any] | None:
        """Return whose bytes an earlier process left here."""
        if not self._state.exists():
            return None
        if self.final.exists() and not self.path.exists():
            self.final.replace(self.path)  # killed between name and manifest
        try:
            return atomic.load_json(self._state)
        except ShardError:
            return None


def room(session: Session, path: Path) -> None:
    """Raise ShardError when the disk has less room than `path` and the session's other files still need."""
    missing = sum(still_missing() for still_missing in list(session.claims.values()))
    free = shutil.disk_usage(path.parent).free
    if missing > free:
        raise ShardError(
            f"{path} and the files fetched with it need {missing:,} more bytes and the disk has {free:,}: "
            f"{missing - free:,} bytes are missing. Free them, or name another data folder, then run again: "
            "what has come is kept."
        )


@contextmanager
def locked(session: Session, path: Path) -> Iterator[None]:
    """Hold the lock of a file, waiting while another process or thread has it; any OSError within is a ShardError.

    Raises HaltedError if the session is halted during the wait.
    """
    try:
        with locks.locked(path, session.log, is_cancelled=session.halt.is_set):
            session.go_on()
            yield
    except OSError as error:
        session.go_on()  # a wait that was cancelled
        raise ShardError(
            f"{path} cannot be written ({error}). Free space or repair the folder, then run again: "
            "what has come is kept."
        ) from error
