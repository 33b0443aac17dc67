"""Files of published data sets as rows with the columns of this project's own data sets.

Read are JSON lines of such rows, TSV of pairs (BiSECT, WikiSplit, `judge`), BiSECT's `.src` with its `.dst`, the
released TSV of DiscoFuse and Discovery, and DISRPT's `.rels`; each also gzipped.
"""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.pair_files import SEPARATOR
from bitext_pivot.models.settings import Task

Row = dict[str, Any]
_SEPARATORS = (SEPARATOR, "<::::>")
_HEADERS = {"coherent_first_sentence", "sentence1", "unit1_txt", "first", "long"}
"""Columns by which a first line is known to be a header."""


def rows(path: Path, task: Task, skips: Counter[str]) -> Iterator[Row]:
    """Yield the rows of a file; lines that are none are counted in `skips` by reason.

    A row without an id gets the file's name and the number of its line, from 1. Raises SettingsError if the file cannot
    be read.
    """
    lines: Iterator[tuple[int, Row | str]]
    ending = "".join(path.suffixes).removesuffix(".gz")
    if ending.endswith((".jsonl", ".json")):
        lines = ((number, _json(line)) for number, line in enumerate(_lines(path), 1))
    elif ending.endswith(".src"):
        other = path.with_name(path.name.replace(".src", ".dst"))
        pairs = zip_longest(_lines(path), _lines(other), fillvalue="")
        lines = ((number, _pair([*pair])) for number, pair in enumerate(pairs, 1))
    else:
        lines = _table(path, task)
    for number, row in lines:
        if isinstance(row, str):
            skips[row] += 1
        else:
            yield {"id": f"{path.name}:{number}"} | row


def _lines(path: Path) -> Iterator[str]:
    opened: Callable[..., Any] = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rt", encoding="utf-8-sig", newline="\n") as file:
            yield from (line.rstrip("\r\n") for line in file)
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read ({error}). Name a file of rows in UTF-8, one per line.") from error


def _json(line: str) -> Row | str:
    try:
        row = json.loads(line)
    except ValueError:
        return "not JSON"
    return row if isinstance(row, dict) else "not JSON"


def _table(path: Path, task: Task) -> Iterator[tuple[int, Row | str]]:
    """Yield the lines of a TSV file with or without a header, from line 1."""
    header: list[str] = []
    for number, line in enumerate(_lines(path), 1):
        cells = line.split("\t")
        if number == 1 and _HEADERS & {*cells}:
            header = cells
        elif header and len(cells) != len(header):
            yield number, "another number of columns than the header"
        else:
            yield number, _named(dict(zip(header, cells, strict=True))) if header else _plain(cells, task)


def _named(row: dict[str, str]) -> Row | str:
    """Return a line of a file with a header."""
    if "coherent_first_sentence" in row:
        return {
            "text": [row["coherent_first_sentence"], row["coherent_second_sentence"]],
            "first": row["incoherent_first_sentence"],
            "second": row["incoherent_second_sentence"],
            "discourse_type": row["discourse_type"],
        }
    if "unit1_txt" in row:
        if row["rel_type"] != "implicit":
            return "no implicit relation"
        pair = {"first": row["unit1_txt"], "second": row["unit2_txt"]}
        return {**pair, "sense": row["label"], "document": row["doc"]}
    if "sentence1" in row:
        return {"first": row["sentence1"], "second": row["sentence2"], "marker": row["label"]}
    return _pair(list(row.values())) if "long" in row else dict(row)


def _plain(cells: list[str], task: Task) -> Row | str:
    """Return a line of a file without a header."""
    if task == "split":
        return _pair(cells)
    if len(cells) < 3:
        return "less than three columns"
    return {
        "first": cells[0],
        "second": cells[1],
        {"relations": "sense", "markers": "marker"}.get(task, "text"): cells[2],
    }


def _pair(cells: list[str]) -> Row | str:
    if len(cells) < 2:
        return "no tab between the long sentence and its two sentences"
    split = cells[1]
    for separator in _SEPARATORS:
        split = split.replace(separator, SEPARATOR)
    return {"long": cells[0], "split": [part.strip() for part in split.split(SEPARATOR)]}
