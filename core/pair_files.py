"""Files of existing pairs: TSV `long<TAB>s1 <SEP> s2`, or JSON lines with `long` and `split`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from bitext_pivot.core.data import parse_json
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.records import Pair

SEPARATOR = "<SEP>"
"""Between the two sentences in files of BiSECT."""
_LOOKED_AT = 100
"""Lines; a file of pairs has one among them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the file: its pair, or why there is none."""

    number: int
    pair: Pair | None
    problem: str | None


def read_lines(path: Path, language: str) -> Iterator[Line]:
    """Yield every line of a file in order, `.jsonl` and `.json` as JSON lines, anything else as TSV.

    A line without a pair says why; nothing is left out. Raises SettingsError when the file cannot be opened.
    """
    parse = _from_json if path.suffix in {".jsonl", ".json"} else _from_tsv
    try:
        with path.open(encoding="utf-8-sig", errors="surrogateescape", newline="\n") as file:
            for number, text in enumerate(file, 1):
                yield _line(number, text.rstrip("\r\n"), language, parse)
    except OSError as error:
        raise SettingsError(f"{path} cannot be read ({error.strerror}). Name a file of pairs, one per line.") from error


def check(path: Path, language: str) -> None:
    """Refuse a file without a pair in its first lines. Raises SettingsError, also when it cannot be opened."""
    lines = list(islice(read_lines(path, language), _LOOKED_AT))
    if not any(line.pair for line in lines):
        reason = f"line 1: {lines[0].problem}" if lines else "it is empty"
        raise SettingsError(
            f"{path} is no file of pairs ({reason}). Expected a line per pair, `long<TAB>s1 {SEPARATOR} s2`, or .jsonl "
            "with `long` and `split`."
        )


def from_pairs(pairs: Iterable[tuple[str, Sequence[str]]], language: str) -> Iterator[Line]:
    """Yield pairs in memory, each a long sentence and its two sentences, as the lines of a file."""
    for number, pair in enumerate(pairs, 1):
        yield _line(number, "", language, partial(_from_values, pair))


def _from_values(pair: Any, _: str) -> tuple[Any, Any, Any]:
    values = [*pair] if isinstance(pair, Iterable) and not isinstance(pair, str | Mapping) else []
    if len(values) != 2:
        raise _NoPairError("no long sentence and its two sentences: expected (long, [first, second])")
    long, split = values
    return None, long, [*split] if isinstance(split, Iterable) and not isinstance(split, str) else split


def _line(number: int, text: str, language: str, parse: Callable[[str], tuple[Any, Any, Any]]) -> Line:
    try:
        text.encode()
        name, text_of_long, halves = parse(text)
        long = _sentence(text_of_long, "long")
        first, second = map(_sentence, _halves(halves), ("first half", "second half"))
    except UnicodeEncodeError:
        return Line(number=number, pair=None, problem="not UTF-8")
    except _NoPairError as error:
        return Line(number=number, pair=None, problem=str(error))
    pair = Pair(
        id=str(number) if name in (None, "") else str(name), language=language, long=long, split=(first, second),
        pivot=None, translated=None, engine=None, alignment=None,
    )  # fmt: skip
    return Line(number=number, pair=pair, problem=None)


class _NoPairError(ValueError):
    """What keeps a line from being a pair."""


def _from_tsv(text: str) -> tuple[Any, Any, Any]:
    columns = text.split("\t")
    if len(columns) < 2:
        raise _NoPairError("no tab between the long sentence and its two sentences")
    return None, columns[0], columns[1]


def _from_json(text: str) -> tuple[Any, Any, Any]:
    try:
        value = parse_json(text)
    except ValueError as error:
        raise _NoPairError(f"not JSON ({error})") from error
    if not isinstance(value, dict) or not {"long", "split"} <= value.keys():
        raise _NoPairError("no JSON object with `long` and `split`")
    if isinstance(value.get("id"), list | dict):
        raise _NoPairError("the id is no text or number")
    return value.get("id"), value["long"], value["split"]


def _halves(value: Any) -> list[Any]:
    parts = value.split(SEPARATOR) if isinstance(value, str) else value
    if not isinstance(parts, list) or len(parts) != 2:
        raise _NoPairError(f"not exactly two sentences: `s1 {SEPARATOR} s2`, in JSON also a list of two")
    return parts


def _sentence(value: Any, which: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _NoPairError(f"{which} is empty")
    if "\x00" in value or any(0xD800 <= ord(character) <= 0xDFFF for character in value):
        raise _NoPairError(f"{which} holds a NUL or a lone surrogate")
    return " ".join(value.split())
