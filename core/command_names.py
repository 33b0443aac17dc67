"""Commands of this Python environment, for messages that tell the user what to run."""

import sys
from pathlib import Path


def program_path(name: str) -> str:
    """Return the path of a program in this environment.

    The path is relative if the program is below the working directory.
    """
    path = Path(sys.prefix) / "bin" / name
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
