"""List the files of a folder of documents, and compute the digest of the folder or of a single file."""

import os
from collections import Counter
from pathlib import Path

from bitext_pivot.core.storage import atomic


def list_files(folder: Path, skips: Counter[str] | None = None) -> dict[str, Path]:
    """Return the files below a folder by their relative names, sorted, without hidden files.

    Skipped entries are counted in `skips`, by reason: symbolic links to folders, to missing files and to files outside
    the folder, whose owner may not want them in a data set; devices and sockets; names that are not UTF-8; folders that
    cannot be read. The folder itself may be a symbolic link.
    """
    skips = Counter() if skips is None else skips
    root = folder.resolve()
    files: dict[str, Path] = {}
    for parent, folders, names in os.walk(
        folder, onerror=lambda _: skips.update(["folder that cannot be read"])
    ):
        visible = [name for name in [*folders, *names] if not name.startswith(".")]
        inner_folders: list[str] = []
        for name in visible:
            path = Path(parent, name)
            reason = _skip_reason(path, root)
            if reason is not None:
                skips[reason] += 1
            elif path.is_dir():
                inner_folders.append(name)
            else:
                files[path.relative_to(folder).as_posix()] = path
        folders[:] = inner_folders
    return dict(sorted(files.items()))


def _skip_reason(path: Path, root: Path) -> str | None:
    """Return the reason to skip an entry of the resolved folder `root`, or None."""
    try:
        path.name.encode()
    except UnicodeEncodeError:
        return "file name that is not UTF-8"
    if path.is_symlink():
        target = Path(os.path.realpath(path))  # a link to itself resolves to itself
        if not target.is_relative_to(root):
            return "link that leaves the folder"
        if target.is_dir():
            return "link to a folder"
        if target.is_symlink() or not target.exists():
            return "link to nothing"
    if not path.is_file() and not path.is_dir():
        return "no regular file"
    return None


def digest_files(path: Path) -> str:
    """Return the SHA-256 of a file, or of the names and contents of all files below a folder."""
    return atomic.digest(path, list_files(path)) if path.is_dir() else atomic.sha256(path)
