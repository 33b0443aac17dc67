"""Read files of published data sets as rows with the columns of this project's own data sets.

The formats are JSON lines of such rows, TSV of pairs (BiSECT, WikiSplit, `judge`), BiSECT's `.src` with its `.dst`, the
released TSV of DiscoFuse and Discovery, DISRPT's `.rels`, and TSV of premise, hypothesis and label. Files may be
compressed. Other tables that `row_files` reads may have the same columns.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from bitext_pivot.core import text_files
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.reading import input_files, pair_files, row_files
from bitext_pivot.core.reading.delimited_text import Cells
from bitext_pivot.core.text_files import NO_UTF8, is_utf8
from bitext_pivot.research.models.training_settings import Task

PublishedRow = dict[str, Any]
_EXPECTED = "Name a file of rows in UTF-8, one per line."
_PARTNERS = {".src": ".dst", ".SRC": ".DST"}


def rows(
    path: Path, task: Task, skips: Counter[str], columns: Mapping[str, str] | None = None
) -> Iterator[PublishedRow]:
    """Yield the valid rows of a file, and count the other lines in `skips` by reason.

    `columns` maps names of columns in this project to their names in the file. A row without an id gets the file's name
    and the number of its line, from 1. Raises SettingsError if the file cannot be read, or its header lacks a column.
    """
    lines = _lines(path, task, columns or {})
    if text_files.extension(path) == ".src":
        lines = _pairs_of_two_files(path)
    for number, row in lines:
        if isinstance(row, str):
            skips[row] += 1
        else:
            name = row.get("id")
            yield {**row, "id": f"{path.name}:{number}" if name in (None, "") else name}


def _lines(
    path: Path, task: Task, columns: Mapping[str, str]
) -> Iterator[tuple[int, PublishedRow | str]]:
    """Yield the number, counted from 1, and the row of each line of a table.

    The table may lack a header. A string in place of a row is the reason why a line is invalid.
    """
    names = {*chain.from_iterable(format_ for format_, _ in _FORMATS)}
    is_header = partial(_is_header, path)
    read = row_files.read_rows(path, _EXPECTED, names=names, is_header=is_header, columns=columns)
    for number, row in read:
        if isinstance(row, dict):
            yield number, _named(row)
        elif isinstance(row, str):
            yield number, "not JSON" if row.startswith("not JSON") else row
        else:
            yield number, _unnamed(row, task)


def _pairs_of_two_files(path: Path) -> Iterator[tuple[int, PublishedRow | str]]:
    """Yield the pairs of a file of long sentences (`.src`) and a file of splits (`.dst`)."""
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
        is_readable = is_utf8(long) and is_utf8(split)
        yield number, pair_files.pair_from_cells([long, split]) if is_readable else NO_UTF8


def _is_header(path: Path, cells: Cells) -> bool:
    """Return True if the first line of a file is a header, that is, contains column names.

    A header has the first two columns of a published format. Raises SettingsError if it lacks other columns of the
    format.
    """
    for columns, _ in _FORMATS:
        missing = [name for name in columns if name not in cells]
        if not {*columns[:2]}.isdisjoint(missing):
            continue
        if missing:
            raise SettingsError(
                f"{path} has the columns {columns[0]} and {columns[1]}, but not {', '.join(missing)}. Rename a column, "
                f"or map it with --columns {missing[0]}=NAME."
            )
        return True
    return False


def _named(row: PublishedRow) -> PublishedRow | str:
    """Return a row with the columns of this project added, if it is in a published format.

    A string is the reason why the row cannot be used.
    """
    for columns, convert in _FORMATS:
        if row.keys() >= {*columns}:
            converted = convert(row)
            if isinstance(converted, str):
                return converted
            return {**row, **converted}
    return row


def _discofuse(row: PublishedRow) -> PublishedRow:
    return {
        "text": [row["coherent_first_sentence"], row["coherent_second_sentence"]],
        "first": row["incoherent_first_sentence"],
        "second": row["incoherent_second_sentence"],
        "discourse_type": row["discourse_type"],
        "connective": row.get("connective_string", ""),
    }


def _disrpt(row: PublishedRow) -> PublishedRow | str:
    if row["rel_type"] != "implicit":
        return "no implicit relation"
    return {
        "first": row["unit1_txt"],
        "second": row["unit2_txt"],
        "sense": row["label"],
        "document": row["doc"],
    }


def _discovery(row: PublishedRow) -> PublishedRow:
    pair = {"first": row["sentence1"], "second": row["sentence2"]}
    return {**pair, "marker": row["label"], "label": row["label"]}  # of entailment


_FORMATS: tuple[tuple[Cells, Callable[[PublishedRow], PublishedRow | str]], ...] = (
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
    (["premise", "hypothesis", "label"], dict),
    (["long", "split"], dict),
    (["long", "s1", "s2"], dict),
    (["first", "second"], dict),
)
"""For each published format, its columns, and the function that adds the columns of this project to a row."""


def _unnamed(cells: Cells, task: Task) -> PublishedRow | str:
    """Return a row for the cells of a line, whose file has no header, or why there is none."""
    if task == "split":
        return pair_files.pair_from_cells(cells)
    if len(cells) < 3:
        return "less than three columns"
    column = {"relations": "sense", "markers": "marker", "entailment": "label"}.get(task, "text")
    return {"first": cells[0], "second": cells[1], column: cells[2]}
