"""Download one file: it grows as `<name>.part`, survives a kill, and gets its name when it is complete.

Each attempt sends a HEAD request and resumes with If-Range. Bytes of another version of the file are not kept.
"""

import hashlib
import shutil
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bitext_pivot.alignments.download.part import Part, is_complete
from bitext_pivot.alignments.download.responses import (
    Extent,
    Remote,
    TransientError,
    UnknownHostError,
    redacted,
)
from bitext_pivot.alignments.download.session import NoRangeError, Session
from bitext_pivot.core.errors import ShardError, SourceError
from bitext_pivot.core.progress import tracked
from bitext_pivot.core.retries import repeat
from bitext_pivot.core.storage import locks

_ENDLESS = 1 << 62  # end of a file of unknown size
PROGRESS = 8 << 20  # bytes by which a file must grow to get as many attempts again
ATTEMPTS = 5  # without progress
PAUSE = 5.0  # seconds before the second attempt; doubled from one attempt to the next
_LONGEST_PAUSE = 300.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadPlan:
    """The bytes of a remote file to write: ascending extents, one after the other, then `tail`."""

    extents: Sequence[Extent]
    whole: bool = False
    """True if the only extent is the whole file."""
    tail: bytes = b""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """More entries for the manifest."""
    label: str = ""
    """Description for the log line."""

    @property
    def bytes(self) -> int:
        """Number of bytes of the extents."""
        return sum(end - start for start, end in self.extents)

    @property
    def digest(self) -> str:
        """Digest of extents and tail."""
        return hashlib.sha256(repr([*map(tuple, self.extents)]).encode() + self.tail).hexdigest()

    def missing(self, have: int) -> Iterator[Extent]:
        """Yield what is left of the extents behind the first `have` bytes."""
        for start, end in self.extents:
            if have < end - start:
                yield Extent(start + have, end)
            have = max(0, have - (end - start))


def whole(remote: Remote) -> DownloadPlan:
    """Plan to write the whole file."""
    return DownloadPlan(
        extents=(Extent(0, _ENDLESS if remote.size is None else remote.size),), whole=True
    )


class Download:
    """Download of a file to `path`; `planner` returns the plan for the file that the server has."""

    def __init__(
        self,
        session: Session,
        url: str,
        path: Path,
        planner: Callable[[Remote], DownloadPlan] = whole,
    ) -> None:
        self.path = path
        self.received = 0
        """Bytes received from the server."""
        self._session, self._url, self._planner = session, url, planner
        self._remote = Remote()
        self._plan = DownloadPlan(extents=())
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
        with self._locked():
            if not is_complete(self.path):
                if self.path.exists():
                    self._session.log.warning(
                        "%s is not the file that was downloaded: fetched again", self.path
                    )
                self._run()

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the lock of the file; raises ShardError for any OSError inside."""
        try:
            with locks.locked(
                self.path, self._session.log, is_cancelled=self._session.halted.is_set
            ):
                yield
        except OSError as error:
            self._session.check_halted()  # the wait for the lock was cancelled
            raise ShardError(
                f"{self.path} cannot be written ({error}). Free space or repair the folder, then run again: "
                "what has come is kept."
            ) from error

    def _run(self) -> None:
        begin = time.monotonic()
        repeat(self._attempt, self._pause, self._session.halted.wait)
        size = self._part.have
        resumed = size - len(self._plan.tail) - self.received
        self._part.finish(
            {"url": redacted(self._url), "etag": self._remote.etag, **self._plan.facts}
        )
        seconds = time.monotonic() - begin
        speed = self.received / 1e6 / max(seconds, 1e-3)
        notes = [self._plan.label, f"resumed at {resumed / 1e6:.1f} MB" if resumed > 0 else ""]
        text = "".join(f", {note}" for note in notes if note)
        self._session.log.info(
            "%s: %.1f MB in %.1f s, %.1f MB/s%s", self.path.name, size / 1e6, seconds, speed, text
        )

    def _pause(self, error: SourceError, attempt: int) -> float | None:
        """Return the seconds to wait before the next attempt, None if no other may help, and log them.

        There are `ATTEMPTS`, and as many again after progress. The wait is as long as the server asks, or twice as
        long as the one before.
        """
        is_misspelt = isinstance(error, UnknownHostError) and not self.received
        if is_misspelt or not isinstance(error, TransientError):
            return None
        if attempt == self._last:
            if self._part.have - self._before < PROGRESS:
                return None
            self._last, self._before = attempt + ATTEMPTS, self._part.have
        seconds = PAUSE * 2 ** ((attempt - 1) % ATTEMPTS) if error.after is None else error.after
        seconds = min(seconds, _LONGEST_PAUSE)
        text = "%s: attempt %d failed, next in %.1f s. %s"
        self._session.log.warning(text, redacted(self._url), attempt, seconds, error)
        return seconds

    def _attempt(self) -> None:
        """Download what is missing."""
        self._session.check_halted()
        remote = self._session.head(self._url)
        if not self.received or remote != self._remote:
            self._plan = self._planner(remote)
        self._remote = remote
        version = (
            remote.validator or f"unknown {uuid.uuid4()}"
        )  # without an ETag nothing can be resumed
        identity = {
            "url": redacted(self._url),
            "plan": self._plan.digest,
            "size": remote.size,
            "version": version,
        }
        with self._part.opened(identity, self._plan.bytes):
            self._session.needs.append(self._missing)
            try:
                self._fill()
            finally:
                self._session.needs.remove(self._missing)
            self._part.write(self._plan.tail)

    def _missing(self) -> int:
        """Return the bytes still to be written, 0 if unknown."""
        total = self._plan.bytes
        return total + len(self._plan.tail) - self._part.have if total < _ENDLESS else 0

    def _fill(self) -> None:
        self._check_disk()
        total = self._plan.bytes
        with tracked(self.path.name, total if total < _ENDLESS else None, unit="bytes") as advance:
            advance(self._part.have)
            for extent in self._plan.missing(self._part.have):
                self._receive(extent, advance)

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
        is_part = not self._plan.whole or extent.start > 0
        with self._session.get(self._url, self._remote, extent if is_part else None) as response:
            position = extent.start
            if is_part and response.status_code == 200:
                if not self._plan.whole:
                    raise NoRangeError
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
