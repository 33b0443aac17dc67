"""The manifest of a data set: size and SHA-256 of every file, written last, to detect lost files."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pairs.storage import atomic

NAME = "manifest.json"


def write(folder: Path, names: Sequence[str]) -> None:
    """Write the manifest of the files `names` of `folder`. A folder that has it is complete."""
    atomic.write_json(folder / NAME, {"files": {name: _entry(folder / name) for name in names}})


def problems(folder: Path, names: Sequence[str]) -> list[str]:
    """Compare the files `names` of `folder` with its manifest; return one message per difference."""
    manifest = atomic.find_json(folder / NAME)
    if manifest is None:
        return [f"{NAME} is missing or damaged"]
    entries = manifest.get("files", {})
    checks = ((name, _problem(folder / name, entries.get(name))) for name in names)
    return [f"{name} {problem}" for name, problem in checks if problem]


def _entry(path: Path) -> dict[str, Any]:
    return {"bytes": path.stat().st_size, "sha256": atomic.sha256(path)}


def _problem(path: Path, entry: dict[str, Any] | None) -> str:
    if entry is None:
        return "is not listed"
    if not path.exists():
        return "is missing"
    if path.stat().st_size != entry["bytes"]:
        return f"has {path.stat().st_size:,} bytes instead of {entry['bytes']:,}"
    return "" if atomic.sha256(path) == entry["sha256"] else "has another SHA-256"
