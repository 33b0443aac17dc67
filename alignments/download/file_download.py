"""Download one file. Its bytes are appended to `<name>.part`, which is renamed when the file is complete.

A killed download resumes from the bytes in `<name>.part`. Each attempt sends a HEAD request and a request with the
header If-Range, so bytes of two versions never end up in one file.
"""

import shutil
import time
import uuid
from collections.abc import Callable
from pathlib import Path

from bitext_pivot.alignments.download.partial_file import PartialFile, is_complete
from bitext_pivot.alignments.download.responses import (
    RemoteVersion,
    TransientError,
    UnknownHostError,
    redacted,
)
from bitext_pivot.alignments.download.session import DownloadSession
from bitext_pivot.core.errors import ShardError, SourceError
from bitext_pivot.core.progress import tracked
from bitext_pivot.core.retries import repeat
from bitext_pivot.core.storage import locks

PROGRESS = 8 << 20
"""Number of received bytes after which a download gets another `ATTEMPTS` attempts."""
ATTEMPTS = 5
"""Maximum number of attempts in which fewer than `PROGRESS` bytes arrive."""
PAUSE = 5.0
"""Seconds before the second attempt; the pause doubles with each further attempt."""
_LONGEST_PAUSE = 300.0


class FileDownload:
    """The download of one URL to `path`."""

    def __init__(self, session: DownloadSession, url: str, path: Path) -> None:
        self.path = path
        self.received = 0
        """Bytes received from the server, in all attempts."""
        self._session = session
        self._url = url
        self._version = RemoteVersion()
        self._partial = PartialFile(path)
        self._last_attempt = ATTEMPTS
        self._size_before = self._partial.size
        """Size of the partial file at the first of the present attempts."""

    def run(self) -> None:
        """Download the file unless it is complete, and log one line.

        Raises:
            SourceError: the file does not exist, or was not received completely.
            ShardError: the file cannot be written.
        """
        if is_complete(self.path):
            return
        log, halted = self._session.log, self._session.halted
        try:
            with locks.locked(self.path, log, is_cancelled=halted.is_set):
                # Another process may have downloaded it while this one waited for the lock.
                if not is_complete(self.path):
                    if self.path.exists():
                        log.warning(
                            "%s has changed since it was downloaded. Downloading it again.",
                            self.path,
                        )
                    self._download()
        except OSError as error:
            self._session.check_halted()  # the wait for the lock was cancelled
            raise ShardError(
                f"{self.path} cannot be written ({error}). Make space on the disk, or move what is in the way, and run "
                "again: the download continues where it stopped."
            ) from error

    def _download(self) -> None:
        begin = time.monotonic()
        repeat(self._attempt, self._pause, self._session.halted.wait)
        size = self._partial.size
        resumed_at = size - self.received
        self._partial.finish({"url": redacted(self._url), "etag": self._version.etag})
        seconds = time.monotonic() - begin
        speed = self.received / 1e6 / max(seconds, 1e-3)
        text = f", resumed at {resumed_at / 1e6:.1f} MB" if resumed_at > 0 else ""
        self._session.log.info(
            "%s: %.1f MB in %.1f s, %.1f MB/s%s", self.path.name, size / 1e6, seconds, speed, text
        )

    def _pause(self, error: SourceError, attempt: int) -> float | None:
        """Return the seconds to wait before the next attempt and log them, or None if the download fails.

        There are `ATTEMPTS` attempts, and as many again after progress. The pause is that of the header Retry-After;
        without this header, it doubles with each attempt.
        """
        is_misspelt = isinstance(error, UnknownHostError) and not self._session.has_answered
        if is_misspelt or not isinstance(error, TransientError):
            return None
        if attempt == self._last_attempt:
            if self._partial.size - self._size_before < PROGRESS:
                return None
            self._last_attempt = attempt + ATTEMPTS
            self._size_before = self._partial.size
        seconds = error.retry_after
        if seconds is None:
            seconds = PAUSE * 2 ** ((attempt - 1) % ATTEMPTS)
        seconds = min(seconds, _LONGEST_PAUSE)
        self._session.log.warning(
            "%s: attempt %d failed, next in %.1f s. %s",
            redacted(self._url),
            attempt,
            seconds,
            error,
        )
        return seconds

    def _attempt(self) -> None:
        """Download the missing bytes."""
        self._session.check_halted()
        self._version = self._session.head(self._url)
        # Without a strong ETag, an unknown version keeps later attempts from resuming.
        version = self._version.validator or f"unknown {uuid.uuid4()}"
        identity = {"url": redacted(self._url), "size": self._version.size, "version": version}
        with self._partial.opened(identity, self._version.size):
            self._session.pending.append(self._missing)
            try:
                self._fill()
            finally:
                self._session.pending.remove(self._missing)

    def _missing(self) -> int:
        """Return the number of missing bytes, 0 if the size of the file is unknown."""
        return 0 if self._version.size is None else self._version.size - self._partial.size

    def _fill(self) -> None:
        self._check_disk()
        with tracked(self.path.name, self._version.size, unit="bytes") as advance:
            advance(self._partial.size)
            if self._missing() or self._version.size is None:
                self._receive(advance)

    def _check_disk(self) -> None:
        """Raise ShardError if the disk has less free space than all active downloads need."""
        missing = sum(missing() for missing in [*self._session.pending])
        free = shutil.disk_usage(self.path.parent).free
        if missing > free:
            raise ShardError(
                f"{self.path} and the files downloaded with it need {missing:,} bytes of disk space, but only "
                f"{free:,} are free. Free disk space or use another data folder, then run again: the download "
                "continues where it stopped."
            )

    def _receive(self, advance: Callable[[int], None]) -> None:
        """Request the missing bytes and append them to the partial file."""
        start = self._partial.size
        with self._session.get(self._url, self._version, start) as response:
            if start and response.status_code == 200:  # the server sends the whole file
                advance(-start)
                self._partial.restart()
            for chunk in response.iter_raw():
                self._session.check_halted()
                self._partial.write(chunk)
                self.received += len(chunk)
                advance(len(chunk))
        if self._missing():
            self._refuse()

    def _refuse(self) -> None:
        """Raise TransientError because the body of the response has the wrong length."""
        size = self._partial.size
        if self._missing() < 0:
            self._partial.restart()  # it is unknown which of the bytes are correct
        raise TransientError(
            f"{redacted(self._url)} ended at byte {size}, expected {self._version.size}. Run again to continue the "
            "download, or use another mirror."
        )
