"""The manifest of a folder: size, SHA-256 and rows of every file, written last, to detect lost and changed files.

That of a data set or a model is valid wherever the folder is copied to; that of an unfinished run in its place only.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from bitext_pivot.core.storage import atomic

NAME = "manifest.json"
_LEVELS = 4
"""Names of folders that make a place: a copy in another run, or beside the original, is not valid."""
Entry = dict[str, Any]


def write(folder: Path, data: Mapping[str, int], others: Iterable[str]) -> None:
    """Write the manifest of the files in `folder`: data files with their rows, and others. It makes them complete."""
    entries = {name: {**_entry(folder / name), "rows": rows} for name, rows in data.items()}
    _write(folder, entries | {name: _entry(folder / name) for name in others}, NAME)


def seal(folder: Path) -> None:
    """Write the manifest of all files in a local folder, valid in this place only."""
    _write(folder, {name: _entry(folder / name) for name in _names(folder)}, _place(folder))


def files(folder: Path) -> dict[str, Entry] | None:
    """Return size, SHA-256 and rows of the files of a data set by their path in it; None if it is not complete."""
    return _read(folder, NAME)


def problems(folder: Path, prefix: str = "") -> list[str]:
    """Compare the files of `folder` whose names begin so with its manifest; return one message per difference."""
    return _differences(folder, files(folder), prefix)


def misplaced(folder: Path) -> list[str]:
    """Return a message if the data set in `folder` was written under another name: a copy put in its place."""
    content = atomic.find_json(folder / NAME) or {}
    name = content.get("folder", folder.name)  # earlier versions wrote none
    return [] if name == folder.name else [f"{NAME} is that of {name}"]


def broken_seal(folder: Path) -> list[str]:
    """Compare all files of a folder with the manifest that `seal` wrote; return one message per difference."""
    if not folder.is_dir():
        return [f"{NAME} is missing"]
    entries = _read(folder, _place(folder))
    unlisted = _names(folder) - entries.keys() if entries else set()
    return [
        *_differences(folder, entries),
        *(f"{name} is not in {NAME}" for name in sorted(unlisted)),
    ]


def _write(folder: Path, entries: dict[str, Entry], place: str) -> None:
    content = {"files": entries, "folder": folder.name}
    atomic.write_json(folder / NAME, atomic.sealed(content, place))


def _read(folder: Path, place: str) -> dict[str, Entry] | None:
    """Return the entries of a manifest; None if it is missing, changed, of another place or by another program."""
    content = atomic.unsealed(atomic.find_json(folder / NAME), place) or {}
    entries = content.get("files")
    if not isinstance(entries, dict) or not all(map(_is_entry, entries.items())):
        return None
    return entries


def _is_entry(item: tuple[str, Any]) -> bool:
    name, entry = item
    path = PurePosixPath(name)
    if not path.parts or path.is_absolute() or ".." in path.parts or "\0" in name:
        return False
    return (
        isinstance(entry, dict)
        and isinstance(entry.get("bytes"), int)
        and isinstance(entry.get("sha256"), str)
    )


def _differences(folder: Path, entries: Mapping[str, Entry] | None, prefix: str = "") -> list[str]:
    if entries is None:
        return [f"{NAME} is missing or damaged"]
    checks = (
        (name, _problem(folder / name, entry))
        for name, entry in entries.items()
        if name.startswith(prefix)
    )
    return [f"{name} {problem}" for name, problem in checks if problem]


def _names(folder: Path) -> set[str]:
    """Return the paths of all files in a folder but the manifest."""
    paths = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())
    return {path for path in paths if path != NAME}


def _place(folder: Path) -> str:
    return "/".join((*folder.parts[-_LEVELS:], NAME))


def _entry(path: Path) -> Entry:
    return {"bytes": path.stat().st_size, "sha256": atomic.sha256(path)}


def _problem(path: Path, entry: Entry) -> str:
    if not path.is_file():
        return "is missing"
    if path.stat().st_size != entry["bytes"]:
        return f"has {path.stat().st_size:,} bytes instead of {entry['bytes']:,}"
    return "" if atomic.is_intact(path, entry["sha256"]) else "has another SHA-256"
