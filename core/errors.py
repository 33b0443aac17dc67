"""Exception hierarchy, grouped by who can fix the problem.

* BuildError
  x SettingsError   the user who filled in the form; never retried
    + CodeError     the author of a filter or engine from outside
  x SourceError     a server or a downloaded file; retried with backoff (fetch only)
    + AbsentError   it does not exist there; not retried
    + DamagedError  what came is damaged in itself; fetched again once
    + EncodingError a text file is in another encoding than UTF-8; not retried
  x EmptyError      a build went well and kept nothing
    + NoTrainingError it kept rows, and none of them is for training
  x ShardError      one shard cannot be built; the others continue; running again builds it alone

A message says what is wrong, with the value; what was expected; what to do. A bad *record* is no error: it is counted
by reason and skipped where it is read.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bitext_pivot.core import untrusted

_NO_MEMORY = (
    "failed to map segment",
    "unable to mmap",
    "can't allocate memory",
    "bad allocation",
    "bad_alloc",
)
"""What the dynamic linker, safetensors, torch and C++ say."""


class BuildError(Exception):
    """Base class; the subclass says who can fix the problem.

    A message may quote anyone: it has stars in place of secrets and escapes in place of control characters.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(untrusted.safe(message))


class SettingsError(BuildError):
    """A setting cannot work: change it and start again."""


class CodeError(SettingsError):
    """Code from outside raises, or returns what nothing can use: its author corrects it."""


class SourceError(BuildError):
    """A download, an archive or a model folder is damaged or unreachable: download it again or name another."""


class AbsentError(SourceError):
    """The corpus, release, language pair or file does not exist; not retried."""


class DamagedError(SourceError):
    """A file of a corpus is damaged in itself: a wrong CRC, a cut archive. A downloaded one is fetched again once."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path

    def __reduce__(self) -> tuple[type, tuple[Path, str]]:
        """Return what the error is made of again, for workers in other processes."""
        return type(self), (self.path, str(self))


class EncodingError(SourceError):
    """A text file is in another encoding than UTF-8."""


class EmptyError(BuildError):
    """A build went well and kept no row, so that what uses its data set must not go on."""


class NoTrainingError(EmptyError):
    """A build went well, and the division left no row for training."""


class ShardError(BuildError):
    """One shard cannot be built; the other shards are not affected."""


@contextmanager
def refused() -> Iterator[None]:
    """Raise a SettingsError in place of a SourceError: a file of the user's own is not fetched again."""
    try:
        yield
    except SourceError as error:
        raise SettingsError(str(error)) from error


@contextmanager
def named_files() -> Iterator[None]:
    """Raise a SettingsError in place of an OSError that names a file: what a user may not enter, a name too long."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            raise
        raise SettingsError(
            f"{untrusted.shown(error.filename)}: {error.strerror}. "
            "Expected a file or folder that may be used here: correct its name or its rights."
        ) from error


def is_explained(error: BaseException) -> bool:
    """Return True for an error whose message says all, without a traceback: a BuildError, or an OSError of a file."""
    return isinstance(error, BuildError) or bool(getattr(error, "filename", None))


def is_lack_of_memory(error: BaseException) -> bool:
    """Return True for MemoryError, and for what libraries raise in its place where there is no address space."""
    return (
        isinstance(error, MemoryError)
        or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
        or any(text in str(error) for text in _NO_MEMORY)
    )
