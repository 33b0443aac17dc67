"""Read the text files of an evaluation: sources, references and outputs, one segment per line."""

import logging
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from bitext_pivot.core import text_files
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.reading import pair_files, row_files
from bitext_pivot.core.reading.input_files import utf8_lines
from bitext_pivot.core.text_damage import markup_start

_REMAINS = re.compile(
    r"\t|\[(?:CLS|INST|MASK|PAD|SEP|SPLIT|UNK)\]|<\|\w+\|>|⁇|\s(?:\|{1,3}|#{2,4}|\\n)\s"
)
"""Tabs, special tokens of models, and sentence separators that other projects use instead of `<SEP>`."""


def warn_of_remains(name: str, lines: Sequence[str]) -> None:
    """Log a warning if lines contain tabs, markup, special tokens of a model or separators.

    Metrics count these as words. The separator `<SEP>` is allowed. `name` says which lines these are.
    """
    texts = map(row_files.without_separators, lines)
    count = sum(bool(_REMAINS.search(text)) or markup_start(text) is not None for text in texts)
    if count:
        logging.getLogger(__name__).warning(
            "%s: %d of %d lines contain special tokens of a model, markup, tabs or separators other than <SEP>. "
            "The metrics count these as words.",
            name,
            count,
            len(lines),
        )


def by_name(paths: Sequence[Path]) -> dict[str, Path]:
    """Name each path by its file name, or by the whole path if two files have the same name."""
    names = [path.name for path in paths]
    return {path.name if names.count(path.name) == 1 else str(path): path for path in paths}


def read_segments(
    path: Path,
    source: Path | None = None,
    expected: int | None = None,
    *,
    column: str = "split",
    columns: Mapping[str, str] | None = None,
) -> list[str]:
    """Return the segments of a text file, one per line, or of one column of a table.

    `column` is the column to read from a table (CSV, JSON lines, Parquet), and `columns` maps its name to the name in
    the file. `expected` is the number of segments in the file `source`, which this file must have, too.

    Raises SettingsError if the file cannot be read, is empty, or has another number of segments.
    """
    if text_files.extension(path) in row_files.TABLE_EXTENSIONS:
        if columns is not None:
            columns = {name: other for name, other in columns.items() if name == column}
        lines = pair_files.read_column(path, column, columns)
    else:
        lines = list(utf8_lines(path, "Name a text file, one segment per line."))
    if not any(map(str.strip, lines)):
        raise SettingsError(f"{path} is empty. Expected a text file, one segment per line.")
    if expected is not None and len(lines) != expected:
        raise SettingsError(
            f"{path} has {len(lines)} lines and {source} has {expected}. Both need one line per segment, in the same "
            "order."
        )
    return lines


def read_references(
    paths: Sequence[Path],
    source: Path,
    expected: int,
    *,
    columns: Mapping[str, str] | None = None,
) -> list[list[str]]:
    """Return the references of each source line, at least one from each file.

    Tabs separate several references on a line.

    Raises SettingsError if a file cannot be read, is empty, or has another number of segments than `expected`.
    """
    files = [read_segments(path, source, expected, columns=columns) for path in paths]
    return [
        [text for texts in line for text in texts.split("\t")] for line in zip(*files, strict=True)
    ]
