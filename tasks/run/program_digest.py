"""The digest of this program: after a change of it the same settings may give another data set."""

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
"""Those that make data sets; commands and deployments only start them."""


@functools.cache
def program_digest() -> str:
    """Return 16 hexadecimal digits that change with every file of the program that may change a data set.

    It is that of the first call in a process, which runs what it has imported.
    """
    total = hashlib.sha256()
    for folder in _FOLDERS:
        spec = importlib.util.find_spec(f"bitext_pivot.{folder}")
        if spec is None or spec.origin is None:
            raise ImportError(f"bitext_pivot.{folder} is not installed")
        total.update(f"{folder} {atomic.tree_digest(Path(spec.origin).parent)}\n".encode())
    return total.hexdigest()[:16]
