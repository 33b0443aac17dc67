"""The digest of this program: what a build finished before may be another one after a change of the program."""

import hashlib
import importlib.util
from pathlib import Path

_FOLDERS = (
    "alignments",
    "core",
    "corpus",
    "discourse",
    "filters",
    "flows",
    "metrics",
    "models",
    "syntax",
    "tasks",
    "translation",
)
"""Those that make data sets; commands and deployments only start them."""


def program_digest() -> str:
    """Return what changes with every file of the program that may change a data set: 16 hexadecimal digits."""
    total = hashlib.sha256()
    for folder in _FOLDERS:
        spec = importlib.util.find_spec(f"bitext_pivot.{folder}")
        for root in sorted(spec.submodule_search_locations or []) if spec else []:
            for path in sorted(Path(root).rglob("*")):
                if path.is_file() and path.suffix != ".pyc":
                    total.update(f"{folder}/{path.relative_to(root)}\0".encode() + _digest(path))
    return total.hexdigest()[:16]


def _digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()
