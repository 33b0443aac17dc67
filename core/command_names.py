"""How to call the programs of this Python environment, for messages that say what to do."""

import sys
from pathlib import Path


def program(name: str) -> str:
    """Return the path of a program of this environment: `.venv/bin/hf` in a clone, otherwise the whole path."""
    path = Path(sys.prefix) / "bin" / name
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
