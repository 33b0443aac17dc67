"""Pairs of files and of programs (what becomes of the lines of a file: test_files_of_pairs.py)."""

import bz2
import gzip
import logging
import lzma
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from messages import Golden
from pydantic import TypeAdapter, ValidationError

from bitext_pivot.core.arguments import as_rows
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.reading.pair_files import Columns, read_pairs, read_values


def test_bytes_that_are_not_utf8_spoil_their_line_only(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_bytes(
        b"caf\xe9\tb <SEP> c\r\nd\te <SEP> f\r\n" + 2 * "é\tb <SEP> c\n".encode()
    )
    first, second, *_ = read_pairs(tmp_path / "a.tsv", "en")
    assert first.problem == "not UTF-8"
    assert second.pair is not None
    assert second.pair.split == ("e", "f")


@pytest.mark.parametrize(("pair", "problem"), [
    (("It rained.", ["It.", "Rained."]), None), (("It rained.", "It. <SEP> Rained."), None),
    (iter(["It rained.", iter(["It.", "Rained."])]), None), (("a", "b", "c"), None),
    ({"long": "a", "split": ["b", "c"], "id": 7}, None), ({"long": "a", "s1": "b", "s2": "c"}, None),
    (None, "None is not a pair"), (3, "the number 3 is not a pair"), ("ab", "the text 'ab' is not a pair"),
    (("a",), "a value of type tuple is not a pair"), ({"long": "a"}, "it has the columns long, but not `split`"),
    (("a", None), "1 sentences in `split`"), (("a", 3), "1 sentences in `split`"),
    (("a", "b c"), "no <SEP> between the two sentences"),
    (("a", ["b", "c", "d"]), "3 sentences in `split`"), ((None, ["b", "c"]), "long is not a text"),
    (("a", [1, 2]), "first half"),
])  # fmt: skip
def test_what_is_no_pair_in_memory_is_a_line_with_a_problem(pair: Any, problem: str | None) -> None:
    good = ("It rained.", ["It.", "Rained."])
    first, line, last = read_values([good, pair, good], "en")
    assert first.pair and last.pair
    assert (line.pair is None) == (problem is not None)
    assert line.problem is None or line.problem.startswith(str(problem))


PAIRS = [
    {"long": "It rained, so we stayed.", "split": ["It rained.", "We stayed."]},
    {"long": "I sing and you dance.", "split": "I sing. <::::> You dance."},
]
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.compress,
}


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    ours, theirs = os.pipe()

    def write() -> None:
        with os.fdopen(theirs, "w", encoding="utf-8") as out:
            out.write("".join(f"{n} a b\t{n} a. <SEP> {n} b.\n" for n in range(9_000)))

    writer = threading.Thread(target=write)
    writer.start()
    lines = list(read_pairs(Path(f"/dev/fd/{ours}"), "en"))
    assert [line.pair and line.pair.long for line in lines] == [f"{n} a b" for n in range(9_000)]
    writer.join()
    os.close(ours)


REFUSED = {
    "two columns of one name": pandas.DataFrame([["a", "b", "c"]], columns=["long", "s1", "s1"]),
    "the same in Arrow": pa.table([["a"], ["b"], ["c"]], names=["long", "s1", "s1"]),
    "names that are numbers": [{1: "a", 2: "b"}],
    "two levels of names": pandas.DataFrame(
        [["a", "b"]], columns=pandas.MultiIndex.from_tuples([("x", "long"), ("x", "split")])
    ),
    "both split and its halves": [{"long": "a", "split": ["b", "c"], "s1": "b", "s2": "d"}],
}


@pytest.mark.parametrize("name", REFUSED)
def test_values_whose_columns_are_not_certain_are_refused(name: str, golden: Golden) -> None:
    with golden.refused(SettingsError):
        read_values(as_rows(REFUSED[name], name="pairs"), "en")


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists))
def test_no_value_raises(value: object) -> None:
    _, line = read_values([("It rained.", ["It.", "Rained."]), (value, value)], "en")
    assert line.pair is None


