"""Pairs that users have: rows of files and of programs, with `long` and `split`, or `long`, `s1` and `s2`."""

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator

from bitext_pivot.core.arguments import described
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.reading import row_files
from bitext_pivot.core.reading.row_files import (
    SEPARATOR,
    SEPARATORS,
    Cells,
    ColumnNames,
    NoSentenceError,
    Row,
    TableRows,
)
from bitext_pivot.core.records import Pair
from bitext_pivot.core.white_space import squeezed

_log = logging.getLogger(__name__)
UNREADABLE = "unreadable"
"""The verdict on a line without a pair."""
_READ = ("id", "long", "split", "s1", "s2")
Columns = Annotated[ColumnNames, AfterValidator(partial(row_files.check_columns, known=_READ))]
"""Names of columns in somebody's file by those that are read here."""
_EXPECTED = "Name a file of pairs, one per line."
_TEXTS = "Expected rows with the column `{}`, or a text file with a line for each text."
_HEADER = "name the columns in a first line"
_NAME = re.compile(r"[^\W\d]\w*([ .-]\w+)?")
"""One or two words: the name of a column, and no sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairLine:
    """One line of the file: its pair, or why there is none."""

    number: int
    pair: Pair | None
    problem: str | None
    is_divided: bool = False
    """Nothing separated its two sentences: rules of the language found the end of the first one."""


def checked_lines(
    path: Path, language: str, columns: Mapping[str, str] | None = None
) -> Iterator[PairLine]:
    """Return every line of a file in order; formats as in `row_files`. It is opened once: it may be a pipe.

    A line without a pair says why; nothing is left out.

    At the end a warning has the number of pairs whose two sentences nothing separated. Raises SettingsError
    at once for a file without a pair in its first lines, with the columns that it has, and when it cannot be
    read.
    """
    columns = columns or {}
    return _checked(_rows(path, columns), columns, str(path), language)


def texts(path: Path, column: str, columns: Mapping[str, str] | None = None) -> list[str]:
    """Return `long` or `split` of each row of a table as lines of text, ` <SEP> ` between two sentences.

    Raises SettingsError for a row without it, with the columns that the row has, and when the file cannot be
    read.
    """
    found = []
    for number, row in _rows(path, columns or {}):
        if isinstance(row, list) and len(row) == 1 and column == "long":
            row = {"long": row[0]}
        elif isinstance(row, list):
            row = of_cells(row)
        try:
            if isinstance(row, str):
                raise NoSentenceError(row)
            named = row_files.renamed(row, columns or {})
            if column in named:
                parts = [row_files.text(part, f"`{column}`") for part in _parts(named[column])]
                found.append(squeezed(f" {SEPARATOR} ".join(parts)))
                continue
        except NoSentenceError as error:
            raise SettingsError(
                f"{path}, line {number}: {error}. {_TEXTS.format(column)}"
            ) from error
        advice = "Rename it, or name a text file with a line for each text."
        if columns is not None:
            advice = f"Name it: --columns {column}=NAME."
        raise SettingsError(
            f"{path}, line {number} has the columns {', '.join(row)}; expected `{column}`. {advice}"
        )
    return found


def from_pairs(
    pairs: Sequence[Any], language: str, columns: Mapping[str, str] | None = None
) -> Iterator[PairLine]:
    """Return values in memory as the lines of a file: rows, or a long sentence and its two sentences each.

    Raises SettingsError for values without a pair among the first ones, with the first of them.
    """
    if not pairs:
        return iter(())
    try:
        columns = row_files.check_columns(dict(columns or {}), known=_READ)
    except ValueError as error:
        raise SettingsError(f"columns: {error}") from error
    rows = row_files.with_columns(enumerate(map(_row_of, pairs), 1), columns, "pairs")
    return _checked(rows, columns, "pairs", language)


def _rows(path: Path, columns: Mapping[str, str]) -> TableRows:
    names = {*_READ[1:], *columns.values()}

    def is_header(cells: Cells) -> bool:
        return not names.isdisjoint(cells) or all(map(_NAME.fullmatch, cells))

    rows = row_files.rows(path, _EXPECTED, names=names, is_header=is_header)
    return row_files.with_columns(rows, columns, str(path))


def _checked(
    rows: TableRows, columns: Mapping[str, str], source: str, language: str
) -> Iterator[PairLine]:
    first = row_files.beginning(rows)
    lines = [_line(*row, columns, language) for row in first]
    if not any(line.pair for line in lines):
        row = next((row for _, row in first if isinstance(row, dict)), {})
        named = row_files.renamed(row, columns)
        absent = [f"{name}=NAME" for name in ("long", "split") if row and name not in named]
        if absent:
            raise SettingsError(
                f"{source} has the columns {', '.join(row)}; expected `long` and `split`, or `long`, `s1` and `s2`. "
                f"Name what is missing: --columns {','.join(absent)} (in a program columns={{...}})."
            )
        reason = f"line {lines[0].number}: {lines[0].problem}" if lines else "it has no row"
        raise SettingsError(
            f"{source} is no file of pairs ({reason}). Expected a line per pair, "
            f"`long<TAB>s1 {SEPARATOR} s2`, or a file named .csv, .jsonl or .parquet with `long` and `split`, or "
            "`long`, `s1` and `s2`."
        )
    rest = (_line(*row, columns, language) for row in rows)
    return _with_warning(chain(lines, rest), source)


def _with_warning(lines: Iterable[PairLine], source: str) -> Iterator[PairLine]:
    """Yield lines as they are; warn at the end if some were divided."""
    divided = 0
    for line in lines:
        divided += line.is_divided
        yield line
    if divided:
        _log.warning(
            "%s: pairs without %s between their two sentences: %s. They were divided where rules of the "
            "language end the first one; read some of them.",
            source,
            SEPARATOR,
            f"{divided:,}",
        )


def _row_of(pair: Any) -> Row | str:
    """Return a value in memory as a row."""
    if isinstance(pair, Mapping):
        return dict(pair)
    values = [pair] if isinstance(pair, str) else _parts(pair)
    if len(values) == 3:
        values = [values[0], values[1:]]
    if len(values) != 2:
        problem = f"{described(pair)} is no pair"
        return f"{problem}: expected (long, [first, second]), or a row with `long` and `split`"
    return {"long": values[0], "split": values[1]}


def of_cells(cells: Cells) -> Row | str:
    """Return cells without a header as a pair: `long` and its sentences, in the next cell or the next two.

    A further cell is nobody's sentence, such as an id at the beginning.
    """
    if len(cells) < 2:
        return "no tab between the long sentence and its two sentences"
    if any(map(str.strip, cells[3:])):  # spreadsheets add empty ones
        return f"{len(cells)} cells, expected 2 or 3; {_HEADER}"
    long, split, *more = cells
    if more and not SEPARATORS.search(split):
        if SEPARATORS.search(more[0]):
            return f"{SEPARATOR} in the third cell, expected in the second; {_HEADER}"
        return {"long": long, "split": [split, more[0]]}
    return {"long": long, "split": split}


def _line(
    number: int, row: Row | Cells | str, columns: Mapping[str, str], language: str
) -> PairLine:
    if isinstance(row, list):
        row = of_cells(row)
    try:
        if isinstance(row, str):
            raise NoSentenceError(row)
        row = row_files.renamed(row, columns)
        pair = _pair(number, row, language)
    except NoSentenceError as error:
        return PairLine(number=number, pair=None, problem=str(error))
    is_divided = len(_parts(row["split"])) == 1
    return PairLine(number=number, pair=pair, problem=None, is_divided=is_divided)


def _pair(number: int, row: Row, language: str) -> Pair:
    if not {"long", "split"} <= row.keys():
        raise NoSentenceError("no `long` and `split`")
    name = row.get("id")
    if name in (None, ""):
        name = number
    if isinstance(name, list | dict):
        raise NoSentenceError("the id is no text or number")
    long = _sentence(row["long"], "long")
    parts = _parts(row["split"])
    if len(parts) == 1 and isinstance(row["split"], str):
        parts = _divided(parts[0], long, language)
    if len(parts) != 2:
        raise NoSentenceError(
            f"not exactly two sentences, but {len(parts)}; expected `s1 {SEPARATOR} s2`, in JSON also a list"
        )
    return Pair(
        id=row_files.text(str(name), "the id"),
        language=language,
        long=long,
        split=(_sentence(parts[0], "first half"), _sentence(parts[1], "second half")),
        pivot=None,
        translated=None,
        engine=None,
        alignment=None,
    )


def _parts(split: Any) -> list[Any]:
    """Return the items of a list, or the texts between separators; of another value itself."""
    if isinstance(split, str | bytes):
        return SEPARATORS.split(row_files.text(split, "split"))
    if isinstance(split, Iterable) and not isinstance(split, Mapping):
        return [*split]
    return [split]


def _divided(split: str, long: str, language: str) -> list[str]:
    """Return the two sentences of a text without a separator.

    Raises NoSentenceError unless rules of the language find exactly two sentences in it and one in `long`: a
    wrong half looks like a right one.
    """
    from bitext_pivot.core import splitting  # its library takes a tenth of a second

    if language in splitting.languages():
        split_text = splitting.splitter(language).split
        halves = split_text(split)
        if len(halves) == 2 and len(split_text(long)) == 1:
            return halves
    raise NoSentenceError(
        f"no {SEPARATOR} between two sentences, and where the first one ends is not sure"
    )


def _sentence(value: Any, which: str) -> str:
    sentence = squeezed(row_files.text(value, which))
    if not sentence:
        raise NoSentenceError(f"{which} is empty")
    return sentence
