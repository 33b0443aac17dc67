"""The manifest of a folder lists size, SHA-256 and rows of every file, to detect missing and changed files.

The manifest is written last, so a folder that has one is complete. The file `SHA256SUMS` contains the same digests for
`sha256sum -c`, which works without this program. The manifest of a data set or a model stays valid if the folder is
copied. The manifest of an unfinished training is valid only in the folder where it was written (`seal`).
"""

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Annotated

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    NonNegativeInt,
    TypeAdapter,
    ValidationError,
)

from bitext_pivot.core.storage import atomic, received
from bitext_pivot.core.untrusted import shown

NAME = "manifest.json"
CHECKSUMS = "SHA256SUMS"
_LEVELS = 4
"""Number of folder names at the end of a path to which `seal` binds a manifest, against copies."""
_LONGEST = 255
"""Maximum length of a part of a path, in characters."""


def _path_in_folder(name: str) -> str:
    path = PurePosixPath(name)
    if not path.parts or path.is_absolute() or ".." in path.parts or "\0" in name:
        raise ValueError("expected a path in the folder")
    if max(map(len, path.parts)) > _LONGEST:
        raise ValueError("expected a shorter name")
    return name


class ManifestEntry(BaseModel):
    """The entry of a file in a manifest."""

    model_config = ConfigDict(strict=True, frozen=True)
    bytes: NonNegativeInt
    sha256: str
    rows: NonNegativeInt | None = None
    """Number of rows of a data file."""


Entries = dict[str, ManifestEntry]
_ENTRIES = TypeAdapter(dict[Annotated[str, AfterValidator(_path_in_folder)], ManifestEntry])


def write(folder: Path, data: Mapping[str, int], others: Iterable[str]) -> None:
    """Write SHA256SUMS and the manifest of a folder, which is then complete.

    `data` maps each data file to its number of rows; `others` are the names of the other files.
    """
    entries = {name: _entry(folder / name, rows) for name, rows in data.items()}
    entries |= {name: _entry(folder / name) for name in others}
    lines = [f"{entry.sha256}  {name}\n" for name, entry in sorted(entries.items())]
    atomic.write_text(folder / CHECKSUMS, "".join(lines))
    _write(folder, entries | {CHECKSUMS: _entry(folder / CHECKSUMS)}, NAME)


def seal(folder: Path) -> None:
    """Write a manifest of all files in a folder. It is not valid in a copy of the folder."""
    _write(folder, {name: _entry(folder / name) for name in _names(folder)}, _place(folder))


def files(folder: Path) -> Entries | None:
    """Return the manifest entries of a data set by file name, or None if it is not complete."""
    return _read(folder, NAME)


def problems(folder: Path, prefix: str = "") -> list[str]:
    """Compare the files of a folder with its manifest, and return one message per difference.

    Only files whose names start with `prefix` are compared.
    """
    return _messages(folder, files(folder), prefix)


def misplaced(folder: Path) -> list[str]:
    """Return [], or a list with one message if the data set was written in another folder.

    Such a data set is a copy.
    """
    content = atomic.find_json(folder / NAME) or {}
    name = content.get("folder", folder.name)  # earlier versions did not write it
    if name == folder.name:
        return []
    return [f"{NAME} belongs to {shown(name)}"]


def broken_seal(folder: Path) -> list[str]:
    """Compare all files of a folder with the manifest that `seal` wrote; return one message per difference."""
    if not folder.is_dir():
        return [f"{NAME} is missing"]
    entries = _read(folder, _place(folder))
    others = _names(folder) - entries.keys() if entries else set()
    return [
        *_messages(folder, entries),
        *(f"{shown(name)} is not in {NAME}" for name in sorted(others)),
    ]


def _write(folder: Path, entries: Mapping[str, ManifestEntry], place: str) -> None:
    plain = {name: entry.model_dump(exclude_none=True) for name, entry in entries.items()}
    atomic.write_sealed(folder / NAME, {"files": plain, "folder": folder.name}, place)


def _read(folder: Path, place: str) -> Entries | None:
    """Return the entries of a folder's manifest, or None if it is missing, changed or misplaced."""
    content = atomic.find_sealed(folder / NAME, place) or {}
    try:
        return _ENTRIES.validate_python(content.get("files"))
    except ValidationError:
        return None


def _messages(
    folder: Path, entries: Mapping[str, ManifestEntry] | None, prefix: str = ""
) -> list[str]:
    if entries is None:
        return [f"{NAME} is missing or damaged"]
    problems = {
        name: _problem(folder, name, entry)
        for name, entry in entries.items()
        if name.startswith(prefix)
    }
    return [f"{shown(name)} {problem}" for name, problem in problems.items() if problem]


def _names(folder: Path) -> set[str]:
    """Return the paths of all files in a folder except the manifest."""
    return received.names(folder) - {NAME}


def _place(folder: Path) -> str:
    return "/".join((*folder.parts[-_LEVELS:], NAME))


def _entry(path: Path, rows: int | None = None) -> ManifestEntry:
    return ManifestEntry(bytes=path.stat().st_size, sha256=atomic.sha256(path), rows=rows)


def _problem(folder: Path, name: str, entry: ManifestEntry) -> str:
    path = folder / name
    if problem := received.problem(folder, name):
        return problem
    if path.stat().st_size != entry.bytes:
        return f"has {path.stat().st_size:,} bytes instead of {entry.bytes:,}"
    return "" if atomic.is_intact(path, entry.sha256) else "has another SHA-256"
