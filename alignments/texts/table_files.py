"""Read parallel text from a table: CSV, tab-separated columns, JSON lines, a JSON array or Parquet."""

import json
from collections.abc import Generator, Mapping
from pathlib import Path

from bitext_pivot.alignments.corpus_names import name_from_stem
from bitext_pivot.alignments.texts.segments import SegmentPair
from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.reading import row_files
from bitext_pivot.core.reading.delimited_text import Row
from bitext_pivot.core.settings import choose
from bitext_pivot.core.untrusted import shown

EXTENSIONS = row_files.TABLE_EXTENSIONS | {".tsv"}
_TRANSLATION = "translation"
"""Column that many data sets on the Hugging Face hub have: an object with one text per language."""


def read_table(
    path: Path, languages: tuple[str, str], columns: Mapping[str, str]
) -> Generator[SegmentPair]:
    """Yield the rows of a table as segments, whose ids are row numbers.

    Texts are in the order of `languages`. The column of a language is named by its code, unless `columns` maps the code
    to another name. A missing text becomes an empty text. A row that cannot be parsed, or has a value other than a
    text, is marked as unreadable.

    Raises the errors of `row_files.read_rows`, SettingsError if `columns` names a language that the pair does not
    have, and SourceError if the first row lacks a column or there is no row.
    """
    for language in columns:
        choose(language, [*languages], what="language of the pair, as a name in `columns`")
    names = [columns.get(language, language) for language in languages]
    rows = row_files.read_rows(path, "Name a table of bitext.", names={*names})
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
            f"{path} has no row{problem}; expected rows, and in CSV a header with the column names. "
            "Correct the file, or name another one."
        )


def _flatten_translation(row: Row) -> Row:
    """Return a row in which each text in the object `translation` is a column of its own."""
    group = row.get(_TRANSLATION)
    if isinstance(group, dict):
        return row | group
    return row


def _check_columns(path: Path, row: Row, names: list[str], languages: tuple[str, str]) -> None:
    missing = [f"no column {name!r}" for name in names if name not in row]
    if missing:
        # A stranger's column name is suggested only if a message can quote it whole.
        others = (str(name) for name in row if name not in names and shown(name) == str(name))
        columns = {
            language: name if name in row else next(others, "COLUMN")
            for language, name in zip(languages, names, strict=True)
        }
        settings = {
            "kind": "table",
            "name": name_from_stem(path.stem),
            "file": str(path),
            "columns": columns,
        }
        raise SourceError(
            f"{path} has {' and '.join(missing)}; expected a text column for each language, named in the first line "
            f"of a CSV file. Its columns: {shown(', '.join(map(repr, row)))}. Name those of the languages, for "
            f"example: --own '{json.dumps(settings)}'"
        )


def _texts(row: Row, names: list[str]) -> tuple[str, str] | None:
    """Return the texts in two columns of a row, or None if one of the values is not a text."""
    try:
        left, right = (row_files.require_text(row.get(name) or "", name) for name in names)
    except row_files.UnreadableRowError:
        return None
    return left, right
