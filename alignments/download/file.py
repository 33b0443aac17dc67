"""One file by HTTP: it grows as `<name>.part`, survives a kill, and gets its name when it is whole.

Each attempt begins with a HEAD and goes on with If-Range; what is there is kept only when the server still has the
version that it is a part of (alignments/download/parts.py). What is written need not be the whole remote file: a `Plan`
names the extents that are, and what follows them.
"""

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from alignments.download.answers import Extent, PassingError, Remote, shown
from alignments.download.parts import Part, kept, locked, room
from alignments.download.sessions import NoRangeError, Session
from pairs.progress import tracked

_ENDLESS = 1 << 62  # end of an extent that reaches to the end of a file of unknown size


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What of a remote file is written, in order: ascending extents that do not overlap, then `tail`."""

    extents: Sequence[Extent]
    whole: bool = False
    """The one extent is the whole file, so that an answer without Range will do."""
    tail: bytes = b""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the manifest says beyond bytes, sha256, url and etag."""
    label: str = ""
    """What the log line says of it."""

    @property
    def bytes(self) -> int:
        """Bytes of the extents."""
        return sum(extent.end - extent.start for extent in self.extents)

    @property
    def digest(self) -> str:
        """What tells this plan from others."""
        return hashlib.sha256(repr([tuple(extent) for extent in self.extents]).encode() + self.tail).hexdigest()

    def left(self, have: int) -> Iterator[Extent]:
        """Yield what is missing when the first `have` bytes are there."""
        for extent in self.extents:
            length = extent.end - extent.start
            if have < length:
                yield Extent(extent.start + have, extent.end)
            have = max(0, have - length)


class Request(NamedTuple):
    """Bytes asked for at once, and which of them are wanted."""

    start: int
    end: int
    extents: tuple[Extent, ...]


def requests(extents: Iterable[Extent], *, gap: int, limit: int) -> Iterator[Request]:
    """Yield the requests that cover ascending, disjoint extents.

    Up to `gap` unwanted bytes are read over rather than asking twice; a request has at most `limit` bytes and begins
    and ends with wanted ones.
    """
    group: list[Extent] = []
    for extent in extents:
        for start in range(extent.start, extent.end, limit):
            piece = Extent(start, min(start + limit, extent.end))
            if group and (piece.start - group[-1].end > gap or piece.end - group[0].start > limit):
                yield Request(group[0].start, group[-1].end, tuple(group))
                group = []
            group.append(piece)
    if group:
        yield Request(group[0].start, group[-1].end, tuple(group))


def whole(remote: Remote) -> Plan:
    """Plan the whole file."""
    return Plan(extents=(Extent(0, _ENDLESS if remote.size is None else remote.size),), whole=True)


class Download:
    """One file on its way to `path`.

    `planner` turns what the server says of the file into a plan.
    """

    def __init__(
        self,
        session: Session,
        url: str,
        path: Path,
        planner: Callable[[Remote], Plan] = whole,
    ) -> None:
        self.session, self.url, self.path = session, url, path
        self.remote = Remote()
        self.plan = Plan(extents=())
        self.part = Part(path)
        self.received = 0
        """Bytes of the plan's requests that came from the server."""
        self._planner = planner

    def run(self) -> None:
        """Bring the file, unless it is there by the time that its lock is ours, and log a line.

        Raises SourceError when the file is not there or does not come whole, ShardError when it cannot be written here;
        passes on what `planner` raises.
        """
        if kept(self.path) is None:
            with locked(self.session, self.path):
                if kept(self.path) is None:
                    self._bring()

    def _bring(self) -> None:
        begun = time.monotonic()
        self.session.persist(self.url, self._attempt, lambda: self.received)
        facts = {"url": shown(self.url), "etag": self.remote.etag, **self.plan.facts}
        size, seconds = self.part.settle(facts), time.monotonic() - begun
        notes = [self.plan.label, f"resumed at {self.part.resumed / 1e6:.1f} MB" if self.part.resumed else ""]
        speed = self.received / 1e6 / max(seconds, 1e-3)
        told = self.path.name, size / 1e6, seconds, speed, "".join(f", {note}" for note in notes if note)
        self.session.log.info("%s: %.1f MB in %.1f s, %.1f MB/s%s", *told)

    def _attempt(self) -> None:
        """Bring what is missing."""
        remote = self.session.head(self.url)
        if not self.received or remote != self.remote:
            self.plan = self._planner(remote)
        self.remote = remote
        identity = {"url": shown(self.url), "plan": self.plan.digest, **asdict(remote)}
        lasting = remote.size is not None and remote.validator is not None
        with self.part.opened(identity, lasting=lasting, most=self.plan.bytes):
            self.session.claims[self.path] = self._missing
            try:
                self._fill()
            finally:
                del self.session.claims[self.path]
            self.part.write(self.plan.tail)

    def _missing(self) -> int:
        """Return the bytes that are still to be written, 0 when nobody knows."""
        total = self.plan.bytes
        return 0 if total >= _ENDLESS else total + len(self.plan.tail) - self.part.have

    def _fill(self) -> None:
        room(self.session, self.path)
        total = self.plan.bytes
        with tracked(self.path.name, total if total < _ENDLESS else None, unit="bytes") as advance:
            advance(self.part.have)
            for request in self._requests():
                self._receive(request, advance)

    def _requests(self) -> Iterator[Request]:
        transfer = self.session.transfer
        limit = 2 * _ENDLESS if self.plan.whole else transfer.request
        return requests(self.plan.left(self.part.have), gap=transfer.gap, limit=limit)

    def _receive(self, request: Request, advance: Callable[[int], None]) -> None:
        """Ask for some bytes and write the wanted ones."""
        plain = self.plan.whole and request.start == 0
        asked = None if plain else Extent(request.start, request.end)
        with self.session.get(self.url, self.remote, asked) as response:
            if response.status_code == 200 and not plain:
                request = self._from_the_beginning(advance)
            at = request.start
            for chunk in response.iter_raw():
                self.session.go_on()
                self.received += len(chunk)
                advance(sum(self.part.write(piece) for piece in _wanted(chunk, at, request.extents)))
                at += len(chunk)
        if at != request.end and request.end < _ENDLESS:
            self._refuse(at, request.end)

    def _from_the_beginning(self, advance: Callable[[int], None]) -> Request:
        """Take the whole file from a server that sends it when asked for a part."""
        if not self.plan.whole:
            raise NoRangeError
        advance(-self.part.have)
        self.part.restart()
        return next(self._requests())

    def _refuse(self, at: int, end: int) -> None:
        if at > end:
            self.part.restart()  # nobody knows which of these bytes are right
        raise PassingError(
            f"{shown(self.url)} ended at byte {at}, expected {end}. "
            "Run again, or use another mirror: what has come is kept."
        )


def _wanted(chunk: bytes, at: int, extents: Sequence[Extent]) -> Iterator[memoryview]:
    """Yield the parts of a chunk, which begins at byte `at` of the remote file, that lie in an extent."""
    for extent in extents:
        start, end = max(extent.start, at), min(extent.end, at + len(chunk))
        if start < end:
            yield memoryview(chunk)[start - at : end - at]
