"""Text files of an evaluation: sources, references and outputs, one segment per line."""

from collections.abc import Sequence
from pathlib import Path

from bitext_pivot.core.errors import SettingsError


def read_segments(path: Path, source: Path | None = None, expected: int | None = None) -> list[str]:
    """Return the lines of a UTF-8 text file; with `expected` there must be as many, as in `source`.

    Raises SettingsError if the file cannot be read, is empty, is not UTF-8 or has another number of lines.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise SettingsError(
            f"{path} cannot be read ({error.strerror}). Name a text file, one segment per line."
        ) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise SettingsError(f"{path} is not UTF-8 (line {line}). Convert it: iconv -t UTF-8.") from error
    lines = text.removesuffix("\n").split("\n")
    if not text.strip():
        raise SettingsError(f"{path} is empty. Expected a text file, one segment per line.")
    if expected is not None and len(lines) != expected:
        raise SettingsError(
            f"{path} has {len(lines)} lines and {source} has {expected}. Both need one line per segment, in one order."
        )
    return lines


def read_references(paths: Sequence[Path], source: Path, expected: int) -> list[list[str]]:
    """Return the references of each line: one of each file, or several where a line has tabs. Raises as above."""
    columns = [read_segments(path, source, expected) for path in paths]
    return [[text for column in line for text in column.split("\t")] for line in zip(*columns, strict=True)]
