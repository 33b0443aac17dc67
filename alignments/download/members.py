"""Download some members of a remote zip with Range requests, as a zip of their own.

A language's zip has the documents of all its pairs (66 GB for the English of ParaCrawl v9). The links of one pair name
some of them, and only links of shape 1-2 and 2-1 are read. The bytes of these members are copied as they are, headers
included, and followed by a new directory.
"""

import hashlib
import io
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from bitext_pivot.alignments.download.file import Download, DownloadPlan
from bitext_pivot.alignments.download.part import is_complete
from bitext_pivot.alignments.download.responses import Extent, Remote
from bitext_pivot.alignments.download.session import NoRangeError, Session
from bitext_pivot.alignments.extraction import SHAPES
from bitext_pivot.alignments.release import names_of
from bitext_pivot.alignments.xces.links import read_groups
from bitext_pivot.core.progress import tracked
from bitext_pivot.core.storage import atomic

_SHARE = 0.6  # of a zip; if the needed members have more of its bytes, it is downloaded whole
_SMALL = 16 << 20  # a zip of fewer bytes is downloaded whole
_GAP = (
    256 << 10
)  # bytes between two members that are downloaded too, because another request takes longer
_LARGEST_DIRECTORY = 1 << 30
_UTF_8 = 0x800


class UnsuitedError(Exception):
    """The zip has to be downloaded whole; the message says why."""


class Member(NamedTuple):
    """A member: its directory entry, and the bytes from its header to the next one."""

    info: zipfile.ZipInfo
    extent: Extent


class NeededDocuments:
    """The documents that a link file names in links of the shapes that are read; it is read when first needed."""

    def __init__(self, links: Path, languages: tuple[str, str]) -> None:
        self._links, self._languages = links, languages
        self._lock = threading.Lock()
        self._documents: tuple[set[str], set[str]] | None = None

    @property
    def key(self) -> dict[str, Any]:
        """Return what the documents depend on: the SHA-256 of the downloaded link file, languages, shapes."""
        links = atomic.read_manifest(self._links)["sha256"]
        return {"links": links, "languages": [*self._languages], "shapes": sorted(SHAPES)}

    def of_side(self, side: int) -> set[str]:
        """Return the documents of the first (0) or second (1) language, without `.gz`.

        Raises SourceError if the link file is damaged.
        """
        with self._lock:
            if self._documents is None:
                self._documents = self._read()
            return self._documents[side]

    def _read(self) -> tuple[set[str], set[str]]:
        documents: tuple[set[str], set[str]] = set(), set()
        with tracked(f"documents in {self._links.name}", None, "links") as advance:
            for group in read_groups(self._links, self._languages):
                if group.candidates:
                    documents[0].add(group.documents[0])
                    documents[1].add(group.documents[1])
                advance(group.shapes.total())
        return documents


def download_members(
    session: Session, url: str, path: Path, needed: NeededDocuments, side: int
) -> None:
    """Download the needed documents from the zip of a language at `url`, as the zip `path`.

    The manifest also has the bytes of the whole zip (`whole`), the digest of its directory, the number of `members`,
    the bytes `fetched`, and what the documents depend on.

    Raises:
        UnsuitedError: the server or the zip does not allow it, or most of the zip is needed.
        SourceError, ShardError: as `Download.run`.
    """
    if is_complete(path) and not atomic.read_manifest(path).items() >= needed.key.items():
        path.unlink()  # made for other links

    def plan(remote: Remote) -> DownloadPlan:
        if remote.size is None or remote.validator is None:
            raise UnsuitedError("the server does not send its size and version")
        if remote.size < _SMALL:
            raise UnsuitedError("it is small")
        entries, end = read_directory(remote.size, lambda extent: session.read(url, remote, extent))
        directory = digest(entry.info for entry in entries)
        documents = needed.of_side(side)
        selected = [
            entry for entry in entries if not documents.isdisjoint(names_of(entry.info.filename))
        ]
        if documents and not selected:
            raise UnsuitedError("none of the documents that the links name is in its directory")
        extents, tail = compact(selected)
        fetched = remote.size - end + sum(extent.end - extent.start for extent in extents)
        if fetched >= _SHARE * remote.size:
            raise UnsuitedError(f"{fetched:,} of its {remote.size:,} bytes are needed")
        return DownloadPlan(
            extents=extents,
            tail=tail,
            facts={
                "whole": remote.size,
                "directory": directory,
                "members": len(selected),
                "fetched": fetched,
                **needed.key,
            },
            label=f"{len(selected):,} of the {len(entries):,} members of {remote.size / 1e6:,.1f} MB",
        )

    try:
        Download(session, url, path, plan).run()
    except NoRangeError as error:
        raise UnsuitedError("the server sends no parts of files") from error
    except zipfile.BadZipFile as error:
        raise UnsuitedError(f"it cannot be read as a zip ({error})") from error


