"""Files of existing pairs: columns `long<TAB>s1 <SEP> s2` (WikiSplit: `<::::>`), or JSON with `long` and `split`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

from bitext_pivot.core import row_files
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.records import Pair
from bitext_pivot.core.row_files import SEPARATOR, Columns, NoSentenceError, Row
from bitext_pivot.core.white_space import squeezed

UNREADABLE = "unreadable"
"""The verdict on a line without a pair."""
_EXPECTED = "Name a file of pairs, one per line."
_LOOKED_AT = 100
"""Lines; a file of pairs has one among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the file: its pair, or why there is none."""

    number: int
    pair: Pair | None
    problem: str | None


def read_lines(path: Path, language: str) -> Iterator[Line]:
    """Yield every line of a file in order; formats as in `row_files`.

    A line without a pair says why; nothing is left out. Raises SettingsError when the file cannot be read.
    """
    for number, row in row_files.rows(path, _EXPECTED):
        yield _line(number, row, language)


def checked_lines(path: Path, language: str) -> Iterator[Line]:
    """Return every line of a file as `read_lines`, which is opened once: it may be a pipe.

    Raises SettingsError at once for a file without a pair in its first lines, and when it cannot be read.
    """
    lines = read_lines(path, language)
    first = list(islice(lines, _LOOKED_AT))
    if not any(line.pair for line in first):
        reason = f"line 1: {first[0].problem}" if first else "it is empty"
        raise SettingsError(
            f"{path} is no file of pairs ({reason}). Expected a line per pair, `long<TAB>s1 {SEPARATOR} s2`, or .jsonl "
            "with `long` and `split`."
        )
    return chain(first, lines)


def from_pairs(pairs: Iterable[tuple[str, Sequence[str]]], language: str) -> Iterator[Line]:
    """Yield pairs in memory, each a long sentence and its two sentences, as the lines of a file."""
    for number, pair in enumerate(pairs, 1):
        yield _line(number, _row_of(pair), language)


def _row_of(pair: Any) -> Row | str:
    values = [*pair] if isinstance(pair, Iterable) and not isinstance(pair, str | Mapping) else []
    if len(values) != 2:
        return "no long sentence and its two sentences: expected (long, [first, second])"
    long, split = values
    is_list = isinstance(split, Iterable) and not isinstance(split, str)
    return {"long": long, "split": [*split] if is_list else split}


def _line(number: int, row: Row | Columns | str, language: str) -> Line:
    if isinstance(row, str):
        return Line(number=number, pair=None, problem=row)
    try:
        name, long, split = _values(row)
        pair = Pair(
            id=name or str(number),
            language=language,
            long=_sentence(long, "long"),
            split=_halves(split),
            pivot=None,
            translated=None,
            engine=None,
            alignment=None,
        )
    except NoSentenceError as error:
        return Line(number=number, pair=None, problem=str(error))
    return Line(number=number, pair=pair, problem=None)


def _values(row: Row | Columns) -> tuple[str, Any, Any]:
    """Return id, long sentence and split of a row; the id is "" if it has none."""
    if isinstance(row, list):
        if len(row) < 2:
            raise NoSentenceError("no tab between the long sentence and its two sentences")
        return "", row[0], row[1]
    if not {"long", "split"} <= row.keys():
        raise NoSentenceError("no JSON object with `long` and `split`")
    name = row.get("id")
    if isinstance(name, list | dict):
        raise NoSentenceError("the id is no text or number")
    return "" if name is None else row_files.text(str(name), "the id"), row["long"], row["split"]


def _halves(value: Any) -> tuple[str, str]:
    parts = row_files.sentences(value) if isinstance(value, str) else value
    if not isinstance(parts, list) or len(parts) != 2:
        raise NoSentenceError(
            f"not exactly two sentences: `s1 {SEPARATOR} s2`, in JSON also a list of two"
        )
    return _sentence(parts[0], "first half"), _sentence(parts[1], "second half")


def _sentence(value: Any, which: str) -> str:
    sentence = squeezed(row_files.text(value, which))
    if not sentence:
        raise NoSentenceError(f"{which} is empty")
    return sentence
