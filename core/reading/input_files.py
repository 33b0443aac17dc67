"""Read text files that a user names. A file may be a pipe, so it is opened and read only once."""

import lzma
import re
import zlib
from collections.abc import Iterator
from pathlib import Path

from bitext_pivot.core.errors import EncodingError, SettingsError, ShardError
from bitext_pivot.core.storage import received
from bitext_pivot.core.text_files import is_utf8

STANDARD_STREAM = Path("-")
"""The path that a user types for standard input."""
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]+):/", re.IGNORECASE)
_DAMAGED = (OSError, EOFError, zlib.error, lzma.LZMAError)
"""Exceptions that reading a damaged compressed file raises."""


def lines(path: Path, expected: str) -> Iterator[str]:
    """Yield the lines of a text file, plain or compressed, without their line terminators.

    The path `-` is standard input. Bytes that are not UTF-8 become surrogates. `expected` is the last sentence of
    error messages, for example "Name a text file, one segment per line."

    Raises SettingsError for a file that cannot be read, is damaged, is not UTF-8 or has a line of more than 64 MiB, and
    for a folder, a device and a named pipe.
    """
    if path == STANDARD_STREAM:
        path = Path("/dev/stdin")
    try:
        refuse_others(path, expected)
        yield from received.lines(path)
    except (EncodingError, ShardError) as error:
        raise SettingsError(str(error)) from error
    except _DAMAGED as error:
        reason = (isinstance(error, OSError) and error.strerror) or str(error) or "it is truncated"
        raise SettingsError(f"{path} cannot be read ({reason}). {expected}") from error


def utf8_lines(path: Path, expected: str) -> Iterator[str]:
    """Yield the lines of a text file. Raises SettingsError like `lines`, and for the first line that is not UTF-8."""
    for number, line in enumerate(lines(path, expected), 1):
        if not is_utf8(line):
            raise SettingsError(
                f"{path} is not UTF-8 (line {number}). Correct the line, or convert it: iconv -t UTF-8."
            )
        yield line


def refuse_address(path: Path, expected: str) -> None:
    """Raise SettingsError for a URL in place of a path."""
    if scheme := _SCHEME.match(str(path)):
        raise SettingsError(f"{scheme[1]}:// is not read here; download the file first. {expected}")


def refuse_others(path: Path, expected: str) -> None:
    """Raise SettingsError if the path is neither a file nor a stream, and OSError if it does not exist."""
    refuse_address(path, expected)
    if kind := received.other_kind(path):
        raise SettingsError(f"{path} is {kind}. {expected}")
