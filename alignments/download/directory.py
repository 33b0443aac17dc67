"""The members of a remote zip, read by zipfile over Range requests, and a directory for a zip of some of them."""

import io
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from alignments.download.answers import Extent

TAIL = 1 << 17
"""Bytes read from the end of a zip at once, where most directories begin."""
_LARGEST = 1 << 30  # bytes of a directory
_UTF_8 = 0x800


class Entry(NamedTuple):
    """One member: its directory entry, and the bytes from its header to the next one."""

    info: zipfile.ZipInfo
    extent: Extent


class _Remote(io.RawIOBase):
    """A remote file as zipfile needs it; the tail is read once."""

    def __init__(self, size: int, read: Callable[[Extent], bytes]) -> None:
        self._size, self._read = size, read
        self._start = max(0, size - TAIL)
        self._tail = read(Extent(self._start, size))
        self._position = 0

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._position = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        if self._position < 0:
            raise OSError("seek before the start of the file")
        return self._position

    def tell(self) -> int:
        return self._position

    def read(self, size: int = -1) -> bytes:
        start, end = self._position, self._size if size < 0 else min(self._position + size, self._size)
        self._position = max(start, end)
        missing = Extent(start, min(end, self._start))
        if missing.end - missing.start > _LARGEST:
            raise zipfile.BadZipFile(f"its directory would have {missing.end - missing.start:,} bytes")
        head = self._read(missing) if missing.start < missing.end else b""
        return head + self._tail[max(start - self._start, 0) : max(end - self._start, 0)]


def entries(size: int, read: Callable[[Extent], bytes]) -> list[Entry]:
    """Return the members of a zip of `size` bytes by position; `read` returns an extent of it.

    Raises zipfile.BadZipFile, and what `read` raises.
    """
    with zipfile.ZipFile(_Remote(size, read)) as archive:
        infos = sorted(archive.infolist(), key=lambda info: info.header_offset)
        ends = [*(info.header_offset for info in infos), archive.start_dir][1:]
    if not all(info.flag_bits & _UTF_8 or info.filename.isascii() for info in infos):
        raise zipfile.BadZipFile("names in an unknown encoding")  # another directory would not keep their bytes
    return [Entry(info, Extent(info.header_offset, end)) for info, end in zip(infos, ends, strict=True)]


def compact(chosen: Sequence[Entry]) -> bytes:
    """Return the directory of a zip that consists of these members' extents one after the other."""
    with tempfile.TemporaryFile() as file, zipfile.ZipFile(file, "w") as archive:
        for entry in chosen:
            entry.info.header_offset = file.tell()
            archive.filelist.append(entry.info)
            file.seek(entry.extent.end - entry.extent.start, io.SEEK_CUR)  # a hole: only the directory is written
        start = archive.start_dir = file.tell()
        archive.comment = b""  # marks the zip as changed, so that closing writes the directory
        archive.close()
        file.seek(start)
        return file.read()


def joined(chosen: Iterable[Entry]) -> list[Extent]:
    """Return the extents of members, neighbours as one."""
    extents: list[Extent] = []
    for entry in chosen:
        if extents and extents[-1].end == entry.extent.start:
            extents[-1] = Extent(extents[-1].start, entry.extent.end)
        else:
            extents.append(entry.extent)
    return extents
