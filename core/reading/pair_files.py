"""Read pairs of a long sentence and its split (two sentences), from tables or from memory.

A row has `long` and `split`, or `long` and the two sentences `s1` and `s2`.
"""

import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator

from bitext_pivot.core.arguments import as_type, describe_value
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.reading.column_names import ColumnNames, check_columns
from bitext_pivot.core.reading.delimited_text import Cells, NumberedRow, Row
from bitext_pivot.core.reading.row_files import (
    SEPARATOR,
    SEPARATORS,
    UnreadableRowError,
    missing_columns,
    read_rows,
    rename_columns,
    require_text,
)
from bitext_pivot.core.records import Pair
from bitext_pivot.core.untrusted import shown
from bitext_pivot.core.white_space import squeezed

_log = logging.getLogger(__name__)
UNREADABLE = "unreadable"
"""The verdict, in results of commands, on a row from which no pair could be read."""
_KNOWN = ("id", "long", "split", "s1", "s2")
_NAMES = frozenset(_KNOWN)
Columns = Annotated[ColumnNames, AfterValidator(partial(check_columns, known=_KNOWN))]
"""The setting `columns` for a table of pairs: a mapping from the names we read to those in the table."""
_COLUMN_NAME = re.compile(r"[^\W\d]\w*([ .-]\w+)?")
"""One or two words: the name of a column, not a sentence."""

