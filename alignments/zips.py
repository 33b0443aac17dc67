"""Zips of texts: open them, list their members, and notice a damaged directory.

The directory at the end of a zip has no checksum. A flipped bit in it can hide a member, by another name or by a longer
comment of the member before it.
"""

import struct
import zipfile
from collections.abc import Iterable
from pathlib import Path

from bitext_pivot.core.errors import EncodingError
from bitext_pivot.core.text_files import pointer

_END = struct.Struct("<4s4H2LH")  # the end record: APPNOTE.TXT 4.3.16
_SIGNATURE = b"PK\x05\x06"
_LONGEST_COMMENT = 0xFFFF  # bytes behind the end record
_MANY = 0xFFFF  # the number is in another record, for zips of more members


def open_zip(path: Path) -> zipfile.ZipFile:
    """Open a zip.

    Raises zipfile.BadZipFile if its directory has not as many members as it says, EncodingError for a pointer of Git
    LFS, and OSError.
    """
    if problem := pointer(path):
        raise EncodingError(problem)
    archive = zipfile.ZipFile(path)
    expected = _read_member_count(path)
    number = len(archive.infolist())
    if expected not in {number, _MANY}:
        archive.close()
        raise zipfile.BadZipFile(f"its directory has {number} members, expected {expected}")
    return archive


def _read_member_count(path: Path) -> int:
    """Return the number of members in the end record of a file in which zipfile has found one."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _END.size - _LONGEST_COMMENT))
        end = file.read()
    record = _END.unpack_from(end, end.rfind(_SIGNATURE))
    return int(record[4])


def list_members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Return the members without those that macOS adds: `__MACOSX/...`, `._name` and `.DS_Store`."""
    return [info for info in archive.infolist() if not _is_macos_metadata(info.filename)]


def _is_macos_metadata(name: str) -> bool:
    *folders, last = name.split("/")
    return "__MACOSX" in folders or last.startswith("._") or last == ".DS_Store"


def check_member_names(archive: zipfile.ZipFile, infos: Iterable[zipfile.ZipInfo]) -> None:
    """Raise zipfile.BadZipFile if a member has another name in the directory than in its header, or no header.

    No content is read. Raises also NotImplementedError and RuntimeError for members that zipfile cannot read.
    """
    for info in infos:
        archive.open(info).close()
