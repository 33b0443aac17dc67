"""Read CSV and text with tabs between cells, strictly: texts of this field contain every delimiter and every quote.

* CSV is RFC 4180, read by Python's `csv` module in strict mode. The first line names the columns. The delimiter is
  the one of `,` `;` tab and `|` that separates the expected names. What the module refuses is refused.
* In other text each line is a row, and tabs separate its cells. Nothing is quoted, and a header is optional.
* Rows that another dialect may have meant differently are unreadable: `_problem`, `named_rows`.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Set
from itertools import chain

from bitext_pivot.core import text_files
from bitext_pivot.core.errors import SettingsError

Cells = list[str]
_DELIMITERS = ",;\t|"
_BEFORE_HEADER = re.compile(r'\s*|"?sep=.?"?', re.IGNORECASE)
"""Lines that may precede a header: empty ones, and the line in which Excel states its delimiter."""
_OTHER_DIALECT = re.compile(r"""\\(["'`\\]|\Z)|\A\\N\Z|\A(['`]).*\2\2.*\2\Z""", re.DOTALL)
r"""Escapes such as `\"` and `\N` (MySQL, PostgreSQL, Spark, R), and doubled other quotes: `'Tom''s'`."""
_TAB_ESCAPE = re.compile(r"\\[bfnrtv0]")
r"""Escapes such as `\n` in text with tabs (MySQL, PostgreSQL, jq)."""
_QUOTED_CELL = re.compile('"([^"]|"")*+"')
_WORD = re.compile(r"\w+")
_BROKEN = "next to a row with too few cells: a line break may divide a cell"
csv.field_size_limit(text_files.LONGEST)


def csv_rows(lines: Iterable[str], names: Set[str], source: str) -> Iterator[Cells]:
    """Yield the cells of each row of CSV; `names` are the columns that the caller expects.

    Raises SettingsError at the first row that strict CSV does not allow.
    """
    lines = iter(lines)
    start: list[str] = []
    for line in lines:
        start.append(line)
        if not _BEFORE_HEADER.fullmatch(line):
            break

    def separated(delimiter: str) -> tuple[int, int]:
        cells = [cell.strip(' "') for cell in start[-1].split(delimiter)]
        return len(names & {*cells}), len(cells)

    reader = csv.reader(
        (f"{line}\n" for line in chain(start, lines)),
        delimiter=max(_DELIMITERS, key=separated),
        skipinitialspace=True,
        strict=True,
    )
    try:
        yield from reader
    except csv.Error as error:
        raise SettingsError(
            f"{source} is not CSV at line {reader.line_num} ({error}). Enclose cells in double quotes and double those "
            "inside, or write the table as JSON lines or Parquet."
        ) from error


def named_rows(
    rows: Iterable[Cells],
    names: Set[str],
    is_header: Callable[[Cells], bool],
    source: str,
    *,
    is_quoted: bool,
) -> Iterator[tuple[int, dict[str, str] | Cells | str]]:
    """Yield each row with its number: by column if there is a header, otherwise its cells, or why it is unreadable.

    The header may be repeated, as in concatenated files. If a row has too few cells, the rows next to it are unreadable
    as well, because a line break may have divided a row in two. Empty lines may stand between them.

    Raises SettingsError if a header names a column twice, or names columns in a later row that are not the header's.
    """
    header: Cells | None = None
    waiting: list[tuple[int, dict[str, str] | Cells | str]] = []
    """The last row and the empty lines after it, until the next row shows that it was complete."""
    was_short = False
    for number, cells in enumerate(rows, 1):
        stripped = [cell.strip() for cell in cells]
        filled = [*filter(None, (cell.strip(" \t\"'`") for cell in cells))]
        if header is None:
            if _BEFORE_HEADER.fullmatch("".join(filled)):
                continue
            header = stripped if is_header(stripped) else []
            _check_header(header, source)
            if not header:
                _refuse_undivided_names(cells, names, source)
        if filled and {*names, *header}.issuperset(filled):
            if stripped != header:
                raise SettingsError(
                    f"{source} names columns in row {number} ({', '.join(filled)}); expected in the first line only. "
                    "Delete the lines before it, or divide the file there."
                )
            continue
        row: dict[str, str] | Cells | str = _problem(cells, header, is_quoted=is_quoted)
        if not row:
            row = dict(zip(header, cells, strict=True)) if header else cells
        if not filled:
            waiting.append((number, row))
            continue
        is_short = len(cells) < (len(header) or 2)
        if waiting and is_short and not was_short:
            waiting[0] = waiting[0][0], _BROKEN
        yield from waiting
        waiting = [(number, _BROKEN if was_short and not is_short else row)]
        was_short = is_short
    yield from waiting


def _check_header(header: Cells, source: str) -> None:
    """Raise SettingsError if a header names a column twice."""
    twice = [name for name in header if name and header.count(name) > 1]
    if twice:
        raise SettingsError(f"{source} has two columns named {twice[0]!r}. Rename one.")


def _refuse_undivided_names(cells: Cells, names: Set[str], source: str) -> None:
    """Raise SettingsError if a first line names columns, but in quotes or without tabs between them."""
    words = {*_WORD.findall(" ".join(cells))}
    if len(words & names) > max(1, len(words - names)):
        raise SettingsError(
            f"{source} begins with names of columns, but they are quoted, or tabs do not separate them. If it is CSV, "
            "name it .csv."
        )


def _problem(cells: Cells, header: Cells, *, is_quoted: bool) -> str:
    """Return why a row is unreadable, or "".

    `is_quoted`: False for text in which nothing is quoted. If every quote encloses a whole cell there, a program such
    as Excel or pandas may have quoted the cells, or the sentences may be direct speech.
    """
    if not all(map(text_files.is_utf8, cells)):
        return text_files.NO_UTF8
    if header and len(cells) != len(header):
        return "another number of cells than the header"
    texts = [cell for cell in cells if not cell.startswith(("[", "{"))]  # JSON has backslashes
    patterns = [_OTHER_DIALECT] if is_quoted else [_OTHER_DIALECT, _TAB_ESCAPE]
    if any(pattern.search(text) for text in texts for pattern in patterns):
        return "a backslash escape, or quotes doubled inside other quotes; CSV and TSV have neither"
    quoted = [cell for cell in cells if '"' in cell]
    if not is_quoted and quoted and all(map(_QUOTED_CELL.fullmatch, quoted)):
        return "quotes around a cell may belong to CSV or to the text. Name the file .csv, or write JSON lines"
    return ""