def digest(infos: Iterable[zipfile.ZipInfo]) -> str:
    """Return the SHA-256 of what the directory of a zip says of its members, by position: name, size and CRC-32.

    It is known of a zip of which some members alone are downloaded, and the same for the whole zip. What is read of a
    member is compared with its CRC-32 then. CRC-32 is no protection from texts that somebody made to have the same one.
    """
    members = sorted(infos, key=lambda info: info.header_offset)
    lines = (f"{info.filename}\0{info.file_size}\0{info.CRC:08x}\n" for info in members)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


class _RemoteFile(io.RawIOBase):
    """A remote file that zipfile can read; `request` returns the bytes of an extent."""

    def __init__(self, size: int, request: Callable[[Extent], bytes]) -> None:
        self._size, self._request = size, request
        self._position = 0

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._position = (
            offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        )
        if self._position < 0:
            raise OSError("seek before the start of the file")
        return self._position

    def tell(self) -> int:
        return self._position

    def read(self, size: int = -1) -> bytes:
        start, end = (
            self._position,
            self._size if size < 0 else min(self._position + size, self._size),
        )
        if end - start > _LARGEST_DIRECTORY:
            raise zipfile.BadZipFile(f"its directory would have {end - start:,} bytes")
        self._position = max(start, end)
        return self._request(Extent(start, end)) if start < end else b""


def read_directory(size: int, request: Callable[[Extent], bytes]) -> tuple[list[Member], int]:
    """Return the members of a zip of `size` bytes by position, and where the last one ends.

    `request` returns the bytes of an extent. Raises zipfile.BadZipFile, and what `request` raises.
    """
    with zipfile.ZipFile(_RemoteFile(size, request)) as archive:
        infos = sorted(archive.infolist(), key=lambda info: info.header_offset)
        borders = [*(info.header_offset for info in infos), archive.start_dir]
    if not all(info.flag_bits & _UTF_8 or info.filename.isascii() for info in infos):
        raise zipfile.BadZipFile("names in an unknown encoding")  # zipfile would write other bytes
    return [Member(info, Extent(*borders[n : n + 2])) for n, info in enumerate(infos)], borders[-1]


def compact(entries: list[Member]) -> tuple[list[Extent], bytes]:
    """Return the extents to copy for some members, and the directory of the zip that they make one after the other."""
    extents: list[Extent] = []
    skipped = end = 0
    with tempfile.TemporaryFile() as file, zipfile.ZipFile(file, "w") as archive:
        for info, extent in entries:
            if extents and extent.start - end <= _GAP:
                extents[-1] = Extent(extents[-1].start, extent.end)
            else:
                extents.append(extent)
                skipped += extent.start - end
            end = extent.end
            info.header_offset = extent.start - skipped
            archive.filelist.append(info)
        archive.start_dir = end - skipped
        archive.comment = b""  # marks the zip as changed, so that closing it writes the directory
        archive.close()
        file.seek(end - skipped)
        return extents, file.read()
