"""Check the output files a user names, before anything is computed."""

import os
import stat
from collections.abc import Collection, Sequence
from glob import escape
from pathlib import Path

from bitext_pivot.core import text_files
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.standard_output import screen
from bitext_pivot.core.storage.atomic import STANDARD_OUTPUT
from bitext_pivot.core.storage.received import kind_of_file


def check_output(
    path: Path,
    *,
    option: str,
    endings: Collection[str] = (),
    inputs: Sequence[Path] = (),
    may_exist: bool = True,
) -> None:
    """Raise SettingsError if an output file cannot or must not be written.

    A link, a device, a FIFO or a folder is never replaced, and neither are an input, a file in a folder that is an
    input, and a read-only file. Another existing file is replaced only if `may_exist` is True. Folders are not created.
    `option` is the name of the option for messages. `endings` are the allowed file extensions, in which "" stands for
    a name without extension; if `endings` is empty, any is allowed. If the path is `-` (standard output), everything
    else that this command prints goes to standard error.
    """
    if path == STANDARD_OUTPUT:
        screen.stderr = True
        return
    what, folder = kind_of_file(path), path.parent
    folders = [file for file in inputs if file.is_dir()]
    problem = ""
    if what not in {"absent", "file"}:
        problem = f"is a {what}, which is not replaced"
    elif what == "file" and any(file.exists() and path.samefile(file) for file in inputs):
        problem = "is also an input, which would be lost"
    elif any(path.resolve().is_relative_to(folder.resolve()) for folder in folders):
        problem = "is in a folder that is an input"
    elif what == "absent" and not folder.is_dir():
        raise SettingsError(
            f"{option} {str(path)!r}: there is no folder {str(folder)!r}. Make it, or choose another name."
        )
    elif what == "absent" and not os.access(folder, os.W_OK):
        problem = f"is in {str(folder)!r}, which is read-only"
    elif what == "file" and not (path.stat().st_mode & stat.S_IWUSR and os.access(path, os.W_OK)):
        problem = "is read-only"
    elif what == "file" and not may_exist:
        problem = "exists already; --force replaces it"
    if problem:
        raise SettingsError(
            f"{option} {str(path)!r} {problem}. Expected the name of a new file: choose another."
        )
    _check_ending(path, option, endings)
    _delete_leftovers(path)


def _delete_leftovers(path: Path) -> None:
    """Delete temporary files that killed processes left next to the output file."""
    prefix = f".{path.name}."
    for partial in path.parent.glob(f"{escape(prefix)}*-*.partial"):
        process = partial.name.removeprefix(prefix).partition("-")[0]
        try:
            os.kill(int(process), 0)
        except (ProcessLookupError, OverflowError):
            partial.unlink()
        except (ValueError, OSError):
            continue


def _check_ending(path: Path, option: str, endings: Collection[str]) -> None:
    """Raise SettingsError if the extension is not allowed or would compress Parquet again."""
    ending = text_files.extension(path)
    is_packed = ending == ".parquet" and path.suffix.lower() != ending
    if endings and (ending not in endings or is_packed):
        raise SettingsError(
            f"{option} {str(path)!r} has no ending that is written; expected "
            f"{', '.join(filter(None, endings))}. Choose another name."
        )
