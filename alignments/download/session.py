"""Send requests for the files of OPUS, without user names, passwords or signatures in messages and log lines."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Self
from urllib.parse import unquote

import httpx

from bitext_pivot.alignments.download.responses import (
    CREDENTIALS,
    RemoteVersion,
    check_status,
    check_version,
    unreachable,
)
from bitext_pivot.core import untrusted
from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.progress import Logger
from bitext_pivot.core.proxy import checked_proxy
from bitext_pivot.core.site import Site

# Both log every request, with its headers and the signatures in the URLs of redirects.
for _name in ("httpx", "httpcore"):
    logging.getLogger(_name).setLevel(logging.WARNING)


class HaltedError(SourceError):
    """The download was stopped because another file of the release failed."""


class DownloadSession:
    """A context manager that sends the requests for the files of one release, from any number of threads."""

    def __init__(self, site: Site, requested: str, log: Logger) -> None:
        """Open the session. Raises SettingsError for an unusable proxy.

        Args:
            site: the base URL and the timeout.
            requested: description of the release for messages, as returned by `describe_release`.
            log: receives a line for each file, and the warnings.
        """
        self.site = site
        self.log = log
        self.halted = threading.Event()
        """Set when a file of the release failed, so that the other downloads stop."""
        self.pending: list[Callable[[], int]] = []
        """One function per active download, which returns its number of missing bytes."""
        self.has_answered = False
        """True if the host has answered a request."""
        self._requested = requested
        self._client = open_client(site.timeout, base=site.opus)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def check_halted(self) -> None:
        """Raise HaltedError if another file of the release failed."""
        if self.halted.is_set():
            raise HaltedError(
                "The download was stopped because another file of the release failed. Fix that, then run again."
            )

    def head(self, url: str) -> RemoteVersion:
        """Return the version of the file at `url`. It is empty if the server does not support HEAD.

        Raises SourceError if the file does not exist or the server cannot be reached.
        """
        try:
            response = self._client.head(url)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise unreachable(url, error) from error
        self.has_answered = True
        if response.status_code in {405, 501}:
            return RemoteVersion()
        check_status(response, url, self._requested)
        return RemoteVersion.of(response)

    @contextmanager
    def get(self, url: str, version: RemoteVersion, start: int = 0) -> Iterator[httpx.Response]:
        """Request the bytes of a file from `start`, and yield the response if the version is the same.

        A response with status 206 begins at `start`; one with status 200 contains the complete file.

        Raises:
            TransientError: the file has changed, or the connection breaks, also while the body is read.
            SourceError: any other response.
        """
        headers = {}
        if start:
            headers = {"Range": f"bytes={start}-", "If-Range": version.validator or ""}
        try:
            with self._client.stream("GET", url, headers=headers) as response:
                check_status(response, url, self._requested, start)
                check_version(response, url, version, start)
                yield response
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise unreachable(url, error) from error


def open_client(timeout: float, *, base: str = "") -> httpx.Client:
    """Return an HTTP client without compression, so that a body has the announced length.

    User name and password of the base URL are sent as a header. Raises SettingsError for an unusable proxy in the
    environment.
    """
    headers = {"Accept-Encoding": "identity", "User-Agent": "bitext-pivot"}
    credentials = CREDENTIALS.search(base)
    name, _, password = credentials[0][:-1].partition(":") if credentials else ("", "", "")
    auth = httpx.BasicAuth(unquote(name), unquote(password)) if credentials else None
    untrusted.keep_address(base)
    with checked_proxy():
        return httpx.Client(timeout=timeout, follow_redirects=True, headers=headers, auth=auth)
