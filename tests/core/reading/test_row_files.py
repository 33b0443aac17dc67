"""Lines of others: CSV and columns as programs write them, each read or refused."""

import csv
import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from messages import Golden

from bitext_pivot.alignments.texts.tables import read_table
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.reading.pair_files import checked_lines, texts
from bitext_pivot.core.reading.row_files import rows
from bitext_pivot.core.white_space import squeezed
from bitext_pivot.research.models.published_files import rows as published

LONG, S1, S2 = "It rained, and we left.", "It rained.", "We left."
PAIR = {"long": LONG, "s1": S1, "s2": S2}
CELLS = [LONG, S1, S2]
QUOTED = f'"{LONG}","{S1}","{S2}"\n'
QUOTES = "quotes in quotes, or behind a backslash; expected double quotes, those inside doubled"
MANY = "".join(f"{number},It rained.,We left.\n" for number in range(50))
CASES: dict[str, tuple[str, str, object]] = {
    "spaces behind commas": ("a.csv", f'"{LONG}", "{S1}", "{S2}"\n', [CELLS]),
    "spaces in a header": ("a.csv", f"long, s1 , s2\n{QUOTED}", [PAIR]),
    "spaces in a header of columns": ("a.tsv", f"long\t s1\ts2 \n{LONG}\t{S1}\t{S2}\n", [PAIR]),
    "semicolons without a header": ("a.csv", f"{LONG};{S1};{S2}\n", [CELLS]),
    "semicolons and commas": ("a.csv", f"{LONG};{S1};{S2}\n" * 2 + "Hi;Yes, no.;Hm, so.\n",
                              [CELLS, CELLS, ["Hi", "Yes, no.", "Hm, so."]]),
    "semicolons in quotes": ("a.csv", f'"a; b; c","a; b"\n{QUOTED}', [["a; b; c", "a; b"], CELLS]),
    "the line of Excel": ("a.csv", f"sep=;\nlong;s1;s2\n{LONG};{S1};{S2}\n", [PAIR]),
    "the line of Excel in capitals": ("a.csv", f"SEP=;\nlong;s1;s2\n{LONG};{S1};{S2}\n", [PAIR]),
    "the line of Excel in quotes": ("a.csv", f'"sep=;"\nlong;s1;s2\n{LONG};{S1};{S2}\n', [PAIR]),
    "pipes": ("a.csv", f"long|s1|s2\n{LONG}|{S1}|{S2}\n", [PAIR]),
    "pipes without a header": ("a.csv", f"{LONG}|{S1}|{S2}\n", [CELLS]),
    "semicolons in .tsv": ("a.tsv", f"long;s1;s2\n{LONG};{S1};{S2}\n", [PAIR]),
    "single quotes": ("a.csv", f"long,s1,s2\n'{LONG}','{S1}','Tom''s cat left.'\n", [PAIR | {"s2": "Tom's cat left."}]),
    "few single quotes": ("a.csv", f"long,s1,s2\n{QUOTED}" + f"{S1},'Tom''s cat.',{S2}\n" + QUOTED * 3,
                          [PAIR, QUOTES, PAIR, PAIR, PAIR]),
    "quotes behind a backslash": ("a.csv", f"long,s1,s2\nTom\\'s cat ran.,a,b\n{QUOTED}", [QUOTES, PAIR]),
    "nothing of MySQL": ("a.tsv", f"long\ts1\ts2\n{LONG}\t{S1}\t\\N\n", [QUOTES]),
    "a line break behind a backslash": ("a.csv", f"long|s1|s2\nIt rained,\\\nand we left.|{S1}|{S2}\n", None),
    "a comment before": ("a.csv", f"# ours, by hand\nlong,s1,s2\n{QUOTED}", [PAIR]),
    "a comment before columns": ("a.tsv", f"# ours, by hand\nlong\ts1\ts2\n{LONG}\t{S1}\t{S2}\n", [PAIR]),
    "names behind other lines": ("a.csv", f"ours by hand\nlong,s1,s2\n{QUOTED}", None),
    "names between what is no delimiter": ("a.tsv", f"long  s1  s2\n{LONG}  {S1}  {S2}\n", None),
    "names in a comment": ("a.tsv", f"# s1 s2 long\n{S1}\t{S2}\t{LONG}\n", None),
    "a line break in columns": ("a.tsv", f'long\ts1\ts2\n{LONG}\t{S1}\t"We\nleft."\n', None),
    "an empty line behind an apostrophe": ("a.tsv", f"long\ts1\ts2\n{LONG}\t{S1}\t'Tis so.\n\n{LONG}\t{S1}\t{S2}\n",
        [{**PAIR, "s2": "'Tis so."}, "another number of columns than the header", PAIR]),
    "a break in quotes that are doubled": ("a.txt", f"long:split\n{LONG}:`a ``b`` \nc`\n", None),
    "a line break in the first column": ("a.tsv", f'a\tb\tc\n"It rained,\nand we left."\t{S1}\t{S2}\n', None),
    "empty lines first": ("a.csv", f"\n  \nlong,s1,s2\n{QUOTED}\n{QUOTED}",
                          [PAIR, "another number of columns than the header", PAIR]),
    "empty lines before columns": ("a.tsv", f"\n\ns2\tlong\ts1\n{S2}\t{LONG}\t{S1}\n", [PAIR]),
    "empty lines before no header": ("a.tsv", f"\n\t\n{LONG}\t{S1}\t{S2}\n", [CELLS]),
    "a header again": ("a.csv", f"long,s1,s2\nlong,s1,s2\n{QUOTED}",
                       [{"long": "long", "s1": "s1", "s2": "s2"}, PAIR]),
    "one column": ("a.csv", "long\nHi.\nIt rained, so we left.\nWe ran.\n",
                   [{"long": text} for text in ("Hi.", "It rained, so we left.", "We ran.")]),
    "a long cell": ("a.csv", f'"{"a" * 200_000}",b,c\n', [["a" * 200_000, "b", "c"]]),
    "a quote in a cell": ("a.csv", f'"No," he said.,b,c\n{QUOTED}',
                          ["not CSV (',' expected after '\"')", CELLS]),
    "an open quote at the end": ("a.csv", f'{QUOTED}a,"b\n', [CELLS, "not CSV (unexpected end of data)"]),
    "an open quote": ("a.csv", f'long,s1,s2\n0,a,b\n1,"a,b\n{MANY}', None),
    "an open quote before others": ("a.csv", f'{QUOTED}"{LONG},{S1},{S2}\n{QUOTED}', None),
    "two columns of one name": ("a.csv", "long,s1,long\na,b,c\n", None),
    "two of one name in columns": ("a.tsv", "long\tsplit\tlong\na\tb\tc\n", None),
    "columns without a name": ("a.csv", f"long,s1,s2,,\n{QUOTED[:-1]},,\n", [PAIR | {"": ""}]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_lines_of_others_are_rows_or_refused(name: str, tmp_path: Path, golden: Golden) -> None:
    file, text, expected = CASES[name]
    (tmp_path / file).write_text(text, encoding="utf-8")
    found = rows(
        tmp_path / file,
        "Name a file.",
        names={"long", "split", "s1", "s2"},
        is_header=lambda cells: "long" in cells,
    )
    if expected is None:
        with golden.refused(SettingsError):
            list(found)
    else:
        assert [row for _, row in found] == expected


@pytest.mark.parametrize("seed", range(5))
def test_the_delimiter_is_the_same_in_any_order(seed: int, tmp_path: Path) -> None:
    lines = [QUOTED] * 20 + [f"{LONG[:9]},{S1},{S2}\n"] * 10 + ["a;b;c;d,x,y\n"]
    random.Random(seed).shuffle(lines)
    (tmp_path / "a.csv").write_text("".join(lines), encoding="utf-8")
    read = checked_lines(tmp_path / "a.csv", "en")
    assert all(line.pair for line in read)


CELL = st.text(st.sampled_from("ab .,;|\t\n'`\"\\"), min_size=1, max_size=9).map(
    lambda cell: f"a{cell}b"
)


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
    written = io.StringIO()
    csv.writer(written, **dialect).writerows([("long", "s1", "s2"), *rows])
    texts = {tuple(map(squeezed, row)) for row in rows}
    with TemporaryDirectory() as folder:
        path = Path(folder, f"a{ending}")
        path.write_text(before + written.getvalue(), encoding="utf-8", newline="")
        try:
            lines = [*checked_lines(path, "en")]
        except SettingsError:
            return
    assert len(lines) >= len(rows)
    assert {line.pair.texts for line in lines if line.pair} <= texts


def of_pairs(path: Path) -> object:
    return [line.pair and line.pair.long for line in checked_lines(path, "en")]


def of_texts(path: Path) -> object:
    return texts(path, "long")


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


LIST = "['It rained.' 'We left.']"


@pytest.mark.parametrize(
    "row",
    [
        {"split": LIST},
        {"split": "['It rained.', \"We left.\"]"},
        {"split": f"array({LIST}, dtype=object)"},
        {"long": LIST, "split": f"{S1} <SEP> {S2}"},
        {"s1": LIST, "s2": S2},
    ],
)
def test_a_list_that_is_written_as_text_is_named(
    row: dict[str, str], tmp_path: Path, golden: Golden
) -> None:
    rows = [{"long": LONG, **row}]
    (tmp_path / "a.json").write_text(json.dumps(rows), encoding="utf-8")
    with golden.refused(SettingsError):
        checked_lines(tmp_path / "a.json", "en")
    with golden.refused(SettingsError):
        texts(tmp_path / "a.json", "long" if "long" in row else "split")
