"""Rows of text files: JSON lines, a JSON array, or columns with tabs between; plain or compressed."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path, PurePath
from typing import Any

from bitext_pivot.core import input_files, text_files
from bitext_pivot.core.data import parse_json

Columns = list[str]
Row = dict[str, Any]
SEPARATOR = "<SEP>"
"""Between the two sentences of a text: BiSECT's."""
WIKISPLIT_SEPARATOR = "<::::>"
SEPARATORS = re.compile(f"{SEPARATOR}|{WIKISPLIT_SEPARATOR}")
JSON_ENDINGS = frozenset({".jsonl", ".ndjson", ".json"})
NO_UTF8 = "not UTF-8"
_QUOTED = re.compile('"([^"]|"")*+"')
"""A column as CSV writes it: between quotes, those inside doubled."""
_SURROGATE = re.compile("[\ud800-\udfff]")


class NoSentenceError(ValueError):
    """Why a value is no sentence."""


def rows(path: Path, expected: str) -> Iterator[tuple[int, Row | Columns | str]]:
    """Yield each line of a file with its number, from 1: a JSON object, columns, or what is wrong with the line.

    A file whose name ends in .jsonl, .ndjson or .json has JSON; a stream without such a name has JSON if it begins as
    JSON does. Objects of one array are numbered as lines. Raises SettingsError as `input_files.lines`, with `expected`.
    """
    lines = input_files.lines(path, expected)
    first = next(lines, None)
    if first is None:
        return
    begins_as_json = first.lstrip().startswith(("{", "["))
    lines = chain([first], lines)
    if ending(path) in JSON_ENDINGS or (not path.suffix and begins_as_json):
        values: Iterable[Row | Columns | str] = _json(
            lines, is_array=first.lstrip().startswith("[")
        )
    else:
        values = map(_columns, lines)
    yield from enumerate(values, 1)


def ending(path: PurePath) -> str:
    """Return the last ending of a file's name in lower case, without that of a compression."""
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if suffixes and suffixes[-1] in text_files.COMPRESSED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def _columns(line: str) -> Columns | str:
    """Return the columns of a line, without the quotes of CSV.

    Those of a column are certain where quotes inside it are doubled, or if all columns of the line have
    them: elsewhere they may belong to the text, as in `"No."`.
    """
    if not input_files.is_utf8(line):
        return NO_UTF8
    columns = line.split("\t")
    quoted = [_QUOTED.fullmatch(column) is not None for column in columns]
    is_csv = all(quoted)
    for place, column in enumerate(columns):
        if is_csv or (quoted[place] and '""' in column[1:-1]):
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
    for line in lines:
        yield _object(line)


def _object(line: str) -> Row | str:
    if not input_files.is_utf8(line):
        return NO_UTF8
    try:
        value = parse_json(line)
    except ValueError as error:
        return f"not JSON ({error})"
    return value if isinstance(value, dict) else "no JSON object"


def text(value: object, what: str) -> str:
    """Return a value that must be a text; raises NoSentenceError for another one, and for what no file can hold.

    `what` is its name in the message.
    """
    if not isinstance(value, str):
        raise NoSentenceError(f"{what} is no text")
    if "\x00" in value or _SURROGATE.search(value):
        raise NoSentenceError(f"{what} holds a NUL or a lone surrogate")
    return value


def sentences(text_of_all: str) -> list[str]:
    """Return the texts between the separators of BiSECT or WikiSplit."""
    return SEPARATORS.split(text_of_all)


def without_separators(text_of_all: str) -> str:
    """Return a text with a space in place of each separator."""
    return SEPARATORS.sub(" ", text_of_all)
