"""Rows of any dialect of CSV, and of every reader (single files: test_files_of_pairs.py)."""

import csv
import io
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bitext_pivot.alignments.texts.table_files import read_table
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.reading.pair_files import read_column, read_pairs
from bitext_pivot.core.white_space import squeezed
from bitext_pivot.research.models.published_files import rows as published

LONG, S1, S2 = "It rained, and we left.", "It rained.", "We left."


def test_a_cell_may_be_long(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"long,s1,s2\n{'a' * 200_000},{S1},{S2}\n", encoding="utf-8")
    (line,) = read_pairs(tmp_path / "a.csv", "en")
    assert line.pair and len(line.pair.long) == 200_000


CELL = st.just("a\nb") | st.text(st.sampled_from("ab .,;|'`\"\\"), min_size=1, max_size=9).map(
    lambda cell: f"a{cell}b"
)
"""No tabs: `"It rained.<TAB>We left."` may be one quoted cell, or two sentences of direct speech."""


@given(
    rows=st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=5),
    dialect=st.fixed_dictionaries({
        "delimiter": st.sampled_from(",;\t|:^~\x01/!"), "quotechar": st.sampled_from("\"'`"),
        "quoting": st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL, csv.QUOTE_NONE]),
        "doublequote": st.booleans(), "escapechar": st.just("\\"), "lineterminator": st.sampled_from(["\n", "\r\n"]),
    }),
    before=st.sampled_from(["", "# ours\n", "\n"]),
    ending=st.sampled_from([".csv", ".tsv"]),
)  # fmt: skip
def test_no_dialect_loses_a_row_or_changes_a_text(
    rows: list[tuple[str, str, str]], dialect: Any, before: str, ending: str
) -> None:
    has_breaks = any("\n" in cell for row in rows for cell in row)
    assume(not has_breaks or dialect["quotechar"] == '"')  # with delimiters, undecidable
    written = io.StringIO()
    csv.writer(written, **dialect).writerows([("long", "s1", "s2"), *rows])
    texts = {tuple(map(squeezed, row)) for row in rows}
    with TemporaryDirectory() as folder:
        path = Path(folder, f"a{ending}")
        path.write_text(before + written.getvalue(), encoding="utf-8", newline="")
        try:
            lines = [*read_pairs(path, "en")]
        except SettingsError:
            return
    assert len(lines) >= len(rows)
    assert {line.pair.texts for line in lines if line.pair} <= texts


def of_pairs(path: Path) -> object:
    return [line.pair and line.pair.long for line in read_pairs(path, "en")]


def of_texts(path: Path) -> object:
    return read_column(path, "long")


def of_bitext(path: Path) -> object:
    return [segment.texts[0] for segment in read_table(path, ("long", "s1"), {})]


def of_training(path: Path) -> object:
    from collections import Counter

    return [row["long"] for row in published(path, "split", Counter())]


@pytest.mark.parametrize("read", [of_pairs, of_texts, of_bitext, of_training])
def test_every_reader_finds_the_header(read: Callable[[Path], Any], tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f'\n\n"long"; s1;s2\n{LONG};"{S1}"; "{S2}"\n', encoding="utf-8")
    assert read(path) == [LONG]
