"""Exception hierarchy, grouped by who can fix the problem.

* BuildError
  x SettingsError   the user who filled in the form; never retried
    + CodeError     the author of a custom filter or engine
  x SourceError     a server or a downloaded file; retried with backoff (fetch only)
    + AbsentError   the file does not exist there; not retried
    + DamagedError  the downloaded file is damaged; downloaded again once
    + EncodingError a text file is not UTF-8; not retried
  x EmptyError      a build succeeded but kept no row
    + NoTrainingError it kept rows, but none for training
  x ShardError      one shard cannot be built; the others continue; the next run builds only this shard

A message states what is wrong with which value, what was expected, and what to do. A bad *record* is not an error: it
is skipped, and counted by reason.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bitext_pivot.core import untrusted

_MEMORY_MESSAGES = (
    "failed to map segment",
    "unable to mmap",
    "can't allocate memory",
    "bad allocation",
    "bad_alloc",
)
"""Phrases in error messages of the dynamic linker, safetensors, torch and C++ that mean: out of memory."""


class BuildError(Exception):
    """Base class of all errors that a user can act on. The subclass tells who can fix the problem.

    A message may quote text from anyone, so secrets become stars and control characters are escaped.
    """

    def __init__(self, message: str = "") -> None:
        super().__init__(untrusted.safe(message))


class SettingsError(BuildError):
    """A setting cannot work. Change it and start again."""


class CodeError(SettingsError):
    """Custom code raises an error or returns an unusable value. Its author has to correct it."""


class SourceError(BuildError):
    """A download, an archive or a model folder is damaged or unreachable. Download it again or name another."""


class AbsentError(SourceError):
    """The corpus, release, language pair or file does not exist. This is not retried."""


class DamagedError(SourceError):
    """A file of a corpus is damaged: a wrong CRC, a truncated archive. It is downloaded again once."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path

    def __reduce__(self) -> tuple[type, tuple[Path, str]]:
        """Return the arguments from which another process restores the error."""
        return type(self), (self.path, str(self))


class EncodingError(SourceError):
    """A text file is not UTF-8."""


class EmptyError(BuildError):
    """A build succeeded but kept no row, so its data set cannot be used."""


class NoTrainingError(EmptyError):
    """A build succeeded, but none of the rows that it kept is in the subset for training."""


class ShardError(BuildError):
    """One shard cannot be built; the other shards are not affected."""


@contextmanager
def as_settings_error() -> Iterator[None]:
    """Turn a SourceError into a SettingsError: a local file of the user cannot be downloaded again."""
    try:
        yield
    except SourceError as error:
        raise SettingsError(str(error)) from error


@contextmanager
def explain_file_errors() -> Iterator[None]:
    """Turn an OSError about a file, such as a missing permission or a long name, into a SettingsError."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            raise
        raise SettingsError(
            f"{untrusted.shown(error.filename)}: {error.strerror}. "
            "Expected a file or folder that this program may use: correct its name or its permissions."
        ) from error


def is_explained(error: BaseException) -> bool:
    """Return True if the message of an error suffices without a traceback: a BuildError, or an OSError of a file."""
    return isinstance(error, BuildError) or bool(getattr(error, "filename", None))


def is_out_of_memory(error: BaseException) -> bool:
    """Return True for MemoryError, and for the errors that libraries raise if memory cannot be allocated."""
    return (
        isinstance(error, MemoryError)
        or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
        or any(text in str(error) for text in _MEMORY_MESSAGES)
    )
