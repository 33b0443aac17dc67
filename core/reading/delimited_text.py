"""Read CSV and tab-separated text, strictly: sentences may contain any delimiter and any quote.

* CSV follows RFC 4180 and is read by Python's `csv` module in strict mode. The first line names the columns. The
  delimiter is a comma, semicolon, tab or `|`, whichever separates the expected names.
* In other text each line is a row, and tabs separate its cells. Nothing is quoted, and a header is optional.
* A row that means something else in another dialect counts as unreadable (`_problem`, `read_rows`).
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Set
from itertools import chain, islice
from typing import Any

from bitext_pivot.core import text_files
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.untrusted import shown

Cells = list[str]
Row = dict[str, Any]
NumberedRow = tuple[int, Row | Cells | str]
"""The number of a row, from 1, and its content: the values by column, the cells if there is no header, or the reason
why the row is unreadable."""
_DELIMITERS = ",;\t|"
_BEFORE_HEADER = re.compile(r'[\s,;|]*|"?sep=.?"?', re.IGNORECASE)
"""Lines that may precede a header: empty lines, and the line `sep=;` in which Excel states its delimiter."""
_CSV_ESCAPE = re.compile(r"""\\(["'`\\]|\Z)|\A\\N\Z|\A(['`]).*\2\2.*\2\Z""", re.DOTALL)
r"""Escapes such as `\"` and `\N` (MySQL, PostgreSQL, Spark, R), and doubled single quotes: `'Tom''s'`."""
_TAB_ESCAPE = re.compile(rf"{_CSV_ESCAPE.pattern}|\\[bfnrtv0]", re.DOTALL)
r"""Escapes in tab-separated text: those of CSV, and `\n` and others of MySQL, PostgreSQL and jq."""
_QUOTED_CELL = re.compile('"([^"]|"")*+"')
_WORD = re.compile(r"\w+")
_BROKEN = "next to a row with too few cells: a line break may divide a cell"
csv.field_size_limit(text_files.LONGEST)


def read_rows(
    lines: Iterator[str],
    names: Set[str],
    is_header: Callable[[Cells], bool],
    source: str,
    *,
    is_csv: bool,
) -> Iterator[NumberedRow]:
    """Yield the number and the content of each row.

    The content is a dictionary if there is a header, a list of cells without a header, and for an unreadable row the
    reason as a string.

    `names` are the columns that the caller expects. A header that is repeated between the rows is ignored. If a row has
    too few cells, the rows before and after it are unreadable as well, because a line break may have divided a row.

    Raises SettingsError for invalid CSV, a header that names a column twice, and a later row with other column names.
    """
    start = _beginning(lines)
    lines = chain(start, lines)
    rows = (
        _csv_rows(lines, start[-1], names, source)
        if is_csv
        else (line.split("\t") for line in lines)
    )
    header: Cells = []
    waiting: list[NumberedRow] = []
    """The last row and the empty lines after it, until the next row shows that it was complete."""
    was_short = False
    for number, cells in islice(enumerate(rows, 1), len(start) - 1, None):
        stripped = [cell.strip() for cell in cells]
        if number == len(start) and is_header(stripped):
            header = stripped
            if twice := [name for name in header if name and header.count(name) > 1]:
                raise SettingsError(f"{source} has two columns named {twice[0]!r}. Rename one.")
        if stripped == header:
            continue
        words = {*_WORD.findall(" ".join(cells))}
        if len(words & names) > max(1, len(words - names)):
            raise SettingsError(
                f"{source} names columns in row {number} ({shown(', '.join(stripped))}); expected in the first line "
                "only, separated by tabs. If it is CSV, name it .csv; otherwise delete the lines before it, or divide "
                "the file there."
            )
        row: Row | Cells | str = _problem(cells, header, is_csv=is_csv)
        row = row or (dict(zip(header, cells, strict=True)) if header else cells)
        if any(stripped):
            is_short = len(cells) < (len(header) or 2)
            if waiting and is_short and not was_short:
                waiting[0] = waiting[0][0], _BROKEN
            yield from waiting
            waiting.clear()
            if was_short and not is_short:
                row = _BROKEN
            was_short = is_short
        waiting.append((number, row))
    yield from waiting


def _beginning(lines: Iterator[str]) -> list[str]:
    """Return the lines before the header of a table, and the header line."""
    start: list[str] = []
    for line in lines:
        start.append(line)
        if not _BEFORE_HEADER.fullmatch(line):
            break
    return start


def _csv_rows(lines: Iterable[str], header: str, names: Set[str], source: str) -> Iterator[Cells]:
    """Yield the cells of each row of CSV. Raises SettingsError at the first row that strict CSV does not allow."""

    def separated(delimiter: str) -> tuple[int, int]:
        cells = [cell.strip(' "') for cell in header.split(delimiter)]
        return len(names & {*cells}), len(cells)

    reader = csv.reader(
        (f"{line}\n" for line in lines),
        delimiter=max(_DELIMITERS, key=separated),
        skipinitialspace=True,
        strict=True,
    )
    try:
        yield from reader
    except csv.Error as error:
        raise SettingsError(
            f"{source} is not valid CSV at line {reader.line_num} ({error}). Enclose cells in double quotes and double "
            "the quotes inside them, or write the table as JSON lines or Parquet."
        ) from error


def _problem(cells: Cells, header: Cells, *, is_csv: bool) -> str:
    """Return the reason why a row is unreadable, or "" if it is readable.

    If every quote of text with tabs encloses a whole cell, a program such as Excel or pandas may have quoted the cells,
    or the sentences may be direct speech.
    """
    if not text_files.is_utf8("".join(cells)):
        return text_files.NO_UTF8
    if header and len(cells) != len(header):
        return "another number of cells than the header"
    escape = _CSV_ESCAPE if is_csv else _TAB_ESCAPE
    if any(escape.search(cell) for cell in cells if not cell.startswith(("[", "{"))):  # JSON
        return "a backslash escape, or quotes doubled inside other quotes; CSV and TSV have neither"
    quoted = [cell for cell in cells if '"' in cell]
    if not is_csv and quoted and all(map(_QUOTED_CELL.fullmatch, quoted)):
        return "quotes around a cell may belong to CSV or to the text. Name the file .csv, or write JSON lines"
    return ""
