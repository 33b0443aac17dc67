"""Text files of an evaluation: sources, references and outputs, one segment per line."""

import logging
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.reading import pair_files, row_files
from bitext_pivot.core.reading.input_files import utf8_lines
from bitext_pivot.core.text_damage import markup_start

_REMAINS = re.compile(
    r"\t|\[(?:CLS|INST|MASK|PAD|SEP|SPLIT|UNK)\]|<\|\w+\|>|⁇|\s(?:\|{1,3}|#{2,4}|\\n)\s"
)
"""What tables have between two texts, tokens of models, and separators of other projects."""


def warn_of_remains(name: str, lines: Sequence[str]) -> None:
    """Warn of a file that is no texts, or of outputs with tokens of a model: metrics count these as words."""
    texts = map(row_files.without_separators, lines)
    count = sum(bool(_REMAINS.search(text)) or markup_start(text) is not None for text in texts)
    if count:
        logging.getLogger(__name__).warning(
            "%s: lines with tokens of a model, markup, tabs or separators that are not <SEP>: %d of %d. "
            "Scores count them as words.",
            name,
            count,
            len(lines),
        )


def names(paths: Sequence[Path]) -> dict[str, Path]:
    """Return files by name: the file's, or its path if two files have the same name."""
    given = [path.name for path in paths]
    return {path.name if given.count(path.name) == 1 else str(path): path for path in paths}


def read_segments(
    path: Path,
    source: Path | None = None,
    expected: int | None = None,
    *,
    column: str = "split",
    columns: Mapping[str, str] | None = None,
) -> list[str]:
    """Return the lines of a text file, read once; with `expected` there must be as many, as in `source`.

    A table of pairs, such as CSV or JSON lines, has them in a column, which `columns` may name beside others
    of other files. Raises SettingsError as `utf8_lines` and `pair_files.texts`, and if the file is empty or
    has another number of lines.
    """
    if row_files.ending(path) in row_files.TABLES:
        if columns is not None:
            columns = {name: other for name, other in columns.items() if name == column}
        lines = pair_files.texts(path, column, columns)
    else:
        lines = list(utf8_lines(path, "Name a text file, one segment per line."))
    if not any(map(str.strip, lines)):
        raise SettingsError(f"{path} is empty. Expected a text file, one segment per line.")
    if expected is not None and len(lines) != expected:
        raise SettingsError(
            f"{path} has {len(lines)} lines and {source} has {expected}. Both need one line per segment, in one order."
        )
    return lines


def read_references(
    paths: Sequence[Path],
    source: Path,
    expected: int,
    *,
    columns: Mapping[str, str] | None = None,
) -> list[list[str]]:
    """Return the references of each line: one of each file, or several where a line has tabs. Raises as above."""
    files = [read_segments(path, source, expected, columns=columns) for path in paths]
    return [
        [text for texts in line for text in texts.split("\t")] for line in zip(*files, strict=True)
    ]
