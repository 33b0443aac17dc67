"""Pairs that users have: rows of files and of programs, with `long` and `split`, or `long`, `s1` and `s2`."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any, Literal

from bitext_pivot.core import row_files
from bitext_pivot.core.arguments import described
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.records import Pair
from bitext_pivot.core.row_files import SEPARATOR, Cells, NoSentenceError, Row
from bitext_pivot.core.white_space import squeezed

UNREADABLE = "unreadable"
"""The verdict on a line without a pair."""
Columns = dict[Literal["id", "long", "split", "s1", "s2"], str]
"""Names of columns in somebody's file by those that are read here."""
_Rows = Iterator[tuple[int, Row | Cells | str]]
_EXPECTED = "Name a file of pairs, one per line."
_LOOKED_AT = 100
"""Lines; a file of pairs has one among them."""
_READ = {"long", "split", "s1", "s2"}
_NAME = re.compile(r"[^\W\d]\w*([ .-]\w+)?")
"""One or two words: the name of a column, and no sentence."""
_HINTS = {
    "long": ("long", "complex", "unsplit", "source", "original", "input"),
    "split": ("split", "simple", "simplified", "target", "output"),
}
"""Parts of the names that data sets have for a column, in lower case."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the file: its pair, or why there is none."""

    number: int
    pair: Pair | None
    problem: str | None


def checked_lines(
    path: Path, language: str, columns: Mapping[Any, str] | None = None
) -> Iterator[Line]:
    """Return every line of a file in order; formats as in `row_files`. It is opened once: it may be a pipe.

    A line without a pair says why; nothing is left out.

    Raises SettingsError at once for a file without a pair in its first lines, with the columns that it has,
    and when it cannot be read.
    """
    return _checked(_rows(path, columns or {}), str(path), language)


def texts(path: Path, column: str) -> list[str]:
    """Return `long` or `split` of each row of a table as lines of text, ` <SEP> ` between two sentences.

    Raises SettingsError for a row without it, and when the file cannot be read.
    """
    found = []
    for number, row in _rows(path, {}):
        value = _of(row).get(column)
        if isinstance(value, str):
            value = [value]
        if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
            raise SettingsError(
                f"{path}, line {number}: no text in the column `{column}`. Expected rows with `long` and "
                "`split`, or a text file with a line for each."
            )
        found.append(squeezed(f" {SEPARATOR} ".join(value)))
    return found


def _of(row: Row | Cells | str) -> Row:
    """Return a row by its columns, empty for what is none."""
    if isinstance(row, list):
        row = of_cells(row)
    if isinstance(row, str):
        return {}
    return row


def from_pairs(
    pairs: Sequence[Any], language: str, columns: Mapping[str, str] | None = None
) -> Iterator[Line]:
    """Return values in memory as the lines of a file: rows, or a long sentence and its two sentences each.

    Raises SettingsError for values without a pair among the first ones, with the first of them.
    """
    if not pairs:
        return iter(())
    rows = enumerate((_row_of(pair, columns or {}) for pair in pairs), 1)
    return _checked(rows, "pairs", language)


def _rows(path: Path, columns: Mapping[str, str]) -> _Rows:
    names = _READ.union(columns.values())

    def is_header(cells: Cells) -> bool:
        return not names.isdisjoint(cells) or all(map(_NAME.fullmatch, cells))

    return row_files.rows(path, _EXPECTED, is_header=is_header, columns=columns)


def _checked(rows: _Rows, source: str, language: str) -> Iterator[Line]:
    first = list(islice(rows, _LOOKED_AT))
    lines = [_line(*row, language) for row in first]
    if not any(line.pair for line in lines):
        names = next((row.keys() for _, row in first if isinstance(row, dict)), ())
        if names and not {"long", "split"} <= names:
            raise SettingsError(_other_names(source, [*names]))
        reason = f"line {lines[0].number}: {lines[0].problem}" if lines else "it is empty"
        raise SettingsError(
            f"{source} is no file of pairs ({reason}). Expected a line per pair, "
            f"`long<TAB>s1 {SEPARATOR} s2`, or CSV, .jsonl or Parquet with `long` and `split`, or `long`, `s1` "
            "and `s2`."
        )
    return chain(lines, (_line(*row, language) for row in rows))