@pytest.mark.parametrize("text", [
    "", ",", "long", "long=", "=complex", "long=complex,,split=simple", "long=a,long=b", "lnog=a", "long=a,split=a",
    "split=a,s1=b", '{"long": ""}', '{"long": "a", "long": "b"}', "{",
])  # fmt: skip
def test_names_of_columns_that_cannot_be_meant_are_refused(text: str) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Columns).validate_python(text)


@pytest.mark.parametrize("text", ["long=a b, split=c", '{"long": "a b", "split": "c"}'])
def test_names_of_columns_are_a_list_or_json(text: str) -> None:
    assert TypeAdapter(Columns).validate_python(text) == {"long": "a b", "split": "c"}


DIVIDED = [
    ("It rained and Dr. Lee left.", "It rained. Dr. Lee left.", ("It rained.", "Dr. Lee left.")),
    ("It rained ; we left .", "It rained . We left .", ("It rained .", "We left .")),
    ("It rained, so we left.", "It rained. So we left. We ran.", None),
    ("It rained, so we left.", "It rained, so we left.", None),
    ("Prof. Xu and I met Sgt. Pepper at no. Ten. It rained.", "Prof. Xu met him. It rained.", None),
]


@pytest.mark.parametrize(("long", "split", "halves"), DIVIDED)
def test_a_text_without_a_separator_is_divided_where_two_sentences_are_certain(
    long: str, split: str, halves: tuple[str, str] | None, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        _, line = read_values([PAIRS[0], (long, split)], "en")
    assert (line.pair and line.pair.split) == halves
    assert (": 1." in caplog.text) == line.is_divided == (halves is not None)


def test_nothing_is_divided_in_a_language_without_rules() -> None:
    _, line = read_values([PAIRS[0], ("It rained, so we left.", "It rained. We left.")], "xx")
    assert line.pair is None


def test_a_workbook_is_to_be_saved_as_csv(tmp_path: Path) -> None:
    for name, start in (("a.xlsx", b"PK\x03\x04"), ("a.tsv", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
        (tmp_path / name).write_bytes(start + bytes(900))
        with pytest.raises(SettingsError, match=r"Save it as CSV"):
            read_pairs(tmp_path / name, "en")


@pytest.mark.parametrize("name", [".parquet", *filter(None, COMPRESS)])
def test_what_is_no_text_needs_the_ending_of_its_format(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    pq.write_table(pa.Table.from_pylist(PAIRS[:1]), path)
    if name in COMPRESS:
        path.write_bytes(COMPRESS[name](b"a b\ta <SEP> b\n"))
    with pytest.raises(SettingsError, match=rf"name must end in \{name}\.$"):
        read_pairs(path, "en")


def test_what_datasets_saved_is_read(tmp_path: Path) -> None:
    import datasets

    data = datasets.Dataset.from_list(PAIRS[:1] * 30)
    data.save_to_disk(tmp_path / "saved", num_shards=3)
    lines = list(read_pairs(tmp_path / "saved", "en"))
    assert [line.number for line in lines] == list(range(1, 31)) and all(
        line.pair for line in lines
    )
    datasets.DatasetDict({"train": data, "test": data}).save_to_disk(tmp_path / "both")
    with pytest.raises(SettingsError, match=r"several tables: test/data, train/data"):
        read_pairs(tmp_path / "both", "en")
    assert len(list(read_pairs(tmp_path / "both" / "test", "en"))) == 30
    (tmp_path / "empty").mkdir()
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "a.tsv").symlink_to("/etc/hostname")
    with pytest.raises(SettingsError, match="a link that leaves the folder"):
        read_pairs(tmp_path / "linked", "en")
    with pytest.raises(SettingsError, match="no table"):
        read_pairs(tmp_path / "empty", "en")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 and nothing")
    with pytest.raises(SettingsError, match=r"bad\.parquet cannot be read"):
        read_pairs(tmp_path / "bad.parquet", "en")


def test_each_part_of_a_table_may_have_its_header(tmp_path: Path) -> None:
    for number, long in enumerate(["It rained.", "It snowed."]):
        text = f"long,s1,s2\n{long},It.,Rained.\n"
        (tmp_path / f"part-0000{number}.csv").write_text(text, encoding="utf-8")
    lines = read_pairs(tmp_path, "en")
    assert [line.pair and line.pair.long for line in lines] == ["It rained.", "It snowed."]