_MISSING = {"", "NA", "NULL"}
"""How R and MySQL write a missing value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairLine:
    """A row of a table: the pair read from it, or the problem because of which there is none."""

    number: int
    pair: Pair | None = None
    problem: str | None = None
    is_divided: bool = False
    """True if `split` had no separator, so that the rules of the sentence splitter divided it in two."""


def read_pairs(
    path: Path, language: str, columns: Mapping[str, str] | None = None
) -> Iterator[PairLine]:
    """Return every row of a table in order, as a pair or with the reason why no pair could be read.

    The table is opened once, so it may be a pipe. After the last row, a warning states how many texts in `split` had no
    separator and were divided by the sentence splitter.

    Raises SettingsError at once if the table cannot be read or none of its first rows has a pair.
    """
    return _pair_lines(_rows(path, columns), language, str(path))


def read_values(
    values: Sequence[Any], language: str, columns: Mapping[str, str] | None = None
) -> Iterator[PairLine]:
    """Read pairs, like `read_pairs`, from values in memory: rows, or tuples of a long sentence and its split.

    Raises SettingsError if none of the first values has a pair.
    """
    if not values:
        return iter(())
    columns = as_type(Columns, columns or {}, name="columns")
    rows = rename_columns(enumerate(map(_row_of, values), 1), columns)
    return _pair_lines(rows, language, "pairs")


def read_column(path: Path, column: str, columns: Mapping[str, str] | None = None) -> list[str]:
    """Return the column `long` or `split` of a table, with ` <SEP> ` between two sentences.

    Raises SettingsError if the table cannot be read, and for a row without a text in the column.
    """
    texts = []
    for number, row in _rows(path, columns):
        try:
            if not isinstance(row, dict):
                raise UnreadableRowError(row)
            if column not in row:
                option = "" if columns is None else f" (--columns {column}=NAME)"
                raise UnreadableRowError(
                    f"it has the columns {shown(', '.join(map(str, row)))}, but not `{column}`{option}"
                )
            parts = [require_text(part, f"`{column}`") for part in _parts(row[column])]
        except UnreadableRowError as error:
            raise SettingsError(
                f"{path}, row {number}: {error}. Correct it, or name a text file with one text per line."
            ) from error
        texts.append(squeezed(f" {SEPARATOR} ".join(parts)))
    return texts


def pair_from_cells(cells: Cells) -> Row | str:
    """Return the row that cells without a header represent, or the reason why they are not a pair.

    The cells are `long` and `split`, or `long`, `s1` and `s2`. Empty cells after them, as in spreadsheets, are ignored.
    """
    if len(cells) < 2:
        return "no tab between the long sentence and its split"
    long, split, *more = cells
    if not any(map(str.strip, more[1:])):
        if not more or SEPARATORS.search(split):
            return {"long": long, "split": split}
        if not SEPARATORS.search(more[0]):
            return {"long": long, "split": [split, more[0]]}
    return f"expected `long` and `s1 {SEPARATOR} s2`, or `long`, `s1` and `s2`. Name the columns in the first line"


def _rows(path: Path, columns: Mapping[str, str] | None) -> Iterator[NumberedRow]:
    expected = "Name a file of pairs, one per line."
    return read_rows(path, expected, names=_NAMES, is_header=_is_header, columns=columns)


def _is_header(cells: Cells) -> bool:
    return not _NAMES.isdisjoint(cells) or all(map(_COLUMN_NAME.fullmatch, cells))


def _pair_lines(rows: Iterator[NumberedRow], language: str, source: str) -> Iterator[PairLine]:
    """Return the pair of each row. Raises SettingsError if none of the first 100 rows has a pair."""
    lines = (_pair_line(number, row, language) for number, row in rows)
    first: list[PairLine] = []
    for line in islice(lines, 100):
        first.append(line)
        if line.pair:
            return _warn_of_divided(chain(first, lines), source)
    reason = f"row {first[0].number}: {first[0].problem}" if first else "it has no row"
    raise SettingsError(
        f"{source} has no pair ({reason}). Expected `long<TAB>s1 {SEPARATOR} s2` in each line, or a table (.csv, "
        ".jsonl, .parquet) with the columns `long` and `split`, or `long`, `s1` and `s2`."
    )


def _warn_of_divided(lines: Iterable[PairLine], source: str) -> Iterator[PairLine]:
    """Yield lines unchanged. After the last, warn if the sentence splitter divided the text of any."""
    divided = 0
    for line in lines:
        divided += line.is_divided
        yield line
    if divided:
        _log.warning(
            "%s: pairs without %s between their two sentences: %s. Sentence rules divided them; read some of them.",
            source,
            SEPARATOR,
            f"{divided:,}",
        )


def _row_of(value: Any) -> Row | str:
    """Return a value in memory as a row, or the reason why it is not a pair."""
    if isinstance(value, Mapping):
        return dict(value)
    parts = [value] if isinstance(value, str) else _parts(value)
    if len(parts) == 3:
        parts = [parts[0], parts[1:]]
    if len(parts) != 2:
        problem = f"{describe_value(value)} is not a pair"
        return f"{problem}: expected (long, [first, second]), or a row with `long` and `split`"
    return {"long": parts[0], "split": parts[1]}


def _pair_line(number: int, row: Row | Cells | str, language: str) -> PairLine:
    if isinstance(row, list):
        row = pair_from_cells(row)
    if isinstance(row, str):
        return PairLine(number=number, problem=row)
    try:
        return _pair(number, row, language)
    except UnreadableRowError as error:
        return PairLine(number=number, problem=str(error))


def _pair(number: int, row: Row, language: str) -> PairLine:
    """Return the pair of a row. Raises UnreadableRowError if it has none."""
    if problem := missing_columns(row, {"long": "long", "split": "split"}):
        raise UnreadableRowError(problem)
    name = row.get("id")
    if name in (None, ""):
        name = number
    if isinstance(name, list | dict):
        raise UnreadableRowError("the id is not a text or a number")
    long = _sentence(row["long"], "long")
    parts = _parts(row["split"])
    is_divided = len(parts) == 1 and isinstance(row["split"], str)
    if is_divided:
        parts = _divide(parts[0], long, language)
    if len(parts) != 2:
        raise UnreadableRowError(
            f"{len(parts)} sentences in `split`; expected `s1 {SEPARATOR} s2`, or a list of two in JSON and Parquet"
        )
    pair = Pair(
        id=require_text(str(name), "the id"),
        language=language,
        long=long,
        split=(_sentence(parts[0], "first half"), _sentence(parts[1], "second half")),
        pivot=None,
        translated=None,
        engine=None,
        alignment=None,
    )
    return PairLine(number=number, pair=pair, is_divided=is_divided)


def _parts(split: Any) -> list[Any]:
    """Return the sentences in a value of `split`.

    They are the items of a list, or the texts between the separators in a text. Any other value is returned in a list.
    """
    if isinstance(split, str | bytes):
        return SEPARATORS.split(require_text(split, "split"))
    if isinstance(split, Iterable) and not isinstance(split, Mapping):
        return [*split]
    return [split]


def _divide(split: str, long: str, language: str) -> list[str]:
    """Divide `split`, a text without a separator, into its two sentences.

    Raises UnreadableRowError unless the sentence rules of the language find exactly two sentences in `split` and one in
    `long`: a wrong division would look like a right one.
    """
    from bitext_pivot.core import splitting  # its library takes a tenth of a second to import

    if language in splitting.languages() and not split.startswith(("[", "{")):  # lists of DuckDB
        split_text = splitting.splitter(language).split
        halves = split_text(split)
        if len(halves) == 2 and len(split_text(long)) == 1:
            return halves
    raise UnreadableRowError(
        f"no {SEPARATOR} between the two sentences, and where the first one ends is not certain"
    )


def _sentence(value: Any, name: str) -> str:
    sentence = squeezed(require_text(value, name))
    if sentence in _MISSING:
        raise UnreadableRowError(f"{name} is empty")
    return sentence
