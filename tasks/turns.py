"""One heavy model at work on a machine at a time: it fills the cores, and a second one would only take its caches."""

import getpass
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock


@contextmanager
def turn(what: str) -> Iterator[None]:
    """Wait until no other thread, process or build on this machine does `what`, and keep them waiting meanwhile.

    The lock is a file of this user that the operating system frees when its holder dies.
    """
    with FileLock(Path(tempfile.gettempdir()) / f"bitext-pivot-{getpass.getuser()}-{what}.lock"):
        yield
