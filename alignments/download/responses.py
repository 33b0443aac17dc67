"""Check status, version and range of HTTP responses. The class of an error shows whether a retry may help.

The size and ETag of a response are compared with those of earlier responses (RFC 9110, sections 8.8.3 and 13.1.5), so
that bytes of two versions never end up in one file.
"""

import re
import socket
from dataclasses import dataclass
from typing import Self

import httpx

from bitext_pivot.core.errors import AbsentError, SourceError
from bitext_pivot.core.retries import retry_after
from bitext_pivot.core.untrusted import shown

CREDENTIALS = re.compile(r"(?<=//)[^/?#]*@")
"""User name, password and @ in a URL."""
_ABSENT = {403, 404, 410}
"""Status codes of missing files: an object store that does not allow listing sends 403."""


class TransientError(SourceError):
    """The server was busy, did not answer or closed the connection; a retry may help."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        """Seconds to wait before the next request, from the header Retry-After."""


class UnknownHostError(TransientError):
    """The host name cannot be resolved, or no server listens; retried only if the host has answered before."""


@dataclass(frozen=True, slots=True)
class RemoteVersion:
    """The version of a file on a server: size in bytes and ETag. Each is None if the server does not send it."""

    size: int | None = None
    etag: str | None = None

    @classmethod
    def of(cls, response: httpx.Response) -> Self:
        """Return the version of the complete file from a response with all of it (200) or a part (206)."""
        headers = response.headers
        is_part = response.status_code == httpx.codes.PARTIAL_CONTENT
        size = (
            headers.get("Content-Range", "").rpartition("/")[2]
            if is_part
            else headers.get("Content-Length", "")
        )
        return cls(int(size) if size.isdecimal() else None, headers.get("ETag"))

    @property
    def validator(self) -> str | None:
        """The value for If-Range: a strong ETag, or None."""
        return None if self.etag is None or self.etag.startswith("W/") else self.etag

    def is_compatible(self, other: "RemoteVersion") -> bool:
        """Return True if this version and `other` may be the same version of a file."""
        sizes = {self.size, other.size} - {None}
        etags = {self.etag, other.etag} - {None}
        return len(sizes) < 2 and len(etags) < 2


def redacted(url: str) -> str:
    """Return a URL without user name and password."""
    return CREDENTIALS.sub("", url)


def check_status(response: httpx.Response, url: str, requested: str, start: int = 0) -> None:
    """Raise SourceError unless the status is 200, or 206 for a request for the bytes from `start`.

    Raises:
        AbsentError: the file does not exist; the message contains `requested`, the names of the release.
        TransientError: a retry may help.
    """
    status = response.status_code
    if status in _ABSENT:
        raise AbsentError(
            f"{redacted(url)} does not exist (status {status}). Requested: {requested}. "
            "Check these names and the base URL."
        )
    if status in {408, 429} or status >= 500:
        seconds = retry_after(response.headers)
        wait = "" if seconds is None else f" and Retry-After {seconds:.0f} s"
        raise TransientError(
            f"{redacted(url)} answered with status {status}{wait}, expected 200. Try again later, or use another "
            "mirror.",
            seconds,
        )
    if start and status == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
        raise TransientError(
            f"{redacted(url)} does not have the requested bytes (status 416): the file has changed."
        )
    if status != httpx.codes.OK and not (start and status == httpx.codes.PARTIAL_CONTENT):
        raise SourceError(
            f"{redacted(url)} answered with status {status}, expected 200. Try again later, or use another mirror."
        )


def check_version(
    response: httpx.Response, url: str, expected: RemoteVersion, start: int = 0
) -> None:
    """Check that a response has bytes of the expected version, from `start` if it is partial (206).

    Raises TransientError for another version, and SourceError for another start.
    """
    version = RemoteVersion.of(response)
    if not expected.is_compatible(version):
        raise TransientError(
            f"{redacted(url)} has changed: before {expected.size} bytes with ETag {shown(expected.etag)}, now "
            f"{version.size} bytes with ETag {shown(version.etag)}. Run again to download it from the beginning."
        )
    content_range = response.headers.get("Content-Range", "")
    is_part = response.status_code == httpx.codes.PARTIAL_CONTENT
    if is_part and not content_range.startswith(f"bytes {start}-"):
        raise SourceError(
            f"{redacted(url)} answered a request for the bytes from {start} with {shown(content_range)!r}. "
            "Use another mirror."
        )


def unreachable(url: str, error: Exception) -> SourceError:
    """Return the SourceError for a failed, broken or silent connection: a TransientError if a retry may help."""
    detail = shown(error) or type(error).__name__
    if cause := _find_host_error(error):
        what = "cannot be found" if isinstance(cause, socket.gaierror) else "refuses connections"
        return UnknownHostError(
            f"The host of {redacted(url)} {what} ({detail}). "
            "Check the network, the proxy and the base URL (BITEXT_PIVOT_OPUS), then run again."
        )
    is_final = isinstance(error, httpx.UnsupportedProtocol) or (
        isinstance(error, httpx.ProxyError) and "407" in detail
    )
    is_transient = isinstance(error, httpx.TransportError) and not is_final
    kind = TransientError if is_transient else SourceError
    is_unconnected = (
        isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.ProxyError) or is_final
    )
    what = "cannot be reached" if is_unconnected else "was not received completely"
    return kind(
        f"{redacted(url)} {what} ({type(error).__name__}: {detail}). "
        "Check the network, the proxy and the base URL, then run again: the download continues where it stopped."
    )


def _find_host_error(error: BaseException | None) -> BaseException | None:
    """Return the failed host lookup or refused connection that caused an error, even indirectly.

    Returns None if there is no such cause.
    """
    while error is not None and not isinstance(error, socket.gaierror | ConnectionRefusedError):
        error = error.__cause__ or error.__context__
    return error