def _other_names(source: str, names: list[str]) -> str:
    """Return the message for a file whose columns have other names, with those that may be meant."""
    long = _likely("long", names)
    rest = [name for name in names if name != long]
    halves = [name for name in rest if name.endswith("1") and f"{name[:-1]}2" in rest]
    guess = {"long": long, "split": _likely("split", rest)}
    if halves:
        guess = {"long": long, "s1": halves[0], "s2": f"{halves[0][:-1]}2"}
    option = ",".join(f"{column}={name}" for column, name in guess.items())
    return (
        f"{source} has the columns {', '.join(names)}; expected `long` and `split`, or `long`, `s1` and `s2`. "
        f"Say which they are, perhaps --columns {option} (in a program columns={guess})."
    )


def _likely(column: str, names: list[str]) -> str:
    """Return the name that a column may have, `NAME` without a likely one."""
    for hint in _HINTS[column]:
        for name in names:
            if hint in name.casefold():
                return name
    return "NAME"


def _row_of(pair: Any, columns: Mapping[str, str]) -> Row | str:
    """Return a value in memory as a row."""
    if isinstance(pair, Mapping):
        return row_files.renamed(dict(pair), columns)
    values: list[Any] = []
    if isinstance(pair, Iterable) and not isinstance(pair, str | bytes):
        values = [*pair]
    if len(values) == 3:
        values = [values[0], values[1:]]
    if len(values) != 2:
        problem = f"{described(pair)} is no pair"
        return f"{problem}: expected (long, [first, second]), or a row with `long` and `split`"
    return {"long": values[0], "split": values[1]}


def of_cells(cells: Cells) -> Row | str:
    """Return cells without a header as a pair: `long` and its sentences, in the next cell or the next two."""
    if len(cells) < 2:
        return "no tab between the long sentence and its two sentences"
    long, split, *more = cells
    if more and not row_files.SEPARATORS.search(split):
        return {"long": long, "split": [split, more[0]]}
    return {"long": long, "split": split}


def _line(number: int, row: Row | Cells | str, language: str) -> Line:
    if isinstance(row, list):
        row = of_cells(row)
    if isinstance(row, str):
        return Line(number=number, pair=None, problem=row)
    try:
        pair = _pair(number, row, language)
    except NoSentenceError as error:
        return Line(number=number, pair=None, problem=str(error))
    return Line(number=number, pair=pair, problem=None)


def _pair(number: int, row: Row, language: str) -> Pair:
    if not {"long", "split"} <= row.keys():
        raise NoSentenceError("no `long` and `split`")
    name = row.get("id")
    if name in (None, ""):
        name = number
    if isinstance(name, list | dict):
        raise NoSentenceError("the id is no text or number")
    return Pair(
        id=row_files.text(str(name), "the id"),
        language=language,
        long=_sentence(row["long"], "long"),
        split=_halves(row["split"]),
        pivot=None,
        translated=None,
        engine=None,
        alignment=None,
    )


def _halves(value: Any) -> tuple[str, str]:
    parts: list[Any] = []
    if isinstance(value, str):
        parts = [*row_files.sentences(value)]
    elif isinstance(value, Iterable) and not isinstance(value, Mapping | bytes):
        parts = [*value]
    if len(parts) != 2:
        raise NoSentenceError(
            f"not exactly two sentences: `s1 {SEPARATOR} s2`, in JSON also a list of two"
        )
    return _sentence(parts[0], "first half"), _sentence(parts[1], "second half")


def _sentence(value: Any, which: str) -> str:
    sentence = squeezed(row_files.text(value, which))
    if not sentence:
        raise NoSentenceError(f"{which} is empty")
    return sentence
