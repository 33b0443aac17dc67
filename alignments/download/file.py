"""Download one file: it grows as `<name>.part`, survives a kill, and gets its name when it is complete.

Each attempt sends a HEAD request and resumes with If-Range. Bytes of another version of the file are not kept.
"""

import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bitext_pivot.alignments.download.part import Part, is_complete
from bitext_pivot.alignments.download.responses import (
    Extent,
    Remote,
    TransientError,
    UnknownHostError,
    redacted,
)
from bitext_pivot.alignments.download.session import Log, Session
from bitext_pivot.core.errors import ShardError, SourceError
from bitext_pivot.core.progress import tracked
from bitext_pivot.core.retries import repeat
from bitext_pivot.core.storage import locks

_ENDLESS = 1 << 62  # end of a file of unknown size
PROGRESS = 8 << 20  # bytes by which a file must grow to get as many attempts again
ATTEMPTS = 5  # without progress
PAUSE = 5.0  # seconds before the second attempt; doubled from one attempt to the next
_LONGEST_PAUSE = 300.0


class Download:
    """Download of a file to `path`."""

    def __init__(self, session: Session, url: str, path: Path) -> None:
        self.path = path
        self.received = 0
        """Bytes received from the server."""
        self._session, self._url = session, url
        self._remote = Remote()
        self._part = Part(path)
        self._last = ATTEMPTS
        """Number of the last attempt, unless there is progress until then."""
        self._before = self._part.have
        """Bytes of the part when these attempts began."""

    def run(self) -> None:
        """Download the file unless it is there, and log a line.

        Raises:
            SourceError: the file does not exist, or is not received completely.
            ShardError: it cannot be written here.
        """
        if is_complete(self.path):
            return
        with locked(self.path, self._session):
            if not is_complete(self.path):
                if self.path.exists():
                    self._session.log.warning(
                        "%s is not the file that was downloaded: fetched again", self.path
                    )
                self._run()

    def _run(self) -> None:
        begin = time.monotonic()
        repeat(self._attempt, self._pause, self._session.halted.wait)
        size = self._part.have
        resumed = size - self.received
        self._part.finish({"url": redacted(self._url), "etag": self._remote.etag})
        seconds = time.monotonic() - begin
        speed = self.received / 1e6 / max(seconds, 1e-3)
        text = f", resumed at {resumed / 1e6:.1f} MB" if resumed > 0 else ""
        self._session.log.info(
            "%s: %.1f MB in %.1f s, %.1f MB/s%s", self.path.name, size / 1e6, seconds, speed, text
        )

    def _pause(self, error: SourceError, attempt: int) -> float | None:
        """Return the seconds to wait before the next attempt, None if no other may help, and log them.

        There are `ATTEMPTS`, and as many again after progress.
        """
        is_misspelt = isinstance(error, UnknownHostError) and not self._session.has_answered
        if is_misspelt or not isinstance(error, TransientError):
            return None
        if attempt == self._last:
            if self._part.have - self._before < PROGRESS:
                return None
            self._last, self._before = attempt + ATTEMPTS, self._part.have
        return announced_pause(error, attempt, self._url, self._session.log)

    def _attempt(self) -> None:
        """Download what is missing."""
        self._session.check_halted()
        remote = self._session.head(self._url)
        self._remote = remote
        version = (
            remote.validator or f"unknown {uuid.uuid4()}"
        )  # without an ETag nothing can be resumed
        identity = {
            "url": redacted(self._url),
            "size": remote.size,
            "version": version,
        }
        with self._part.opened(identity, self._size):
            self._session.needs.append(self._missing)
            try:
                self._fill()
            finally:
                self._session.needs.remove(self._missing)

    @property
    def _size(self) -> int:
        """Bytes of the file, `_ENDLESS` if they are unknown."""
        return _ENDLESS if self._remote.size is None else self._remote.size

    def _missing(self) -> int:
        """Return the bytes still to be written, 0 if unknown."""
        return self._size - self._part.have if self._size < _ENDLESS else 0

    def _fill(self) -> None:
        self._check_disk()
        with tracked(self.path.name, self._remote.size, unit="bytes") as advance:
            advance(self._part.have)
            if self._part.have < self._size:
                self._receive(Extent(self._part.have, self._size), advance)

    def _check_disk(self) -> None:
        """Raise ShardError if the disk has less space than all active downloads need."""
        missing = sum(need() for need in [*self._session.needs])
        free = shutil.disk_usage(self.path.parent).free
        if missing > free:
            raise ShardError(
                f"{self.path} and the files fetched with it need {missing:,} more bytes and the disk has {free:,}: "
                f"{missing - free:,} bytes are missing. Free them, or name another data folder, then run again: "
                "what has come is kept."
            )

    def _receive(self, extent: Extent, advance: Callable[[int], None]) -> None:
        """Request an extent and write it."""
        is_part = extent.start > 0
        with self._session.get(self._url, self._remote, extent if is_part else None) as response:
            position = extent.start
            if is_part and response.status_code == 200:
                advance(-self._part.have)
                self._part.restart()
                position = 0
            for chunk in response.iter_raw():
                self._session.check_halted()
                self._part.write(chunk)
                self.received += len(chunk)
                position += len(chunk)
                advance(len(chunk))
        if position != extent.end < _ENDLESS:
            self._refuse(position, extent.end)

    def _refuse(self, position: int, end: int) -> None:
        if position > end:
            self._part.restart()  # which of these bytes are right is unknown
        raise TransientError(
            f"{redacted(self._url)} ended at byte {position}, expected {end}. "
            "Run again, or use another mirror: what has come is kept."
        )


@contextmanager
def locked(path: Path, session: Session) -> Iterator[None]:
    """Hold the lock of a file that is downloaded; raises ShardError for any OSError inside."""
    try:
        with locks.locked(path, session.log, is_cancelled=session.halted.is_set):
            yield
    except OSError as error:
        session.check_halted()  # the wait for the lock was cancelled
        raise ShardError(
            f"{path} cannot be written ({error}). Free space or repair the folder, then run again: "
            "what has come is kept."
        ) from error


def announced_pause(error: TransientError, attempt: int, url: str, log: Log) -> float:
    """Return the seconds to wait after an attempt, and log them: as many as the server asks, or ever twice as many."""
    seconds = PAUSE * 2 ** ((attempt - 1) % ATTEMPTS) if error.after is None else error.after
    seconds = min(seconds, _LONGEST_PAUSE)
    text = "%s: attempt %d failed, next in %.1f s. %s"
    log.warning(text, redacted(url), attempt, seconds, error)
    return seconds
