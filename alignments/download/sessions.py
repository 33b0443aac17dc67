"""Asking a server for OPUS files: through which client, with which request, and when to ask again.

A PassingError may go away and is retried with growing pauses; every other error fails at once. Names and passwords
in an address go into a header; neither a message nor a log line has them.
"""

import functools
import logging
import re
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, TypeVar
from urllib.parse import unquote

import httpx
import tenacity

from alignments.download.answers import (
    CREDENTIALS,
    Extent,
    PassingError,
    Remote,
    UnknownHostError,
    check,
    same,
    shown,
    unreachable,
)
from pairs.errors import SettingsError, SourceError

Result = TypeVar("Result")
Log = logging.Logger | logging.LoggerAdapter[Any]
_PROGRESS = 8 << 20  # bytes after which a file that keeps being cut has earned all its attempts again

for _name in ("httpx", "httpcore"):  # they tell each request, headers and signatures of redirects included
    logging.getLogger(_name).setLevel(logging.WARNING)


class NoRangeError(Exception):
    """The server answers a request for a part with the whole file."""


class HaltedError(SourceError):
    """Another file of the release failed, so this one was left as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """How files are brought. None of it changes what they are."""

    timeout: float = 60.0
    """Seconds without a byte after which a connection is given up."""
    proxy: str | None = field(default=None, repr=False)
    """Address of a proxy; None: what the environment says (HTTPS_PROXY and its sisters)."""
    attempts: int = 5
    """How often a file is asked for before it is given up, counted anew after every 8 MiB that came."""
    files: int = 2
    """Files brought at the same time."""
    share: float = 0.6
    """Only the documents needed are fetched when they are less than this share of the whole zip; 0: never."""
    whole_below: int = 16 << 20
    """A zip of fewer bytes is fetched whole, whatever is needed of it."""
    gap: int = 256 << 10
    """Bytes nobody needs that are read over rather than asking twice."""
    request: int = 64 << 20
    """Bytes of one request for a part, at most."""
    pause: float = 1.0
    """Seconds before the second attempt; doubled from one to the next, and as many added at random."""
    longest_pause: float = 300.0
    """Seconds of one pause at most; a server that asks for more is given up."""


class Session:
    """Requests for the files of one release, from any number of threads; a context manager."""

    def __init__(self, transfer: Transfer, base: str, asked: str, log: Log) -> None:
        """`asked` says what was looked for, for the message when it is not there; raises SettingsError as `client`."""
        self.transfer = transfer
        self.log = log
        self.halt = threading.Event()
        self.claims: dict[Path, Callable[[], int]] = {}
        """Bytes that each file on its way still needs on the disk."""
        self._asked = asked
        self._client = client(transfer.timeout, base=base, proxy=transfer.proxy)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def head(self, url: str) -> Remote:
        """Ask what the file is; empty when the server answers no HEAD. Raises SourceError."""
        try:
            response = self._client.head(url)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise unreachable(url, error) from error
        if response.status_code in {405, 501}:
            return Remote()
        check(response, url, self._asked)
        return Remote.of(response)

    @contextmanager
    def get(self, url: str, remote: Remote, extent: Extent | None = None) -> Iterator[httpx.Response]:
        """Give the answer to a request for a file or an extent of it, when it is about the very file `remote`.

        The answer is 206 and begins where asked, or 200 and the whole file. Raises PassingError when the file has
        changed since, or when the connection breaks, also while the body is read; SourceError for another answer.
        """
        headers = {}
        if extent is not None:
            headers = {"Range": f"bytes={extent.start}-{extent.end - 1}", "If-Range": remote.validator or ""}
        try:
            with self._client.stream("GET", url, headers=headers) as response:
                check(response, url, self._asked, part=extent is not None)
                same(response, url, remote, extent)
                yield response
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise unreachable(url, error) from error

    def read(self, url: str, remote: Remote, extent: Extent) -> bytes:
        """Return an extent of a file; raises as `get`, and NoRangeError when the server would send the whole file."""
        with self.get(url, remote, extent) as response:
            if response.status_code == httpx.codes.OK:
                raise NoRangeError
            data = b"".join(response.iter_raw())
        if len(data) != extent.end - extent.start:
            raise PassingError(
                f"{shown(url)} sent {len(data)} bytes where bytes {extent.start} to {extent.end - 1} were asked for. "
                "Run again, or use another mirror."
            )
        return data

    def go_on(self) -> None:
        """Raise HaltedError when this session's work is wanted no more."""
        if self.halt.is_set():
            raise HaltedError("Stopped, because another file of the release failed. Fix that, then run again.")

    def persist(self, url: str, attempt: Callable[[], Result], received: Callable[[], int]) -> Result:
        """Return what `attempt` returns, called again after a PassingError as `Transfer` says; each pause is logged.

        `received` returns the bytes received so far; before the first, an unknown host is not tried again. Raises the
        last PassingError when the attempts are used up.
        """
        return tenacity.Retrying(
            retry=tenacity.retry_if_exception(lambda error: _is_passing(error, received)),
            stop=_Exhausted(self.transfer, received),
            wait=self._pause,
            sleep=self._sleep,
            before_sleep=lambda state: self._tell(url, state),
            reraise=True,
        )(attempt)

    def _pause(self, state: tenacity.RetryCallState) -> float:
        after, first, most = _after(state), self.transfer.pause, self.transfer.longest_pause
        grown = tenacity.wait_exponential_jitter(multiplier=first, max=most, jitter=first)(state)
        return grown if after is None else after

    def _sleep(self, seconds: float) -> None:
        self.halt.wait(seconds)
        self.go_on()

    def _tell(self, url: str, state: tenacity.RetryCallState) -> None:
        seconds = state.next_action.sleep if state.next_action else 0.0
        error = state.outcome.exception() if state.outcome else None
        self.log.warning("%s: attempt %d failed, next in %.1f s. %s", shown(url), state.attempt_number, seconds, error)


