"""Some members of a remote zip: a zip of its own beside the place of the whole one, fetched by Range requests.

A language's zip has the documents of all its pairs (66 GB for the English of ParaCrawl v9); a pair's links name some of
them, and only links of shape 1-2 or 2-1 are ever read. Those members' bytes are copied as they are, headers included,
and a directory is put behind them. Where this would not pay, or the server or the zip does not allow it, UnsuitedError
says so and the zip is fetched whole.
"""

import threading
import zipfile
from collections.abc import Iterable, Iterator, Set
from pathlib import Path
from typing import Any

from alignments.download import directory
from alignments.download.answers import Remote
from alignments.download.file import Download, Plan, requests
from alignments.download.parts import kept
from alignments.download.sessions import NoRangeError, Session
from alignments.extract import SHAPES
from alignments.xces.links import read_links
from pairs.progress import tracked
from pairs.storage import atomic


class UnsuitedError(Exception):
    """The zip is better fetched whole; the message says why."""


class Needs:
    """The documents that a link file names in links of the shapes that are read; found when first asked for."""

    def __init__(self, links: Path) -> None:
        self._links = links
        self._lock = threading.Lock()
        self._documents: tuple[frozenset[str], frozenset[str]] | None = None

    @property
    def key(self) -> dict[str, Any]:
        """What the documents depend on: the link file's SHA-256, from its manifest, and the shapes."""
        return {"links": atomic.read_manifest(self._links)["sha256"], "shapes": sorted(SHAPES)}

    def documents(self, side: int) -> frozenset[str]:
        """Return the documents of the first (0) or second (1) language as the links name them, without `.gz`.

        Raises SourceError when the link file is damaged.
        """
        with self._lock:
            if self._documents is None:
                self._documents = self._read()
            return self._documents[side]

    def _read(self) -> tuple[frozenset[str], frozenset[str]]:
        documents: tuple[set[str], set[str]] = set(), set()
        with tracked(f"documents in {self._links.name}", None) as advance:
            for link in read_links(self._links):
                if not link.bad and link.shape in SHAPES:
                    documents[0].add(link.documents[0])
                    documents[1].add(link.documents[1])
                advance(1)
        return frozenset(documents[0]), frozenset(documents[1])


class Excerpt:
    """The zip of those members of a language's zip that a pair needs."""

    def __init__(self, session: Session, url: str, path: Path, needs: Needs, side: int) -> None:
        self.path = path
        self._session, self._url = session, url
        self._needs, self._side = needs, side

    def bring(self) -> None:
        """Bring it to `path` unless it is there and has all members needed.

        The manifest says bytes, sha256, url, and of the whole zip: `whole` (bytes) and `etag`; also how many `members`
        it has, the `fetched` bytes, the `links` (SHA-256) and `shapes` it was made for, and documents `absent` from the
        whole zip. Raises UnsuitedError when the zip is better fetched whole, and as `Download.run`.
        """
        if kept(self.path) is not None and not self._suffices():
            atomic.manifest_path(self.path).unlink(missing_ok=True)  # believed by nobody from now on
        try:
            Download(self._session, self._url, self.path, self._plan).run()
        except NoRangeError as error:
            raise UnsuitedError("the server sends no parts of files") from error
        except zipfile.BadZipFile as error:
            raise UnsuitedError(f"it cannot be read as a zip ({error})") from error

    def _suffices(self) -> bool:
        facts = atomic.read_manifest(self.path)
        if facts.items() >= self._needs.key.items():
            return True
        wanted = self._needs.documents(self._side) - set(facts.get("absent", ()))
        try:
            with zipfile.ZipFile(self.path) as archive:
                return wanted <= _named(archive.namelist(), wanted)
        except zipfile.BadZipFile:
            return False

    def _plan(self, remote: Remote) -> Plan:
        transfer = self._session.transfer
        if remote.size is None or remote.validator is None:
            raise UnsuitedError("the server does not tell its size and version")
        if remote.size < transfer.whole_below:
            raise UnsuitedError("it is small")
        entries = directory.entries(remote.size, lambda extent: self._session.read(self._url, remote, extent))
        wanted = self._needs.documents(self._side)
        chosen = [entry for entry in entries if not wanted.isdisjoint(_names(entry.info.filename))]
        found = _named((entry.info.filename for entry in chosen), wanted)
        if wanted and not found:
            raise UnsuitedError("none of the documents that the links name is in its directory")
        extents = directory.joined(chosen)
        asked = requests(extents, gap=transfer.gap, limit=transfer.request)
        overhead = max(directory.TAIL, remote.size - entries[-1].extent.end)
        fetched = overhead + sum(request.end - request.start for request in asked)
        if fetched >= transfer.share * remote.size:
            raise UnsuitedError(f"{fetched:,} of its {remote.size:,} bytes are needed")
        return Plan(
            extents=extents,
            tail=directory.compact(chosen),
            facts={
                "whole": remote.size,
                "members": len(chosen),
                "fetched": fetched,
                **self._needs.key,
                "absent": sorted(wanted - found),
            },
            label=f"{len(chosen):,} of the {len(entries):,} members of {remote.size / 1e6:,.1f} MB",
        )


def _names(member: str) -> Iterator[str]:
    """Yield what links may call a member: its name without up to two leading folders, which are corpus and form."""
    yield member
    for _ in range(2):
        _, separator, member = member.partition("/")
        if separator:
            yield member


def _named(members: Iterable[str], wanted: Set[str]) -> set[str]:
    return {name for member in members for name in _names(member) if name in wanted}
