"""Read the rows of tables: CSV, tab-separated text, JSON lines, a JSON array, Parquet and Arrow.

The file extension decides the format. Text files may be compressed. A table may also be a folder that `datasets` wrote,
or a data set on the Hugging Face hub (`table_folders`).
"""

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Set
from itertools import chain
from pathlib import Path

from bitext_pivot.core.data_files import parse_json, parse_row
from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.reading import delimited_text, input_files, table_folders
from bitext_pivot.core.reading.delimited_text import Cells, NumberedRow, Row
from bitext_pivot.core.storage import received
from bitext_pivot.core.text_files import extension
from bitext_pivot.core.untrusted import shown

_LONGEST_TEXT = 1 << 20
"""Maximum length of a text, in characters. No parser reads a longer text."""
SEPARATOR = "<SEP>"
"""The separator, as in BiSECT, between the two sentences into which a long sentence was split."""
WIKISPLIT_SEPARATOR = "<::::>"
SEPARATORS = re.compile(f"{SEPARATOR}|{WIKISPLIT_SEPARATOR}")
JSON_EXTENSIONS = frozenset({".jsonl", ".ndjson", ".json"})
ARROW_EXTENSIONS = frozenset({".parquet", ".arrow", ".feather"})
TABLE_EXTENSIONS = JSON_EXTENSIONS | ARROW_EXTENSIONS | {".csv", ".xlsx", ".xls", ".ods"}
"""Extensions of files with named columns. A workbook is refused with the advice to save it as CSV."""
OUTPUT_EXTENSIONS = (".jsonl", ".ndjson", ".json", ".csv", ".parquet")
"""Extensions of the tables that commands write."""
VERSION = 3
"""Version of this reader. Increase it when the same table yields other rows."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_LIST = re.compile(r"""(array\(|c)?[\[{(]\s*(['"]).*['"]\s*[\]})](, dtype=\w+\))?""", re.DOTALL)
"""A list written as text by datasets, pandas, PostgreSQL or R: `['It rained.' 'We left.']`."""


def _always(cells: Cells) -> bool:
    return True


class UnreadableRowError(ValueError):
    """Why a row cannot be read."""


def read_rows(
    path: Path,
    expected: str,
    *,
    names: Set[str],
    is_header: Callable[[Cells], bool] = _always,
    columns: Mapping[str, str] | None = None,
) -> Iterator[NumberedRow]:
    """Return the rows of a table with their numbers.

    Numbers start at 1 and include the header and the lines before the header, which are not returned.

    Args:
        path: A file, a stream or a folder; if nothing exists there, the name of a data set on the hub.
        expected: The last sentence of messages, as in `input_files.lines`.
        names: Names of columns that the caller reads.
        is_header: Returns True if the cells of the first line of a text are a header. CSV always has one, and so does a
            text if `columns` is given.
        columns: A mapping from the column names that the caller reads to those in the table.

    Raises:
        SettingsError: The file cannot be read or violates its format, or a folder holds no table or several.
        SourceError: The hub does not answer.
    """
    columns = columns or {}
    files = table_folders.find_files(path)
    if columns:
        names, is_header = names | {*columns.values()}, _always
    return rename_columns(_read(files, expected, names, is_header), columns)


def rename_columns(
    rows: Iterator[NumberedRow], columns: Mapping[str, str]
) -> Iterator[NumberedRow]:
    """Yield each row with its columns also under the names that the caller uses.

    `{"long": "source"}` in `columns` makes the column `source` of the table available as `long`. If a row lacks such a
    column, an error message is yielded in place of the row.
    """
    for number, row in rows:
        yield number, _renamed(row, columns) if isinstance(row, dict) else row


def missing_columns(row: Row, columns: Mapping[str, str]) -> str:
    """Return an error message if a row lacks one of the `columns`, otherwise "".

    The keys of `columns` are the names that the caller uses, and the values are the names in the table. The message
    suggests a value for `--columns`.
    """
    missing = {name: column for name, column in columns.items() if column not in row}
    if not missing:
        return ""
    others = [str(name) for name in row if name not in {"id", *columns.values()}]
    pairs = zip(missing, [*others, "NAME", "NAME"], strict=False)
    option = shlex.quote(",".join(f"{name}={column}" for name, column in pairs))
    return (
        f"it has the columns {shown(', '.join(map(str, row)))}, but not `{'` and `'.join(missing.values())}`; "
        f"map the names, for example with --columns {option}"
    )


def _renamed(row: Row, columns: Mapping[str, str]) -> Row | str:
    """Return a row under the column names that a caller reads, or the problem as a string.

    The columns `s1` and `s2` become a list in `split`.
    """
    if problem := missing_columns(row, columns):
        return problem
    named = row | {name: row[column] for name, column in columns.items()}
    if {"s1", "s2"} <= named.keys() and "split" not in columns:
        if "split" in named and columns.keys().isdisjoint({"s1", "s2"}):
            return "both `split`, and `s1` and `s2`. Choose: --columns split=split, or --columns s1=s1,s2=s2"
        named["split"] = [named["s1"], named["s2"]]
    return named


def require_text(value: object, name: str) -> str:
    """Return a value as a string; it must be a string or UTF-8 bytes.

    Raises UnreadableRowError, with `name`, for another type, for a text that is too long or a list written as text, and
    for characters that no file can hold.
    """
    if isinstance(value, bytes):
        value = value.decode(errors="surrogateescape")
    if not isinstance(value, str):
        raise UnreadableRowError(f"{name} is not a text")
    if len(value) > _LONGEST_TEXT:
        raise UnreadableRowError(f"{name} has more than {_LONGEST_TEXT:,} characters")
    if "\x00" in value or _SURROGATE.search(value):
        raise UnreadableRowError(f"{name} contains a NUL or a lone surrogate")
    if _LIST.fullmatch(value):
        raise UnreadableRowError(
            "a list that is written as text, as in CSV by `datasets`; expected JSON lines or Parquet"
        )
    return value


def without_separators(text: str) -> str:
    """Return a text with a space in place of each separator."""
    return SEPARATORS.sub(" ", text)


def _read(
    files: list[Path], expected: str, names: Set[str], is_header: Callable[[Cells], bool]
) -> Iterator[NumberedRow]:
    """Yield the rows of the files of a table with the columns of the file."""
    ending = extension(files[0])
    if ending in ARROW_EXTENSIONS:
        yield from enumerate(_arrow_rows(files, expected), 1)
        return
    lines = chain.from_iterable(input_files.lines(file, expected) for file in files)
    first = next(lines, None)
    if first is None:
        return
    lines = chain([first], lines)
    start = first.lstrip()[:1]
    if ending in JSON_EXTENSIONS or (not files[0].suffix and start in ("{", "[")):
        yield from enumerate(_json_array(lines) if start == "[" else map(parse_row, lines), 1)
    else:
        is_csv = ending == ".csv"
        is_header = _always if is_csv else is_header
        yield from delimited_text.read_rows(lines, names, is_header, str(files[0]), is_csv=is_csv)


def _arrow_rows(files: list[Path], expected: str) -> Iterator[Row]:
    for file in files:
        try:
            yield from received.table(file)
        except (OSError, ShardError) as error:
            raise SettingsError(f"{file} cannot be read ({shown(error)}). {expected}") from error


def _json_array(lines: Iterator[str]) -> Iterator[Row | str]:
    try:
        values = parse_json("\n".join(lines))
    except ValueError as error:
        yield f"not JSON ({error})"
        return
    yield from (value if isinstance(value, dict) else "no JSON object" for value in values)