def _is_passing(error: BaseException, received: Callable[[], int]) -> bool:
    return isinstance(error, PassingError) and not (isinstance(error, UnknownHostError) and not received())


class _Exhausted(tenacity.stop.stop_base):
    """No more attempts: as many as allowed since bytes came last, or a pause asked for that is too long."""

    def __init__(self, transfer: Transfer, received: Callable[[], int]) -> None:
        self._transfer = transfer
        self._received = received
        self._then = 0
        self._since = 0

    def __call__(self, retry_state: tenacity.RetryCallState) -> bool:
        if self._received() - self._then >= _PROGRESS:
            self._then, self._since = self._received(), retry_state.attempt_number - 1
        after = _after(retry_state)
        too_long = after is not None and after > self._transfer.longest_pause
        return too_long or retry_state.attempt_number - self._since >= self._transfer.attempts


def client(timeout: float, *, base: str = "", proxy: str | None = None) -> httpx.Client:
    """Return an HTTP client; compression is off, so that a body is as long as its announced length.

    Name and password of the base address are sent as a header. Raises SettingsError for a proxy address that cannot
    work, the environment's included.
    """
    headers = {"Accept-Encoding": "identity", "User-Agent": "bitext-pivot"}
    given = CREDENTIALS.search(base)
    name, _, password = given[0][:-1].partition(":") if given else ("", "", "")
    auth = httpx.BasicAuth(unquote(name), unquote(password)) if given else None
    try:
        return httpx.Client(
            timeout=timeout, follow_redirects=True, headers=headers, auth=auth, proxy=proxy, verify=_certificates()
        )
    except (ValueError, ImportError, httpx.InvalidURL):
        safe = re.sub(r":(?!//|\d+/?$).*", ":..", shown(proxy or ""))  # a password may stand where a port belongs
        where = f"The proxy address {safe!r}" if proxy else "A proxy address in the environment (HTTPS_PROXY ..)"
        raise SettingsError(
            f"{where} cannot be used: expected http://host:port or https://host:port, perhaps with name:password@ "
            "before the host. Correct it."
        ) from None  # the cause may quote the password


@functools.cache
def _certificates() -> ssl.SSLContext:
    return httpx.create_ssl_context()  # takes longer than a small file


def _after(state: tenacity.RetryCallState) -> float | None:
    error = state.outcome.exception() if state.outcome else None
    return error.after if isinstance(error, PassingError) else None
