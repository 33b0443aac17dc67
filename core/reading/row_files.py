"""Rows of files: CSV, columns with tabs between, JSON lines or an array, Parquet.

Text files may be compressed. A folder that `datasets` saved and a data set of the hub have such files, too.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import chain, product
from pathlib import Path, PurePath
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator
from pydantic_settings import NoDecode

from bitext_pivot.core import text_files
from bitext_pivot.core.data_files import parse_json, parse_row
from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.reading import input_files
from bitext_pivot.core.settings import misspelt
from bitext_pivot.core.storage import received

_Item = TypeVar("_Item")
Cells = list[str]
Row = dict[str, Any]
TableRows = Iterator[tuple[int, Row | Cells | str]]
"""Rows with their numbers: an object, cells, or what is wrong with a row."""
_LOOKED_AT, _LOOKED_AT_SIZE = 100, 1 << 24
"""Rows, or lines, at the beginning of a file, which show what it is, and their characters."""
_LONGEST = 1 << 20
"""Characters of a text of a row; no parser reads a longer one."""
SEPARATOR = "<SEP>"
"""Between the two sentences of a text: BiSECT's."""
WIKISPLIT_SEPARATOR = "<::::>"
SEPARATORS = re.compile(f"{SEPARATOR}|{WIKISPLIT_SEPARATOR}")
JSON_ENDINGS = frozenset({".jsonl", ".ndjson", ".json"})
TABLE_ENDINGS = frozenset({".parquet", ".arrow", ".feather"})
TABLES = JSON_ENDINGS | TABLE_ENDINGS | {".csv", ".xlsx", ".xls", ".ods"}
"""Endings of files that have columns, and no lines of text; a workbook is to be saved as one of them."""
WRITTEN = (".jsonl", ".ndjson", ".json", ".csv", ".parquet")
"""Endings of files of rows that commands write."""
_IN_FOLDERS = (".parquet", ".arrow", ".feather", ".jsonl", ".ndjson", ".csv", ".tsv")
"""Endings of files of rows in folders; there are other files with .json."""
VERSION = 2
"""Change it when the same table gives other rows."""
_QUOTES = "\"'`"
_FIRST = 10
"""Lines among which names of columns stand."""
_BEFORE = re.compile(r'\s*(#.*|"?sep=.?"?)?', re.IGNORECASE)
"""Lines that may precede names of columns: empty ones, comments, and what a German or French Excel writes."""
_MARK = re.compile(r"[^\w .\0\"'`-]")
"""What may be a delimiter between names of columns."""
_WORD = re.compile(r"\w+")
_OTHER_QUOTES = re.compile(r"""(['`])(?=.*\1\1).*\1|.*\\(["'`\\].*)?|\\N""", re.DOTALL)
"""A cell with quotes of another dialect: doubled ones inside single quotes, backslashes of Spark and MySQL."""
_CUT = re.compile(r"""(["`])(?!.*\1\Z).*|(?=.*(["'`])$)(?!.*\2.*\2).*|.*\\""", re.DOTALL)
"""A cell of a row with a line break: a quote opens and stays open, or one that is not open is closed."""
_APOSTROPHE = re.compile("'(?!.*'\\Z).*", re.DOTALL)
"""A cell that begins with an apostrophe: of a word, or a quote that a later row closes."""
_QUOTED = re.compile('"([^"]|"")*+"')
"""A column as CSV writes it: between quotes, those inside doubled."""
_FILE = re.compile(
    r"(?P<table>.+?)(-(?P<number>\d{5})(-of-(?P<size>\d{5}))?(-[0-9a-f]{16}|-[0-9a-f-]{36}(-c\d{3})?(\.\w+)?)?)?"
    rf"(?P<format>({'|'.join(map(re.escape, _IN_FOLDERS))})({'|'.join(map(re.escape, text_files.COMPRESSED))})?)",
    re.IGNORECASE,
)
"""The name of a file of a table: `train-00000-of-00002.parquet`; `datasets` and Spark add a digest or an id."""
_BESIDE = re.compile(r"(^|/)([._~]|cache-[0-9a-f]+\.arrow)")
"""Names of files that programs keep beside tables: hidden ones, and those of `datasets`."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_LIST = re.compile(r"""(array\()?\[\s*(['"]).*['"]\s*\](, dtype=\w+\))?""", re.DOTALL)
"""A list in one cell, as `to_csv` of datasets and of pandas writes it: `['It rained.' 'We left.']`."""
csv.field_size_limit(text_files.LONGEST)


class NoSentenceError(ValueError):
    """Why a value is no sentence."""


def rows(
    path: Path,
    expected: str,
    *,
    names: Set[str],
    is_header: Callable[[Cells], bool],
) -> TableRows:
    """Yield each row of a file with its number, from 1: an object, cells, or what is wrong with the row.

    The ending of the name says what a file has (`_IN_FOLDERS`, `.json`); a stream without one has JSON if it
    begins as JSON does, and any other file columns with tabs between. One of `names` in the first lines shows delimiter
    and quotes. The first line that is not empty is a header if `is_header` says so; empty lines and comments before
    it count, but are no rows. Without a header, rows are cells. A folder, or a data set `owner/name` of the hub, has
    one table of them.

    Args:
        path: A file, a stream or a folder; where nothing is there, the name of a data set on the hub.
        expected: Ends the messages, as in `input_files.lines`.
        names: Names of columns that the caller reads.
        is_header: Returns True for the first cells of a text if they are names.

    Raises:
        SettingsError: As `input_files.lines`; of a folder that it has no rows or several tables; of a text that two
            columns have one name, that their names stand behind other lines, or that a quote stays open.
        SourceError: The hub does not answer.
    """
    number = size = 0
    header: Cells = []
    last: Cells = []
    is_open = False
    """An apostrophe opened in the last row, or in bad ones before it."""
    for file in files(path):
        is_begun = is_bad = False
        for row in _read(file, expected, names):
            number += 1
            if isinstance(row, list) and not is_begun:
                is_begun = any(map(str.strip, row))
                given = _names(row, header, is_header, file)
                header = given or header
                size = len(header or row)
                if given or not is_begun:
                    continue
            if isinstance(row, list) and not any(map(str.strip, row)) and len(row) < size:
                yield number, _named(row, header)  # an empty line is no part of a row
                continue
            was_bad, is_bad = is_bad, isinstance(row, str) or len(row) < size
            cells = row if isinstance(row, list) else []
            if cells and (is_bad or was_bad) and _is_cut([*last, *cells], is_open=is_open):
                raise SettingsError(
                    f"{file}, row {number}: a cell has a line break, or a quote that is not closed. "
                    "Write the row in one line, or the table as JSON lines."
                )
            last = cells[-1:]
            is_open = (is_open and is_bad) or any(map(_APOSTROPHE.fullmatch, cells))
            yield number, _named(row, header)


def _is_cut(cells: Cells, *, is_open: bool) -> bool:
    """Return True if a line break divides one of the cells of rows that are bad or stand beside bad ones."""
    is_closed = is_open and any(cell.endswith("'") for cell in cells)
    return is_closed or any(map(_CUT.fullmatch, cells))


def beginning(rows: Iterator[_Item]) -> list[_Item]:
    """Take the first rows or lines, which show what a file is, and return them; few if they are long."""
    first: list[_Item] = []
    size = 0
    for row in rows:
        first.append(row)
        size += len(str(row))
        if len(first) == _LOOKED_AT or size > _LOOKED_AT_SIZE:
            break
    return first


def _names(line: Cells, header: Cells, is_header: Callable[[Cells], bool], file: Path) -> Cells:
    """Return the names in the first line of a file, none if it is a row; `header` is that of files before.

    Raises SettingsError if two columns have one name.
    """
    names = [cell.strip() for cell in line]
    given = [*filter(None, names)]
    is_again = sorted(names) == sorted(header)
    if not given or not (is_again or (not header and is_header(names))):
        return []
    if len({*given}) < len(given):
        raise SettingsError(f"{file} has two columns of one name: {', '.join(names)}. Rename one.")
    return names


def _named(row: Row | Cells | str, header: Cells) -> Row | Cells | str:
    """Return the cells of a row with their names, if there is a header; what is no cells, as it is."""
    if not isinstance(row, list):
        return row
    if not all(map(text_files.is_utf8, row)):
        return text_files.NO_UTF8
    texts = [
        cell for cell in row if not cell.startswith(("[", "{"))
    ]  # those of JSON have backslashes
    if any(map(_OTHER_QUOTES.fullmatch, texts)):
        return (
            "quotes in quotes, or behind a backslash; expected double quotes, those inside doubled"
        )
    if not header:
        return row
    if len(row) != len(header):
        return "another number of columns than the header"
    return dict(zip(header, row, strict=True))


def with_columns(rows: TableRows, columns: Mapping[str, str], source: str) -> TableRows:
    """Yield rows as they are, if they have the columns that `columns` names.

    `source` is the name of the file, for messages. Raises SettingsError at the first row if a column is in
    none of the first rows.
    """
    first = beginning(rows)
    names = dict.fromkeys(chain.from_iterable(row for _, row in first if isinstance(row, dict)))
    missing = [column for column in columns.values() if column not in names]
    if missing and not all(isinstance(row, str) for _, row in first):
        found = ", ".join(names) or "no line with the names of columns"
        raise SettingsError(
            f"{source} has no column {' and no column '.join(map(repr, missing))}, which `columns` names. "
            f"It has {found}. Correct the names."
        )
    yield from chain(first, rows)


def renamed(row: Row, columns: Mapping[str, str]) -> Row:
    """Return a row with the columns that a caller reads; `s1` and `s2` are its `split` if it has no other."""
    row = {name: value for name, value in row.items() if name not in columns} | {
        name: row[column] for name, column in columns.items() if column in row
    }
    is_given = "split" in row and {"s1", "s2"}.isdisjoint(columns)
    if not is_given and {"s1", "s2"} <= row.keys():
        row["split"] = [row["s1"], row["s2"]]
    return row


def read_columns(value: Any) -> Any:
    """Return the columns of an option, `long=complex,split=simple` or JSON, as a dictionary.

    What is no text is returned as it is.

    Raises ValueError for a part without a name or a column, and for a name that is given twice.
    """
    if not isinstance(value, str):
        return value
    if value.startswith("{"):
        return parse_json(value)
    columns: dict[str, str] = {}
    for part in value.split(","):
        name, _, column = map(str.strip, part.partition("="))
        if not name or not column:
            raise ValueError(
                f"{part!r} names no column; expected such as long=complex,split=simple"
            )
        if name in columns:
            raise ValueError(f"{name!r} is given twice; expected one column for each name")
        columns[name] = column
    return columns


def check_columns(columns: dict[str, str], *, known: Sequence[str]) -> dict[str, str]:
    """Return names of columns as they are.

    Raises ValueError for one that is not read, for a column that is named twice or is "", and for `s1` or
    `s2` beside `split`.
    """
    for name, column in columns.items():
        if name not in known:
            raise ValueError(misspelt(name, [*known], what="column that is read"))
        if not column or [*columns.values()].count(column) > 1:
            raise ValueError(
                f"{name!r} is the column {column!r}; expected a name, and another one for each column"
            )
    if "split" in columns and not {"s1", "s2"}.isdisjoint(columns):
        raise ValueError("expected 'split', or 's1' and 's2', not both")
    return columns


ColumnNames = Annotated[dict[str, str], NoDecode, BeforeValidator(read_columns)]
"""Names of columns in a file, by those that are read. On a command line `long=complex,split=simple`."""


def ending(path: PurePath) -> str:
    """Return the last ending of a file's name in lower case, without that of a compression."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in text_files.COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def files(path: Path) -> list[Path]:
    """Return the files of a path, which may be a folder or the name of a data set on the hub.

    Raises as `rows`.
    """
    if path.is_dir():
        names = _table(str(path), received.names(path))
        for name in names:
            if problem := received.problem(path, name):
                raise SettingsError(f"{path / name} {problem}. Name a file, or another folder.")
        return [path / name for name in names]
    if not is_hub_name(path):
        return [path]
    from bitext_pivot.core.hub import hub_client  # the hub's client takes a third of a second

    owner, name, *rest = path.parts
    part = "/".join(rest)
    return hub_client.data_set(f"{owner}/{name}", lambda names: _table(str(path), names, part))


def is_hub_name(path: Path) -> bool:
    """Return True for `owner/name` or `owner/name/table` where no folder `owner` is here."""
    is_file = len(path.parts) < 2 or path.is_absolute() or ending(path)[1:].isalpha()
    return not is_file and not Path(path.parts[0]).exists()


def _table(address: str, names: Iterable[str], part: str = "") -> list[str]:
    """Return the names of the files of one table, in order: of the table `part`, or of the only one that begins so.

    Raises SettingsError for another number of tables, and for one that is not whole.
    """
    matches = (
        _FILE.fullmatch(name)
        for name in sorted(names)
        if name.startswith(part) and not _BESIDE.search(name)
    )
    files = [file for file in matches if file]
    files = [file for file in files if file["table"] == part] or files
    tables = dict.fromkeys(file["table"] for file in files)
    if not files:
        raise SettingsError(
            f"{address} has no file of rows ({', '.join(_IN_FOLDERS)}). Name a file, or another folder."
        )
    if len(tables) > 1:
        raise SettingsError(f"{address} has several tables: {', '.join(tables)}. Name one.")
    found = [file[0] for file in files]
    size = len(files)
    numbers = [int(file["number"] or 0) for file in files]  # from 0 or 1
    kinds = {(file["format"], int(file["size"] or size)) for file in files}
    is_counted = numbers in ([*range(size)], [*range(1, size + 1)])
    if not is_counted or kinds != {(files[0]["format"], size)}:
        raise SettingsError(
            f"{address} has a table that is not whole, or files of two: {', '.join(found)}. Name one file, or take "
            "away what does not belong to it."
        )
    return found


def _read(path: Path, expected: str, names: Set[str]) -> Iterator[Row | Cells | str]:
    if ending(path) in TABLE_ENDINGS:
        try:
            yield from received.table(path)
        except (OSError, ShardError) as error:
            reason = " ".join(str(error).split())
            raise SettingsError(f"{path} cannot be read ({reason}). {expected}") from error
        return
    lines = input_files.lines(path, expected)
    first = next(lines, None)
    if first is None:
        return
    begins_as_json = first.lstrip().startswith(("{", "["))
    lines = chain([first], lines)
    if ending(path) in JSON_ENDINGS or (not path.suffix and begins_as_json):
        yield from _json(lines, is_array=first.lstrip().startswith("["))
    else:
        yield from _cells(path, lines, names)


def _cells(path: Path, lines: Iterator[str], names: Set[str]) -> Iterator[Cells | str]:
    first = beginning(lines)
    place, delimiter, quote = _dialect(path, first, names)
    first[:place] = [""] * place
    if ending(path) == ".csv":
        if not delimiter and first:
            raise SettingsError(
                f"{path} has none of the columns {', '.join(sorted(names))}, only {first[0][:80]!r}. "
                "Write these names in a first line; pairs and bitext also take other names (`columns`)."
            )
    elif delimiter in {"", "\t"} and quote == '"':
        yield from map(_columns, chain(first, lines))
        return
    for begin, end, cells in _parsed(chain(first, lines), delimiter, quote):
        if isinstance(cells, str) and begin < end:
            raise SettingsError(
                f"{path} is not CSV: in line {begin} a quote opens that stays open, or is closed inside a cell. "
                "Close it, and double quotes inside quotes."
            )
        yield cells


def _dialect(path: Path, lines: list[str], names: Set[str]) -> tuple[int, str, str]:
    """Return the place of the line with names of columns, their delimiter, and the quotes of cells; 0 and "" without.

    Raises SettingsError if the names stand behind other lines, or between what is no delimiter.
    """
    for place, line in enumerate(lines[:_FIRST]):
        if _BEFORE.fullmatch(line):
            continue
        marks = _MARK.findall(line) or ([","] if ending(path) == ".csv" else [])
        dialects = [*product(dict.fromkeys(marks), _QUOTES)]
        delimiter, quote = max(dialects, key=partial(_named_in, line, names), default=("", '"'))
        is_first = all(map(_BEFORE.fullmatch, lines[:place]))
        if delimiter and _named_in(line, names, (delimiter, quote)) > (not is_first):
            if not is_first:
                raise SettingsError(
                    f"{path} has the names of its columns in line {place + 1}, behind other lines. Delete those."
                )
            of_cells = _quote(lines[place:], delimiter)
            is_read = _named_in(line, names, (delimiter, of_cells))
            return place, delimiter, of_cells if is_read else quote
    for line in lines[:_FIRST]:
        words = {*_WORD.findall(line)}
        if len(words & names) > max(1, len(words - names)):
            raise SettingsError(
                f"{path} has names of columns, but nothing between them that delimits cells ({line[:80]!r}). "
                "Write the table as CSV or JSON lines."
            )
    return 0, "", '"'


def _named_in(line: str, names: Set[str], dialect: tuple[str, str]) -> int:
    """Return how many names of columns a line has in a dialect."""
    delimiter, quote = dialect
    _, _, cells = [*_parsed([line], delimiter, quote)][0]
    return len(names & {*map(str.strip, cells)})


def _quote(lines: list[str], delimiter: str) -> str:
    """Return the quotes around cells of most lines, else double ones."""
    counts = {}
    for quote in _QUOTES:
        end = re.escape(delimiter)
        cell = re.compile(rf"(^|{end}) ?{quote}([^{quote}]|{quote}{quote})*{quote} ?($|{end})")
        counts[quote] = sum(map(bool, map(cell.search, lines)))
    most = max(_QUOTES, key=counts.__getitem__)
    return most if 2 * counts[most] >= len(lines) else '"'


def _parsed(
    lines: Iterable[str], delimiter: str, quote: str
) -> Iterator[tuple[int, int, Cells | str]]:
    """Yield the first and the last line of each row, from 1, and its cells, or what is wrong with it."""
    goes_on = False

    def ended() -> Iterator[str]:
        nonlocal goes_on
        for line in lines:
            goes_on = line.endswith("\\")
            yield f"{line}\n"

    reader = csv.reader(
        ended(),
        delimiter=delimiter,
        quotechar=quote,
        skipinitialspace=True,
        strict=True,
    )
    cells: Cells | str | None = []
    while cells is not None:
        begin = reader.line_num + 1
        try:
            cells = next(reader, None)
            goes_on = False
        except csv.Error as error:
            cells = f"not CSV ({error})"
        if cells is not None:
            yield begin, reader.line_num + goes_on, cells


def _columns(line: str) -> Cells:
    """Return the columns of a line, without the quotes of CSV.

    Those of a column are certain where quotes inside it are doubled, or if all columns of the line have
    them: elsewhere they may belong to the text, as in `"No."`.
    """
    columns = line.split("\t")
    is_csv = all(map(_QUOTED.fullmatch, columns))
    for place, column in enumerate(columns):
        if is_csv or ('""' in column[1:-1] and _QUOTED.fullmatch(column)):
            columns[place] = column[1:-1].replace('""', '"')
    return columns


def _json(lines: Iterable[str], *, is_array: bool) -> Iterator[Row | str]:
    if is_array:
        lines = list(lines)
        try:
            values = parse_json("\n".join(lines))
        except ValueError:
            pass  # lines, the first of which is a list
        else:
            yield from (value if isinstance(value, dict) else "no JSON object" for value in values)
            return
    yield from map(_object, lines)


def _object(line: str) -> Row | str:
    value = parse_row(line)
    if isinstance(value, str):
        return value
    kinds = {type(column) for column in value.values()}
    is_numbered = kinds == {dict} and all("0" in column for column in value.values())
    if (kinds == {list} and len(value) > 1) or is_numbered:
        return "a table by columns; expected an object for each row: pandas writes them with orient='records'"
    return value


def text(value: object, what: str) -> str:
    """Return a value that must be a text, or its bytes.

    `what` is its name in the message. Raises NoSentenceError for another one, for one that is too long, and
    for what no file can hold.
    """
    if isinstance(value, bytes):
        value = value.decode(errors="surrogateescape")
    if not isinstance(value, str):
        raise NoSentenceError(f"{what} is no text")
    if len(value) > _LONGEST:
        raise NoSentenceError(f"{what} has more than {_LONGEST:,} characters")
    if "\x00" in value or _SURROGATE.search(value):
        raise NoSentenceError(f"{what} holds a NUL or a lone surrogate")
    if _LIST.fullmatch(value):
        raise NoSentenceError(
            "a list that is written as text, as in CSV by `datasets`; expected JSON lines or Parquet"
        )
    return value


def without_separators(text_of_all: str) -> str:
    """Return a text with a space in place of each separator."""
    return SEPARATORS.sub(" ", text_of_all)
