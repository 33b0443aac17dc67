"""Check HTTP responses (status, version of the file, range) and return errors that say if a retry may help.

The size and ETag of a response are compared with those of earlier responses (RFC 9110, sections 8.8.3 and 13.1.5), so
that bytes of two versions never meet in one file.
"""

import re
import socket
from dataclasses import dataclass
from typing import NamedTuple, Self

import httpx

from bitext_pivot.core.errors import AbsentError, SourceError
from bitext_pivot.core.retries import retry_after
from bitext_pivot.core.untrusted import shown

CREDENTIALS = re.compile(r"(?<=//)[^/?#]*@")
"""User name, password and @ of an address."""
_ABSENT = {403, 404, 410}  # object stores without listing answer 403 for a missing file


class TransientError(SourceError):
    """The server was busy, silent or cut the connection; trying again may help."""

    def __init__(self, message: str, after: float | None = None) -> None:
        super().__init__(message)
        self.after = after
        """Seconds that the server asks to wait (Retry-After)."""


class UnknownHostError(TransientError):
    """The host name cannot be resolved, or nothing listens there; retried only after the host has answered."""


class Extent(NamedTuple):
    """Bytes of a file from `start` to `end`, which is not included."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Remote:
    """Size and version of a remote file; None if the server does not report them."""

    size: int | None = None
    etag: str | None = None

    @classmethod
    def of(cls, response: httpx.Response) -> Self:
        """Return size and version of the whole file from a response, which may be a part (206)."""
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
        """Value for If-Range: the ETag, unless it is weak."""
        return None if self.etag is None or self.etag.startswith("W/") else self.etag

    def is_compatible(self, remote: "Remote") -> bool:
        """Return True if both may describe the same version of a file."""
        sizes, etags = {self.size, remote.size} - {None}, {self.etag, remote.etag} - {None}
        return len(sizes) < 2 and len(etags) < 2


def redacted(url: str) -> str:
    """Return an address without user name and password."""
    return CREDENTIALS.sub("", url)


def check_status(
    response: httpx.Response, url: str, requested: str, extent: Extent | None = None
) -> None:
    """Raise SourceError unless the status is 200, or 206 in response to a request for an `extent`.

    Raises:
        AbsentError: the file does not exist; the message has `requested`, the names of the release.
        TransientError: trying again may help.
    """
    status = response.status_code
    if status in _ABSENT:
        raise AbsentError(
            f"{redacted(url)} does not exist (answer {status}). Requested: {requested}. "
            "Check these names and the base address."
        )
    if status in {408, 429} or status >= 500:
        after = retry_after(response.headers)
        wait = "" if after is None else f", and asks to wait {after:.0f} s"
        raise TransientError(
            f"{redacted(url)} answered {status}, expected 200{wait}. Try again later, or another mirror.",
            after,
        )
    if extent and status == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
        raise TransientError(
            f"{redacted(url)} no longer has the requested bytes (answer 416): it has changed."
        )
    if status != httpx.codes.OK and not (extent and status == httpx.codes.PARTIAL_CONTENT):
        raise SourceError(
            f"{redacted(url)} answered {status}, expected 200. Try again later, or another mirror."
        )


def check_version(
    response: httpx.Response, url: str, remote: Remote, extent: Extent | None = None
) -> None:
    """Raise TransientError if the file is no longer `remote`, SourceError if a part has another start than `extent`."""
    current = Remote.of(response)
    if not remote.is_compatible(current):
        raise TransientError(
            f"{redacted(url)} is not the file it was a moment ago: {remote.size} bytes, ETag {shown(remote.etag)}, now "
            f"{current.size} bytes, ETag {shown(current.etag)}. Run again to fetch it from its beginning."
        )
    given = response.headers.get("Content-Range", "")
    is_part = response.status_code == httpx.codes.PARTIAL_CONTENT
    if extent and is_part and not given.startswith(f"bytes {extent.start}-"):
        raise SourceError(
            f"{redacted(url)} answered a request for bytes {extent.start}-{extent.end - 1} with {shown(given)!r}. "
            "Use another mirror."
        )


def unreachable(url: str, error: Exception) -> SourceError:
    """Return the SourceError for a connection that failed, broke or timed out; a TransientError if that may pass."""
    detail = shown(error) or type(error).__name__
    if cause := _no_host(error):
        what = "cannot be found" if isinstance(cause, socket.gaierror) else "refuses connections"
        return UnknownHostError(
            f"The host of {redacted(url)} {what} ({detail}). "
            "Check the network, the proxy and the base address (BITEXT_PIVOT_OPUS), then run again."
        )
    is_final = isinstance(error, httpx.UnsupportedProtocol) or (
        isinstance(error, httpx.ProxyError) and "407" in detail
    )
    kind = (
        TransientError if isinstance(error, httpx.TransportError) and not is_final else SourceError
    )
    is_unconnected = (
        isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.ProxyError) or is_final
    )
    what = "cannot be reached" if is_unconnected else "did not come whole"
    return kind(
        f"{redacted(url)} {what} ({type(error).__name__}: {detail}). "
        "Check the network, the proxy and the base address, then run again: what has come is kept."
    )


def _no_host(error: BaseException | None) -> BaseException | None:
    """Return the cause of an error, at any depth, that is from the resolver of host names, or a refused connection."""
    while error is not None and not isinstance(error, socket.gaierror | ConnectionRefusedError):
        error = error.__cause__ or error.__context__
    return error
