"""Files that a user names to be written: what must not be replaced is refused before anything is computed."""

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.storage.atomic import kind_of_file


def check_output(
    path: Path, *, option: str, inputs: Sequence[Path] = (), may_exist: bool = True
) -> None:
    """Refuse a path that cannot be written to, or must not be.

    A link, a device, a FIFO and a folder are never replaced, and neither is an input, a file in a folder
    that is an input, or a file without the right to write. A file that exists is replaced only if it
    `may_exist`. `option` is the name of the option, for messages. Raises SettingsError.
    """
    what = kind_of_file(path)
    folders = [file for file in inputs if file.is_dir()]
    problem = ""
    if what not in {"absent", "file"}:
        problem = f"is a {what}, which is not replaced"
    elif what == "file" and any(file.exists() and path.samefile(file) for file in inputs):
        problem = "is also an input, which would be lost"
    elif any(path.resolve().is_relative_to(folder.resolve()) for folder in folders):
        problem = "is in a folder that is an input"
    elif what == "absent":
        return
    elif not path.stat().st_mode & stat.S_IWUSR or not os.access(path, os.W_OK):
        problem = "is read-only"
    elif not may_exist:
        problem = "exists already; --force replaces it"
    if problem:
        raise SettingsError(
            f"{option} {str(path)!r} {problem}. Expected the name of a new file: choose another."
        )
