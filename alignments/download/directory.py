"""The directory at the end of a zip, as bytes: where members lie, and a directory for a zip of some of them.

Format: APPNOTE.TXT of PKWARE, sections 4.3.12 (entry), 4.3.14 and 4.3.15 (ZIP64), 4.3.16 (end) and 4.5.3 (ZIP64 extra
field). An entry is copied as it stands and only its offset is changed, so that names, flags and checksums stay. What is
unusual is refused with StrangeZipError: such a zip can still be fetched whole and read by zipfile.
"""

import struct
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from alignments.download.answers import Extent

TAIL = 1 << 17
"""Bytes to read from the end of a zip to find its directory: the longest comment, ZIP64 records, and then some."""
_END = struct.Struct("<4s4H2LH")  # signature, 2 disk numbers, 2 counts, size and offset of the directory, comment
_END64 = struct.Struct("<4sQ2H2L4Q")  # signature, own size, 2 versions, 2 disk numbers, 2 counts, size, offset
_LOCATOR = struct.Struct("<4sLQL")  # signature, disk, offset of the record above, number of disks
_ENTRY = struct.Struct("<4s6H3L5H2L")
_LOCAL = 30  # bytes of a member's own header, without name and extra field
_UTF_8 = 0x800
_FULL, _MANY = 0xFFFF_FFFF, 0xFFFF  # what stands where a number is in the ZIP64 records


class StrangeZipError(Exception):
    """The directory cannot be trusted or understood; the message says why."""


class Entry(NamedTuple):
    """One member: the bytes from its header to the next one, and its record in the directory."""

    name: str
    extent: Extent
    record: bytes
    at: int
    """Where in the record the offset stands: the last field, or 8 bytes in the ZIP64 extra field."""
    place: int
    """In the directory, counted from 0."""


class Bounds(NamedTuple):
    """Where the directory lies in the zip, and how many entries it has."""

    extent: Extent
    members: int


def bounds(tail: bytes, size: int) -> Bounds:
    """Return where the directory of a zip of `size` bytes lies, by its last bytes; raises StrangeZipError."""
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) - at < _END.size:
        raise StrangeZipError("no end of a zip directory")
    *_, count, length, start, comment = _END.unpack_from(tail, at)
    if at + _END.size + comment != len(tail):
        raise StrangeZipError("bytes behind the end of the zip directory")
    end = size - len(tail) + at
    if at >= _LOCATOR.size and tail[at - _LOCATOR.size :].startswith(b"PK\x06\x07"):
        *_, where, _ = _LOCATOR.unpack_from(tail, at - _LOCATOR.size)
        at, end = where - (size - len(tail)), where
        if at < 0 or not tail[at:].startswith(b"PK\x06\x06"):
            raise StrangeZipError("no ZIP64 record where the zip says")
        *_, count, length, start = _END64.unpack_from(tail, at)
    if start + length != end:
        raise StrangeZipError("the zip directory does not end where its end begins")
    return Bounds(Extent(start, end), count)


def entries(directory: bytes, found: Bounds) -> list[Entry]:
    """Return the members by their place in the zip; raises StrangeZipError when they overlap or are not as counted."""
    read: list[Entry] = []
    at = 0
    while at < len(directory):
        read.append(_entry(directory, at, len(read)))
        at += len(read[-1].record)
    if len(read) != found.members:
        raise StrangeZipError(f"{len(read)} entries in a zip directory of {found.members}")
    read.sort(key=lambda entry: entry.extent.start)
    ends = [entry.extent.start for entry in read[1:]] + [found.extent.start] * bool(read)
    for entry, end in zip(read, ends, strict=True):
        if entry.extent.end > end:
            raise StrangeZipError(f"{entry.name!r} overlaps what follows it")
    return [entry._replace(extent=Extent(entry.extent.start, end)) for entry, end in zip(read, ends, strict=True)]


def compact(chosen: Sequence[Entry]) -> bytes:
    """Return the directory of a zip that consists of these members' extents one after the other, in its old order."""
    records, start = {}, 0
    for entry in chosen:
        records[entry.place] = _moved(entry, start)
        start += entry.extent.end - entry.extent.start
    directory = b"".join(record for _, record in sorted(records.items()))
    return directory + _end(len(chosen), start, len(directory))


def joined(chosen: Iterable[Entry]) -> list[Extent]:
    """Return the extents of members, neighbours as one."""
    extents: list[Extent] = []
    for entry in chosen:
        if extents and extents[-1].end == entry.extent.start:
            extents[-1] = Extent(extents[-1].start, entry.extent.end)
        else:
            extents.append(entry.extent)
    return extents


def _entry(directory: bytes, at: int, place: int) -> Entry:
    """Return the entry that begins at a byte; its extent is the least it can be."""
    try:
        fields = _ENTRY.unpack_from(directory, at)
    except struct.error as error:
        raise StrangeZipError("a zip directory that ends within an entry") from error
    signature, flags, packed, plain, name, extra, comment = (fields[i] for i in (0, 3, 8, 9, 10, 11, 12))
    record = directory[at : at + _ENTRY.size + name + extra + comment]
    if signature != b"PK\x01\x02" or len(record) != _ENTRY.size + name + extra + comment:
        raise StrangeZipError("a zip directory with something else than entries")
    title = record[_ENTRY.size : _ENTRY.size + name].decode("utf-8" if flags & _UTF_8 else "cp437", "replace")
    wide = _zip64(record, _ENTRY.size + name, extra)
    try:
        start, packed, offset_at = _numbers(record, (plain, packed, fields[-1]), wide)
    except struct.error as error:
        raise StrangeZipError("a ZIP64 entry without its numbers") from error
    return Entry(title, Extent(start, start + _LOCAL + name + packed), record, offset_at, place)


def _numbers(record: bytes, fields: tuple[int, int, int], wide: Extent) -> tuple[int, int, int]:
    """Return offset, packed size and the offset's place; the numbers that are full stand in the ZIP64 extra field."""
    plain, packed, start = fields
    at, record = wide.start, record[: wide.end]
    offset_at = _ENTRY.size - 4
    if plain == _FULL:
        at += 8
    if packed == _FULL:
        (packed,), at = struct.unpack_from("<Q", record, at), at + 8
    if start == _FULL:
        (start,), offset_at = struct.unpack_from("<Q", record, at), at
    return start, packed, offset_at


def _zip64(record: bytes, at: int, length: int) -> Extent:
    """Return where in a record the numbers of the ZIP64 extra field are; nowhere when there is none."""
    end = at + length
    while at + 4 <= end:
        kind, size = struct.unpack_from("<2H", record, at)
        if kind == 1:
            return Extent(at + 4, min(at + 4 + size, end))
        at += 4 + size
    return Extent(end, end)


def _moved(entry: Entry, start: int) -> bytes:
    """Return an entry's record with another offset, which is never greater than the old one."""
    field = struct.pack("<Q" if entry.at > _ENTRY.size else "<L", start)
    return entry.record[: entry.at] + field + entry.record[entry.at + len(field) :]


def _end(count: int, start: int, length: int) -> bytes:
    """Return what closes a zip: the end record, after ZIP64 records when a number is too great for it."""
    wide = b""
    if count >= _MANY or start >= _FULL or length >= _FULL:
        wide = _END64.pack(b"PK\x06\x06", _END64.size - 12, 45, 45, 0, 0, count, count, length, start)
        wide += _LOCATOR.pack(b"PK\x06\x07", 0, start + length, 1)
    few = min(count, _MANY)
    return wide + _END.pack(b"PK\x05\x06", 0, 0, few, few, min(length, _FULL), min(start, _FULL), 0)
