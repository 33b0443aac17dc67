"""Send requests for OPUS files. Neither messages nor log lines show user names, passwords or signatures."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Self
from urllib.parse import unquote

import httpx

from bitext_pivot.alignments.download.responses import (
    CREDENTIALS,
    Extent,
    Remote,
    TransientError,
    check_status,
    check_version,
    redacted,
    unreachable,
)
from bitext_pivot.core import untrusted
from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.proxy import checked_proxy
from bitext_pivot.core.site import Site

Log = logging.Logger | logging.LoggerAdapter[Any]

# they log every request or block, with headers and signatures of redirects
for _name in ("httpx", "httpcore", "fsspec"):
    logging.getLogger(_name).setLevel(logging.WARNING)


class UnsuitedError(Exception):
    """A file has to be downloaded whole; the message says why."""


class HaltedError(SourceError):
    """Another file of the release failed."""


class Session:
    """Requests for the files of one release, from any number of threads; a context manager."""

    def __init__(self, site: Site, requested: str, log: Log) -> None:
        """`requested` names corpus, release and pair for the message about a missing file; raises as `client`."""
        self.site = site
        self.log = log
        self.halted = threading.Event()
        """Set when a file of the release failed; the other downloads stop."""
        self.needs: list[Callable[[], int]] = []
        """Functions that return how many more bytes of disk space each active download needs."""
        self.has_answered = False
        """Whether the host has sent anything."""
        self._requested = requested
        self._client = client(site.timeout, base=site.opus)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def check_halted(self) -> None:
        """Raise HaltedError if another file of the release failed."""
        if self.halted.is_set():
            raise HaltedError(
                "Stopped, because another file of the release failed. Fix that, then run again."
            )

    def head(self, url: str) -> Remote:
        """Return size and version of a file; empty if the server does not support HEAD. Raises SourceError."""
        try:
            response = self._client.head(url)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise unreachable(url, error) from error
        self.has_answered = True
        if response.status_code in {405, 501}:
            return Remote()
        check_status(response, url, self._requested)
        return Remote.of(response)

    @contextmanager
    def get(
        self, url: str, remote: Remote, extent: Extent | None = None
    ) -> Iterator[httpx.Response]:
        """Give the response to a request for the file `remote`, or for an extent of it.

        Its status is 206, and it begins at the start of the extent, or 200, and it is the whole file.

        Raises:
            TransientError: the file has changed, or the connection breaks, also while the body is read.
            SourceError: any other response.
        """
        headers = {}
        if extent is not None:
            headers = {
                "Range": f"bytes={extent.start}-{extent.end - 1}",
                "If-Range": remote.validator or "",
            }
        try:
            with self._client.stream("GET", url, headers=headers) as response:
                check_status(response, url, self._requested, extent)
                check_version(response, url, remote, extent)
                yield response
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise unreachable(url, error) from error

    def read(self, url: str, remote: Remote, extent: Extent) -> bytes:
        """Return an extent of a file; raises as `get`, and UnsuitedError if the server would send the whole file."""
        with self.get(url, remote, extent) as response:
            if response.status_code == httpx.codes.OK:
                raise UnsuitedError("the server sends no parts of files")
            data = b"".join(response.iter_raw())
        if len(data) != extent.end - extent.start:
            raise TransientError(
                f"{redacted(url)} sent {len(data)} bytes where bytes {extent.start} to {extent.end - 1} were "
                "requested. Run again, or use another mirror."
            )
        return data


def client(timeout: float, *, base: str = "") -> httpx.Client:
    """Return an HTTP client without compression, so that a body has the announced length.

    User name and password of the base address are sent as a header. Raises SettingsError for an unusable proxy address
    in the environment.
    """
    headers = {"Accept-Encoding": "identity", "User-Agent": "bitext-pivot"}
    credentials = CREDENTIALS.search(base)
    name, _, password = credentials[0][:-1].partition(":") if credentials else ("", "", "")
    auth = httpx.BasicAuth(unquote(name), unquote(password)) if credentials else None
    untrusted.keep_address(base)
    with checked_proxy():
        return httpx.Client(timeout=timeout, follow_redirects=True, headers=headers, auth=auth)
