"""The digest of this program's files. If it has changed, the same settings may give another data set."""

import functools
import hashlib
import importlib.util
from pathlib import Path

from bitext_pivot.core.storage import atomic

_FOLDERS = (
    "alignments",
    "core",
    "corpus",
    "discourse",
    "filters",
    "flows",
    "research",
    "syntax",
    "tasks",
    "translation",
)
"""The folders with code that can change a data set. The other folders, commands and deployments, only start builds."""


@functools.cache
def program_digest() -> str:
    """Return a digest of all program files that can change a data set, as 16 hex digits.

    It is computed once per process: later changes of the files do not affect code that is already imported.
    """
    total = hashlib.sha256()
    for folder in _FOLDERS:
        spec = importlib.util.find_spec(f"bitext_pivot.{folder}")
        if spec is None or spec.origin is None:
            raise ImportError(f"bitext_pivot.{folder} is not installed")
        total.update(f"{folder} {atomic.tree_digest(Path(spec.origin).parent)}\n".encode())
    return total.hexdigest()[:16]
