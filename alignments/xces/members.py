"""Bytes of the members of a zip, quickly: the directory is read once, a member costs one look-up and one read.

Members are inflated by isal instead of zlib and without the file object that zipfile makes for each; size and checksum
are compared all the same. A plainly written directory is read without making an object of zipfile's for each entry,
which is three times as fast. What is unusual is left to zipfile: any other directory, with its checks and complaints,
and methods other than stored and deflated. Format: APPNOTE.TXT of PKWARE, sections 4.3.7 (a member's own header) and
4.3.12 (its entry in the directory).
"""

import os
import struct
import zipfile
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from isal import igzip_lib, isal_zlib

from alignments.download.directory import TAIL, StrangeZipError, bounds

_CHUNK = 1 << 18
# signature, flags, method, checksum, packed size, size, lengths of name, extra field and comment, offset
_ENTRY = struct.Struct("<4s4x2H4x3L3H8xL")
_FULL = 0xFFFF_FFFF  # where the number stands in a ZIP64 extra field
_UTF_8 = 0x800
_LOCAL = struct.Struct("<4s22xHH")  # signature; lengths of the name and of the extra field that follow
_SPARE = 64  # bytes read beyond the name, so that an extra field of the usual length costs no second read
_ENCRYPTED = 1

_INFLATING = cast("type[Exception]", igzip_lib.error)  # a class, though its stub calls it an instance
DAMAGES = (zipfile.BadZipFile, _INFLATING, EOFError, OSError, NotImplementedError, RuntimeError)
"""What reading a damaged, encrypted or unknown member can raise."""


class Member(NamedTuple):
    """An entry of the directory."""

    name: str
    at: int
    """Where the member's own header begins."""
    packed: int
    """Bytes in the zip."""
    size: int
    """Bytes when inflated."""
    checksum: int
    """CRC-32 of the inflated bytes."""
    method: int
    """0 is stored, 8 deflated."""
    flags: int


class Members:
    """The members of one zip; close it when done."""

    def __init__(self, path: Path) -> None:
        """Open the zip; raises OSError or zipfile.BadZipFile."""
        self._file = path.open("rb")
        try:
            self.by_name = _directory(self._file)
            """Entries by full name."""
        except BaseException:
            self._file.close()
            raise

    def close(self) -> None:
        """Close the zip."""
        self._file.close()

    def chunks(self, member: Member) -> Iterator[bytes]:
        """Yield a member's bytes, some 256 KiB at a time; raises one of DAMAGES, at the latest with the last."""
        if member.flags & _ENCRYPTED or member.method not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            yield from self._read_by_zipfile(member.name)
            return
        checksum = size = 0
        for chunk in self._unchecked(member):
            checksum, size = isal_zlib.crc32(chunk, checksum), size + len(chunk)
            if size >= member.size and (size != member.size or checksum != member.checksum):
                break
            yield chunk
        if size != member.size or checksum != member.checksum:
            raise zipfile.BadZipFile(f"Bad CRC-32 or size of member {member.name!r}")

    def _unchecked(self, member: Member) -> Iterable[bytes]:
        """Return a stored or deflated member's bytes."""
        at, left = member.at, member.packed
        head = self._read(at, _LOCAL.size + len(member.name) + _SPARE + min(left, _CHUNK))
        if len(head) < _LOCAL.size:
            raise EOFError("the archive ends before the member")
        signature, name, extra = _LOCAL.unpack_from(head)
        if signature != b"PK\3\4":
            raise zipfile.BadZipFile(f"Bad magic number before member {member.name!r}")
        start = _LOCAL.size + name + extra
        first = head[start : start + left]
        pieces = (first,) if len(first) == left else self._pieces(first, at + start + len(first), left - len(first))
        if member.method == zipfile.ZIP_STORED:
            return pieces
        if len(first) == left and member.size <= _CHUNK:
            # asking for one byte more than there should be shows a member that is larger than the directory says
            return (igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_DEFLATE).decompress(first, member.size + 1),)
        return _inflated(iter(pieces))

    def _read(self, at: int, amount: int) -> bytes:
        if self._file.closed:
            raise EOFError("the archive is closed")
        self._file.seek(at)
        return self._file.read(amount)

    def _read_by_zipfile(self, name: str) -> Iterator[bytes]:
        with self._zip.open(name) as file:
            while chunk := file.read(_CHUNK):
                yield chunk

    @cached_property
    def _zip(self) -> zipfile.ZipFile:
        """The same file as zipfile sees it: made at the first unusual member, because it reads the directory again."""
        return zipfile.ZipFile(self._file)

    def _pieces(self, first: bytes, at: int, left: int) -> Iterator[bytes]:
        if first:
            yield first
        while left > 0:
            piece = self._read(at, min(left, _CHUNK))
            if not piece:
                raise EOFError("the archive ends within the member")
            yield piece
            at, left = at + len(piece), left - len(piece)


def _inflated(pieces: Iterator[bytes]) -> Iterator[bytes]:
    inflater = igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_DEFLATE)
    while not inflater.eof:
        piece = b""
        if inflater.needs_input and not (piece := next(pieces, b"")):
            raise EOFError("the member's compressed data has no end")
        yield inflater.decompress(piece, _CHUNK)


def _directory(file: BinaryIO) -> dict[str, Member]:
    """Return the entries by name, of entries with the same name the last; raises zipfile.BadZipFile."""
    try:
        return _plain_directory(file)
    except (StrangeZipError, struct.error, UnicodeDecodeError):
        with zipfile.ZipFile(file) as archive:
            return {name: _member(info) for name, info in archive.NameToInfo.items()}


def _member(info: zipfile.ZipInfo) -> Member:
    where = info.header_offset, info.compress_size, info.file_size
    return Member(info.filename, *where, info.CRC, info.compress_type, info.flag_bits)


def _plain_directory(file: BinaryIO) -> dict[str, Member]:
    """Return the entries of a directory without ZIP64 numbers and with names in ASCII or UTF-8."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(size - TAIL, 0))
    (start, end), amount = bounds(file.read(), size)
    file.seek(start)
    directory = file.read(end - start)
    found: dict[str, Member] = {}
    at = count = 0
    while at < len(directory):
        signature, flags, method, checksum, packed, size, *lengths, start = _ENTRY.unpack_from(directory, at)
        title = directory[at + _ENTRY.size : at + _ENTRY.size + lengths[0]]
        if signature != b"PK\1\2" or b"\0" in title or _FULL in {packed, size, start}:
            raise StrangeZipError("left to zipfile")
        text = title.decode("utf-8" if flags & _UTF_8 else "ascii")
        found[text] = Member(text, start, packed, size, checksum, method, flags)
        at, count = at + _ENTRY.size + sum(lengths), count + 1
    if count != amount or at != len(directory):
        raise StrangeZipError("left to zipfile")
    return found
