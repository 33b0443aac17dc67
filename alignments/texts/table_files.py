"""Read parallel text out of a table: CSV, columns with tabs between, JSON lines or an array, Parquet."""

import json
from collections.abc import Generator, Mapping
from pathlib import Path

from bitext_pivot.alignments.corpus_names import name_from_stem
from bitext_pivot.alignments.texts.segments import SegmentPair
from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.reading import row_files
from bitext_pivot.core.settings import choose
from bitext_pivot.core.untrusted import shown

EXTENSIONS = row_files.TABLES | {".tsv"}
_TRANSLATION = "translation"
"""Column of data sets on the hub that holds an object with a text per language."""


def read_table(
    path: Path, languages: tuple[str, str], columns: Mapping[str, str]
) -> Generator[SegmentPair]:
    """Yield the rows of a table, with texts in the order of `languages`; ids are the numbers of rows.

    A column is named by the code of its language, or as `columns` says by code. A row without a text of a
    language has an empty one; what is no row, or has something else in place of a text, is marked as
    unreadable.

    Raises SettingsError as `row_files.rows`, and if `columns` names one of another language; SourceError if the first
    object lacks a column, or there is none.
    """
    for language in columns:
        choose(language, [*languages], what="language of the pair, which `columns` names")
    names = [columns.get(language, language) for language in languages]
    rows = row_files.rows(
        path, "Name a table of bitext.", names={*names}, is_header=lambda cells: True
    )
    is_checked, problem = False, ""
    for number, row in rows:
        texts = None
        if isinstance(row, dict):
            row = _flatten_translation(row)
            if not is_checked:
                _check_columns(path, row, names, languages)
                is_checked = True
            texts = _texts(row, names)
        elif not problem:
            problem = f" that can be read (row {number}: {row})"
        name = (str(number),)
        left, right = texts or ("", "")
        documents = path.name, path.name
        yield SegmentPair(number, (left, right), documents, (name, name), {}, texts is None)
    if not is_checked:
        raise SourceError(
            f"{path} has no row{problem}; expected a header with the names of columns, and rows. "
            "Correct it, or name another file."
        )


def _flatten_translation(row: row_files.Row) -> row_files.Row:
    """Return a row with the texts of all languages as columns of its own."""
    group = row.get(_TRANSLATION)
    if isinstance(group, dict):
        return row | group
    return row


def _check_columns(
    path: Path, row: row_files.Row, names: list[str], languages: tuple[str, str]
) -> None:
    missing = [f"no column {name!r}" for name in names if name not in row]
    if missing:
        settings = {
            "kind": "table",
            "name": name_from_stem(path.stem),
            "file": str(path),
            "columns": dict.fromkeys(languages, "COLUMN"),
        }
        raise SourceError(
            f"{path} has {' and '.join(missing)}, only {shown(', '.join(map(repr, row)))}; "
            "expected a column of texts for each language; in CSV the first line has the names. Rename "
            f"them to the codes of the languages, or name them: --own '{json.dumps(settings)}'"
        )


def _texts(row: row_files.Row, names: list[str]) -> tuple[str, str] | None:
    """Return the texts of a row, None if it has something else in a column."""
    try:
        left, right = (row_files.text(row.get(name) or "", name) for name in names)
    except row_files.NoSentenceError:
        return None
    return left, right
