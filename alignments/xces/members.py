"""Bytes of the members of a zip, quickly: the directory is read once, a member costs one look-up and one read.

zipfile reads the directory, with its checks. Members are inflated by isal instead of zlib and without the file object
that zipfile makes for each; size and checksum are compared all the same. Methods other than stored and deflated are
left to zipfile.
"""

import struct
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import cast

from isal import igzip_lib, isal_zlib

_CHUNK = 1 << 18
_LOCAL = struct.Struct("<4s22xHH")  # signature; lengths of the name and of the extra field that follow
_SPARE = 64  # bytes read beyond the name, so that an extra field of the usual length costs no second read
_ENCRYPTED = 1

_INFLATING = cast("type[Exception]", igzip_lib.error)  # a class, though its stub calls it an instance
DAMAGES = (zipfile.BadZipFile, _INFLATING, EOFError, OSError, NotImplementedError, RuntimeError)
"""What reading a damaged, encrypted or unknown member can raise."""


class Members:
    """The members of one zip; close it when done."""

    def __init__(self, path: Path) -> None:
        """Open the zip; raises OSError or zipfile.BadZipFile."""
        self._zip = zipfile.ZipFile(path)
        self.by_name = self._zip.NameToInfo
        """Directory entries by full name."""

    def close(self) -> None:
        """Close the zip."""
        self._zip.close()

    def chunks(self, member: zipfile.ZipInfo) -> Iterator[bytes]:
        """Yield a member's bytes, some 256 KiB at a time; raises one of DAMAGES, at the latest with the last."""
        if member.flag_bits & _ENCRYPTED or member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            with self._zip.open(member) as file:
                while chunk := file.read(_CHUNK):
                    yield chunk
            return
        checksum = size = 0
        for chunk in self._unchecked(member):
            checksum, size = isal_zlib.crc32(chunk, checksum), size + len(chunk)
            if size >= member.file_size and (size != member.file_size or checksum != member.CRC):
                break
            yield chunk
        if size != member.file_size or checksum != member.CRC:
            raise zipfile.BadZipFile(f"Bad CRC-32 or size of member {member.filename!r}")

    def _unchecked(self, member: zipfile.ZipInfo) -> Iterable[bytes]:
        """Return a stored or deflated member's bytes."""
        at, left = member.header_offset, member.compress_size
        head = self._read(at, _LOCAL.size + len(member.filename) + _SPARE + min(left, _CHUNK))
        if len(head) < _LOCAL.size:
            raise EOFError("the archive ends before the member")
        signature, name, extra = _LOCAL.unpack_from(head)
        if signature != b"PK\3\4":
            raise zipfile.BadZipFile(f"Bad magic number before member {member.filename!r}")
        start = _LOCAL.size + name + extra
        first = head[start : start + left]
        pieces = (first,) if len(first) == left else self._pieces(first, at + start + len(first), left - len(first))
        if member.compress_type == zipfile.ZIP_STORED:
            return pieces
        if len(first) == left and member.file_size <= _CHUNK:
            # asking for one byte more than there should be shows a member that is larger than the directory says
            return (igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_DEFLATE).decompress(first, member.file_size + 1),)
        return _inflated(iter(pieces))

    def _read(self, at: int, amount: int) -> bytes:
        file = self._zip.fp
        if file is None:
            raise EOFError("the archive is closed")
        file.seek(at)
        return file.read(amount)

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
