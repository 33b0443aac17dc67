"""What a server's answer says of a file: which version of it, which bytes, and whether asking again may help.

An answer is compared with what the server said of the file before (size, ETag, Last-Modified; RFC 9110, sections 8.8
and 13.1.5), so that bytes of two versions never meet in one file.
"""

import re
import socket
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple, Self

import httpx

from pairs.errors import AbsentError, SourceError

_ABSENT = {403, 404, 410}  # object stores answer 403 for what does not exist when listing is forbidden
CREDENTIALS = re.compile(r"(?<=//)[^/?#]*@")
"""Name, password and @ of an address."""


class PassingError(SourceError):
    """The other side may come back: it was busy, silent or cut off. Asked again here, and once more by the task."""

    def __init__(self, message: str, after: float | None = None) -> None:
        super().__init__(message)
        self.after = after
        """Seconds that the server asks to wait (Retry-After)."""


class UnknownHostError(PassingError):
    """The host's name cannot be resolved: tried again only if the host has answered before."""


class Extent(NamedTuple):
    """Bytes of a file from `start` to `end`, the end not included."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Remote:
    """What a server says of a file; None where it says nothing."""

    size: int | None = None
    etag: str | None = None
    modified: str | None = None
    validator: str | None = None
    """What If-Range can be asked with: a strong ETag, or a Last-Modified that is older than the answer."""

    @classmethod
    def of(cls, response: httpx.Response) -> Self:
        """Return what an answer says of the whole file, be the answer the whole or a part."""
        headers = response.headers
        part = response.status_code == httpx.codes.PARTIAL_CONTENT
        size = headers.get("Content-Range", "").rpartition("/")[2] if part else headers.get("Content-Length", "")
        etag, modified = headers.get("ETag"), headers.get("Last-Modified")
        strong = etag if etag is not None and not etag.startswith("W/") else None
        dated = modified if _older(modified, headers.get("Date")) else None
        return cls(int(size) if size.isdecimal() else None, etag, modified, strong or dated)

    def agrees(self, other: "Remote") -> bool:
        """Whether both can be said of the same bytes."""
        mine, theirs = (self.size, self.etag, self.modified), (other.size, other.etag, other.modified)
        return all(one == two for one, two in zip(mine, theirs, strict=True) if one is not None and two is not None)


def shown(url: str) -> str:
    """Return an address without name and password, for people to see."""
    return CREDENTIALS.sub("", url)


def check(response: httpx.Response, url: str, asked: str, *, part: bool = False) -> None:
    """Raise SourceError unless the answer is 200, or 206 when a `part` was asked for.

    AbsentError, with what was asked for, when the file does not exist; PassingError when it may come later.
    """
    status = response.status_code
    if status in _ABSENT:
        raise AbsentError(
            f"{shown(url)} does not exist (answer {status}). Asked for: {asked}. Check them, and the base address."
        )
    if status in {408, 429} or status >= 500:
        after = _seconds(response.headers.get("Retry-After", ""))
        asks = "" if after is None else f", and asks to wait {after:.0f} s"
        raise PassingError(
            f"{shown(url)} answered {status}, expected 200{asks}. Try again later, or another mirror.", after
        )
    if part and status == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
        raise PassingError(f"{shown(url)} has not the bytes asked for any more (answer 416): it has changed.")
    if status != httpx.codes.OK and not (part and status == httpx.codes.PARTIAL_CONTENT):
        raise SourceError(f"{shown(url)} answered {status}, expected 200. Try again later, or another mirror.")


def unreachable(url: str, error: Exception) -> SourceError:
    """Return the SourceError for a connection that was refused, cut, too slow or never possible.

    UnknownHostError if the name of the host cannot be resolved, another PassingError if trying again may help.
    """
    detail = str(error) or type(error).__name__
    if _is_unresolved(error):
        return UnknownHostError(
            f"The host of {shown(url)} cannot be found ({detail}). "
            "Check the network, the proxy and the base address (BITEXT_PIVOT_OPUS), then run again."
        )
    hopeless = isinstance(error, httpx.UnsupportedProtocol) or (isinstance(error, httpx.ProxyError) and "407" in detail)
    kind = PassingError if isinstance(error, httpx.TransportError) and not hopeless else SourceError
    never_began = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.ProxyError) or hopeless
    what = "cannot be reached" if never_began else "did not come whole"
    return kind(
        f"{shown(url)} {what} ({type(error).__name__}: {detail}). "
        "Check the network, the proxy and the base address, then run again: what has come is kept."
    )


def _is_unresolved(error: BaseException | None) -> bool:
    """Return True if the chain of causes of an error has one of the resolver of host names."""
    while error is not None and not isinstance(error, socket.gaierror):
        error = error.__cause__ or error.__context__
    return error is not None


def same(response: httpx.Response, url: str, remote: Remote, extent: Extent | None) -> None:
    """Raise PassingError unless the answer is about the file `remote`, SourceError unless a part begins as asked."""
    answer = Remote.of(response)
    if not remote.agrees(answer):
        raise PassingError(
            f"{shown(url)} is not the file it was a moment ago: {remote.size} bytes, ETag {remote.etag}, now "
            f"{answer.size} bytes, ETag {answer.etag}. Run again to fetch it from its beginning."
        )
    if extent is not None and response.status_code == httpx.codes.PARTIAL_CONTENT:
        given = response.headers.get("Content-Range", "")
        if not given.startswith(f"bytes {extent.start}-"):
            raise SourceError(
                f"{shown(url)} answered a request for bytes {extent.start}-{extent.end - 1} with {given!r}. "
                "Use another mirror."
            )


def _seconds(after: str) -> float | None:
    """Return the seconds that a Retry-After header means, a number or a date."""
    if after.isdecimal():
        return float(after)
    date = _date(after)
    return None if date is None else max(0.0, (date - datetime.now(UTC)).total_seconds())


def _older(modified: str | None, date: str | None) -> bool:
    """Whether Last-Modified is a strong validator (RFC 9110, section 8.8.2.2): a second older than the answer."""
    changed, answered = _date(modified), _date(date)
    return changed is not None and answered is not None and (answered - changed).total_seconds() >= 1


def _date(text: str | None) -> datetime | None:
    try:
        date = parsedate_to_datetime(text or "")
    except (TypeError, ValueError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)
