"""Download some members of a remote zip with Range requests, as a zip of their own.

A language's zip has the documents of all its pairs (66 GB for the English of ParaCrawl v9). The links of one pair name
some of them, and only links of shape 1-2 and 2-1 are read.
"""

import hashlib
import shutil
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from fsspec.spec import AbstractBufferedFile

from bitext_pivot.alignments.download.file import ATTEMPTS, announced_pause, locked
from bitext_pivot.alignments.download.part import is_complete
from bitext_pivot.alignments.download.responses import Extent, Remote, TransientError, redacted
from bitext_pivot.alignments.download.session import Session, UnsuitedError
from bitext_pivot.alignments.extraction import CANDIDATE_SHAPES
from bitext_pivot.alignments.release import DAMAGE_ERRORS, document_names
from bitext_pivot.alignments.xces.links import read_link_groups
from bitext_pivot.core.errors import ShardError, SourceError
from bitext_pivot.core.progress import tracked
from bitext_pivot.core.retries import repeat
from bitext_pivot.core.storage import atomic

_SHARE = 0.6  # of a zip; if the needed members have more of its bytes, it is downloaded whole
_SMALL = 16 << 20  # a zip of fewer bytes is downloaded whole
_BLOCK = 1 << 20  # bytes of a request
_FAST = 1  # level of compression
_LARGEST = 1 << 30  # bytes of a directory
_Answer = TypeVar("_Answer")


class RemoteFile(AbstractBufferedFile):  # type: ignore[misc] # fsspec has no types
    """A remote file, read in blocks by the client of a session: fsspec's own needs one more package."""

    def __init__(self, session: Session, url: str, remote: Remote) -> None:
        self._session, self._url, self._remote = session, url, remote
        super().__init__(
            None, redacted(url), block_size=_BLOCK, cache_type="blockcache", size=remote.size
        )

    def read(self, length: int = -1) -> bytes:
        """Return the next bytes. Raises BadZipFile for a directory that no memory holds."""
        if length > _LARGEST:
            raise zipfile.BadZipFile(f"a directory of {length:,} bytes")
        content: bytes = super().read(length)
        return content

    def _fetch_range(self, start: int, end: int) -> bytes:
        def read() -> bytes:
            self._session.check_halted()
            return self._session.read(self._url, self._remote, Extent(start, min(end, self.size)))

        return _repeated(self._session, self._url, read)


def _repeated(session: Session, url: str, ask: Callable[[], _Answer]) -> _Answer:
    """Return the answer of a server; ask again, with pauses, after an error that may pass."""

    def pause(error: SourceError, attempt: int) -> float | None:
        if not isinstance(error, TransientError) or attempt == ATTEMPTS:
            return None
        return announced_pause(error, attempt, url, session.log)

    return repeat(ask, pause, session.halted.wait)


class NeededDocuments(NamedTuple):
    """The documents of a side that a link file names in links of the shapes that are read."""

    links: Path
    languages: tuple[str, str]
    side: int
    """0 for those of the first language, 1 for those of the second."""

    @property
    def key(self) -> dict[str, Any]:
        """What the documents depend on: the SHA-256 of the downloaded link file, shapes."""
        links = atomic.read_manifest(self.links)["sha256"]
        return {"links": links, "shapes": sorted(CANDIDATE_SHAPES)}

    def names(self) -> set[str]:
        """Read the names, without `.gz`. Raises SourceError if the link file is damaged."""
        names: set[str] = set()
        with tracked(f"documents in {self.links.name}", None, "links") as advance:
            for group in read_link_groups(self.links, self.languages):
                if group.candidates:
                    names.add(group.documents[self.side])
                advance(group.shapes.total())
        return names


def download_members(session: Session, url: str, path: Path, needed: NeededDocuments) -> None:
    """Download the needed documents from the zip of a language at `url`, as the zip `path`.

    The manifest also has the bytes of the whole zip (`whole`), the digest of its directory, and what the documents
    depend on. A download that is cut off begins again.

    Raises:
        UnsuitedError: the server or the zip does not allow it, or most of the zip is needed.
        SourceError, ShardError: as `Download.run`.
    """
    with locked(path, session):
        if is_complete(path) and atomic.read_manifest(path).items() >= needed.key.items():
            return
        remote = _repeated(session, url, lambda: session.head(url))
        if remote.size is None or remote.validator is None:
            raise UnsuitedError("the server does not send its size and version")
        if remote.size < _SMALL:
            raise UnsuitedError("it is small")
        documents = needed.names()
        try:
            with zipfile.ZipFile(RemoteFile(session, url, remote)) as archive:
                facts = {"url": redacted(url), "etag": remote.etag, "whole": remote.size}
                facts |= {"directory": digest(archive.infolist()), **needed.key}
                _copy(archive, documents, path, facts)
        except DAMAGE_ERRORS as error:
            raise UnsuitedError(f"it cannot be read as a zip ({error})") from error


def _copy(archive: zipfile.ZipFile, documents: set[str], path: Path, facts: dict[str, Any]) -> None:
    """Write the members with the documents as a zip, with its manifest. Raises UnsuitedError if they are most of it."""
    infos = sorted(archive.infolist(), key=lambda info: info.header_offset)
    members = [info for info in infos if not documents.isdisjoint(document_names(info.filename))]
    total, whole = sum(info.compress_size for info in members), facts["whole"]
    blocks = {
        block
        for info in members
        for block in range(
            info.header_offset // _BLOCK, (info.header_offset + info.compress_size) // _BLOCK + 1
        )
    }
    if len(blocks) * _BLOCK >= _SHARE * whole:
        raise UnsuitedError(
            f"{total:,} of its {whole:,} bytes are needed, in {len(blocks):,} blocks"
        )
    if shutil.disk_usage(path.parent).free < total:
        raise ShardError(
            f"{path} needs about {total:,} bytes, more than are free. Free space, then run again."
        )
    path.unlink(missing_ok=True)  # an older file of this size would pass for the new one
    with atomic.replacing(path) as partial:
        with (
            zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED, compresslevel=_FAST) as copy,
            tracked(path.name, total, unit="bytes") as advance,
        ):
            for info in members:
                with (
                    archive.open(info) as read,
                    copy.open(info.filename, "w", force_zip64=True) as write,
                ):
                    shutil.copyfileobj(read, write, _BLOCK)
                advance(info.compress_size)
        written = {"bytes": partial.stat().st_size, "sha256": atomic.sha256(partial)}
        atomic.write_sealed(atomic.manifest_path(path), written | facts)


def digest(infos: Iterable[zipfile.ZipInfo]) -> str:
    """Return the SHA-256 of what the directory of a zip says of its members, by position: name, size and CRC-32.

    It is known of a zip of which some members alone are downloaded, and the same for the whole zip. What is read of a
    member is compared with its CRC-32 then. CRC-32 is no protection from texts that somebody made to have the same one.
    """
    members = sorted(infos, key=lambda info: info.header_offset)
    lines = (f"{info.filename}\0{info.file_size}\0{info.CRC:08x}\n" for info in members)
    return hashlib.sha256("".join(lines).encode()).hexdigest()
