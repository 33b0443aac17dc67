"""Text files that a user names: opened once, read line by line, refused in one line where they cannot be read.

A file may be a pipe, so nothing here opens or reads it a second time.
"""

import lzma
import zlib
from collections.abc import Iterator
from pathlib import Path

from bitext_pivot.core.errors import EncodingError, SettingsError, ShardError
from bitext_pivot.core.storage import received
from bitext_pivot.core.text_files import is_utf8

_DAMAGED = (OSError, EOFError, zlib.error, lzma.LZMAError)
"""What reading a damaged compressed file raises."""


def lines(path: Path, expected: str) -> Iterator[str]:
    """Yield the lines of a text file, plain or compressed, without their ends; bytes that are not UTF-8 as surrogates.

    `expected` ends the messages: "Name a text file, one segment per line."

    Raises SettingsError for a file that cannot be read or is damaged, for a folder, a device, a named pipe, for another
    encoding than UTF-8, and for a line of more than 64 MiB.
    """
    try:
        refuse_others(path, expected)
        yield from received.lines(path)
    except (EncodingError, ShardError) as error:
        raise SettingsError(str(error)) from error
    except _DAMAGED as error:
        reason = (isinstance(error, OSError) and error.strerror) or str(error) or "it is cut off"
        raise SettingsError(f"{path} cannot be read ({reason}). {expected}") from error


def utf8_lines(path: Path, expected: str) -> Iterator[str]:
    """Yield the lines of a text file; raises SettingsError as `lines`, and for the first line that is not UTF-8."""
    for number, line in enumerate(lines(path, expected), 1):
        if not is_utf8(line):
            raise SettingsError(
                f"{path} is not UTF-8 (line {number}). Correct the line, or convert it: iconv -t UTF-8."
            )
        yield line


def refuse_others(path: Path, expected: str) -> None:
    """Raise SettingsError for what is neither a file nor a stream, OSError for a file that is not there."""
    if kind := received.other_kind(path):
        raise SettingsError(f"{path} is {kind}. {expected}")
