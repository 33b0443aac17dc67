"""Open zips of texts, list their members, and detect a damaged central directory.

The central directory at the end of a zip has no checksum. A flipped bit can hide a member: it changes the member's
name, or makes the comment of the member before it longer.
"""

import struct
import zipfile
from collections.abc import Iterable
from pathlib import Path

from bitext_pivot.core.errors import EncodingError
from bitext_pivot.core.text_files import pointer

_END = struct.Struct("<4s4H2LH")  # the end record: APPNOTE.TXT 4.3.16
_SIGNATURE = b"PK\x05\x06"
_LONGEST_COMMENT = 0xFFFF  # bytes after the end record
_MANY = 0xFFFF  # a zip with more members states their number in another record


def open_zip(path: Path) -> zipfile.ZipFile:
    """Open a zip after comparing the number of members in its directory with its end record.

    Raises zipfile.BadZipFile if the numbers differ, EncodingError if the file is a Git LFS pointer, and OSError.
    """
    if problem := pointer(path):
        raise EncodingError(problem)
    archive = zipfile.ZipFile(path)
    expected = _read_member_count(path)
    count = len(archive.infolist())
    if expected not in {count, _MANY}:
        archive.close()
        raise zipfile.BadZipFile(f"its directory has {count} members, expected {expected}")
    return archive


def _read_member_count(path: Path) -> int:
    """Return the number of members that the end record of a zip states."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _END.size - _LONGEST_COMMENT))
        end = file.read()
    record = _END.unpack_from(end, end.rfind(_SIGNATURE))
    return int(record[4])


def list_members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the members, except files that macOS adds: `__MACOSX/...`, `._name` and `.DS_Store`."""
    return [info for info in archive.infolist() if not _is_macos_metadata(info.filename)]


def _is_macos_metadata(name: str) -> bool:
    *folders, last = name.split("/")
    return "__MACOSX" in folders or last.startswith("._") or last == ".DS_Store"


def check_member_names(archive: zipfile.ZipFile, infos: Iterable[zipfile.ZipInfo]) -> None:
    """Raise zipfile.BadZipFile if a member's header is missing or has another name than the directory.

    No content is read. Also raises NotImplementedError and RuntimeError for members that zipfile cannot read.
    """
    for info in infos:
        archive.open(info).close()
