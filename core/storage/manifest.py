"""The manifest of a data set: size, SHA-256 and rows of every file, written last, to detect lost files."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bitext_pivot.core.storage import atomic

NAME = "manifest.json"


def write(folder: Path, data: Mapping[str, int], others: Iterable[str]) -> None:
    """Write the manifest of the files in `folder`: data files with their rows, and others. It makes them complete."""
    entries = {name: {**_entry(folder / name), "rows": rows} for name, rows in data.items()}
    content = {"files": entries | {name: _entry(folder / name) for name in others}}
    atomic.write_json(folder / NAME, atomic.sealed(content, NAME))  # valid wherever the folder is copied to


def files(folder: Path) -> dict[str, dict[str, Any]] | None:
    """Return size, SHA-256 and rows of the files of a data set by their path in it; None if it is not complete."""
    manifest = atomic.unsealed(atomic.find_json(folder / NAME), NAME)
    return manifest["files"] if manifest else None


def problems(folder: Path, prefix: str = "") -> list[str]:
    """Compare the files of `folder` whose names begin so with its manifest; return one message per difference."""
    entries = files(folder)
    if entries is None:
        return [f"{NAME} is missing or damaged"]
    checks = ((name, _problem(folder / name, entry)) for name, entry in entries.items() if name.startswith(prefix))
    return [f"{name} {problem}" for name, problem in checks if problem]


def _entry(path: Path) -> dict[str, Any]:
    return {"bytes": path.stat().st_size, "sha256": atomic.sha256(path)}


def _problem(path: Path, entry: dict[str, Any]) -> str:
    if not path.exists():
        return "is missing"
    if path.stat().st_size != entry["bytes"]:
        return f"has {path.stat().st_size:,} bytes instead of {entry['bytes']:,}"
    return "" if atomic.is_intact(path, entry["sha256"]) else "has another SHA-256"
