"""Files of published data sets as rows with the columns of this project's own data sets.

Read are JSON lines of such rows, TSV of pairs (BiSECT, WikiSplit, `judge`), BiSECT's `.src` with its `.dst`, the
released TSV of DiscoFuse and Discovery, DISRPT's `.rels`, and TSV of premise, hypothesis and label; each also
compressed.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

from bitext_pivot.core import input_files, row_files
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.row_files import NO_UTF8, Columns
from bitext_pivot.research.models.training_settings import Task

Row = dict[str, Any]
Cells = dict[str, str]
_EXPECTED = "Name a file of rows in UTF-8, one per line."
_PARTNERS = {".src": ".dst", ".SRC": ".DST"}


def rows(path: Path, task: Task, skips: Counter[str]) -> Iterator[Row]:
    """Yield the rows of a file; lines that are none are counted in `skips` by reason.

    A row without an id gets the file's name and the number of its line, from 1. Raises SettingsError if the file cannot
    be read, or its header lacks a column.
    """
    lines = _pairs_of_two_files(path) if row_files.ending(path) == ".src" else _lines(path, task)
    for number, row in lines:
        if isinstance(row, str):
            skips[row] += 1
        else:
            name = row.get("id")
            yield {**row, "id": f"{path.name}:{number}" if name in (None, "") else name}


def _lines(path: Path, task: Task) -> Iterator[tuple[int, Row | str]]:
    """Yield the lines of JSON, or of a TSV file with or without a header, from line 1."""
    header: Columns = []
    for number, line in row_files.rows(path, _EXPECTED):
        if isinstance(line, dict):
            yield number, line
        elif isinstance(line, str):
            yield number, "not JSON" if line.startswith("not JSON") else line
        elif number == 1 and _is_header(path, line):
            header = line
        elif header and len(line) != len(header):
            yield number, "another number of columns than the header"
        elif header:
            yield number, _named(dict(zip(header, line, strict=True)))
        else:
            yield number, _unnamed(line, task)


def _pairs_of_two_files(path: Path) -> Iterator[tuple[int, Row | str]]:
    """Yield the lines of a file of long sentences with those of the file of their splits."""
    other = path
    for source, target in _PARTNERS.items():
        if source in path.name:
            other = path.with_name(path.name.replace(source, target))
    if other == path:
        raise SettingsError(
            f"{path} has an ending in mixed case. Rename it to .src, and its splits to .dst."
        )
    both = zip_longest(
        input_files.lines(path, _EXPECTED), input_files.lines(other, _EXPECTED), fillvalue=""
    )
    for number, (long, split) in enumerate(both, 1):
        is_readable = input_files.is_utf8(long) and input_files.is_utf8(split)
        yield number, _pair([long, split]) if is_readable else NO_UTF8


def _is_header(path: Path, cells: Columns) -> bool:
    """Return True if a first line names columns of a format. Raises SettingsError if it names only some of them."""
    for columns, _ in _FORMATS:
        missing = [name for name in columns if name not in cells]
        if columns[0] not in missing and len(missing) <= len(columns) - _ENOUGH:
            if missing:
                raise SettingsError(
                    f"{path} has no column {', '.join(missing)}, expected beside {columns[0]}."
                )
            return True
    return False


def _named(row: Cells) -> Row | str:
    """Return a line of a file with a header."""
    for columns, convert in _FORMATS:
        if columns[0] in row:
            return convert(row)
    return dict(row)


def _discofuse(row: Cells) -> Row:
    return {
        "text": [row["coherent_first_sentence"], row["coherent_second_sentence"]],
        "first": row["incoherent_first_sentence"],
        "second": row["incoherent_second_sentence"],
        "discourse_type": row["discourse_type"],
        "connective": row.get("connective_string", ""),
    }


def _disrpt(row: Cells) -> Row | str:
    if row["rel_type"] != "implicit":
        return "no implicit relation"
    return {
        "first": row["unit1_txt"],
        "second": row["unit2_txt"],
        "sense": row["label"],
        "document": row["doc"],
    }


def _discovery(row: Cells) -> Row:
    pair = {"first": row["sentence1"], "second": row["sentence2"]}
    return {**pair, "marker": row["label"], "label": row["label"]}  # of entailment


def _split(row: Cells) -> Row | str:
    return {"long": row["long"], **_halves(row["split"])}


_FORMATS: tuple[tuple[Columns, Callable[[Cells], Row | str]], ...] = (
    (
        [
            "coherent_first_sentence",
            "coherent_second_sentence",
            "incoherent_first_sentence",
            "incoherent_second_sentence",
            "discourse_type",
        ],
        _discofuse,
    ),
    (["unit1_txt", "unit2_txt", "rel_type", "label", "doc"], _disrpt),
    (["sentence1", "sentence2", "label"], _discovery),
    (["premise", "hypothesis", "label"], lambda row: {**row}),
    (["long", "split"], _split),
    (["first", "second"], lambda row: {**row}),
)
"""Columns of a format, and what makes a row of a line."""
_ENOUGH = 2  # columns of a format that make a first line a header, the first one among them


def _unnamed(cells: Columns, task: Task) -> Row | str:
    """Return a line of a file without a header."""
    if task == "split":
        return _pair(cells)
    if len(cells) < 3:
        return "less than three columns"
    column = {"relations": "sense", "markers": "marker", "entailment": "label"}.get(task, "text")
    return {"first": cells[0], "second": cells[1], column: cells[2]}


def _pair(cells: Columns) -> Row | str:
    if len(cells) < 2:
        return "no tab between the long sentence and its two sentences"
    return {"long": cells[0], **_halves(cells[1])}


def _halves(split: str) -> Row:
    return {"split": [part.strip() for part in row_files.sentences(split)]}
