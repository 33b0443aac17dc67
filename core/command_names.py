"""Commands of this Python environment, for messages that tell the user what to run."""

import sys
from pathlib import Path


def program_path(name: str) -> str:
    """Return the path of a program in this environment, relative to the working directory if it is below it."""
    path = Path(sys.prefix) / "bin" / name
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
