"""Files of pairs: every line comes back, with its pair or with what is wrong."""

import bz2
import gzip
import json
import logging
import lzma
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st
from messages import Golden
from pydantic import TypeAdapter, ValidationError

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.reading.pair_files import Columns, checked_lines, from_pairs, texts

TSV = [
    ("It rained, so we stayed.\tIt rained. <SEP> We stayed.", None),
    ("Il pleuvait… \u00a0donc on resta.\tIl pleuvait. <SEP> On resta.\textra column", None),
    (
        "no tab at all <SEP> here",
        "no tab (in .csv no comma) between the long sentence and its two sentences",
    ),
    ("It rained, so we stayed.\tIt rained.\tWe stayed.\t\t ", None),
    ("0\tlong\ta\tb", "4 cells, expected 2 or 3"),
    ("long\ta\tb\t\textra", "5 cells, expected 2 or 3"),
    ("long\ta <SEP> b\t0.9\textra", "4 cells, expected 2 or 3"),
    ("0\tlong\ta <SEP> b", "<SEP> in the third cell"),
    ("long\tno separator", "no <SEP> between two sentences"),
    ("long\ta <SEP> b <SEP> c", "not exactly two sentences"),
    ("long\ta <SEP> ", "second half is empty"),
    ("\ta <SEP> b", "long is empty"),
    ("", "no tab (in .csv no comma)"),
    ("nul \x00\ta <SEP> b", "long holds a NUL or a lone surrogate"),
]

JSONL = [
    (
        '{"long": "It rained, so we stayed.", "split": ["It rained.", "We stayed."], "id": "x7"}',
        None,
    ),
    ('{"long": "It rained.", "split": "It rained. <SEP> We stayed.", "id": null}', None),
    ('{"long": "It rained."', "not JSON"),
    ('["long", "split"]', "no JSON object"),
    ('{"long": 3, "split": ["a", "b"]}', "long is no text"),
    ('{"long": "a", "split": ["a", "b", "c"]}', "not exactly two sentences"),
    ('{"long": "\\ud800", "split": ["a", "b"]}', "lone surrogate"),
]


@pytest.mark.parametrize(("suffix", "cases"), [("tsv", TSV), ("jsonl", JSONL)])
def test_every_line_comes_back_in_order(
    suffix: str, cases: list[tuple[str, str | None]], tmp_path: Path
) -> None:
    path = tmp_path / f"pairs.{suffix}"
    path.write_text("\n".join(text for text, _ in cases) + "\n", encoding="utf-8")
    lines = list(checked_lines(path, "en"))
    assert [line.number for line in lines] == list(range(1, len(cases) + 1))
    for line, (_, problem) in zip(lines, cases, strict=True):
        assert (line.pair is None) == (problem is not None)
        assert (problem or "") in (line.problem or "")


@pytest.mark.parametrize(("line", "expected"), [
    ('"She said ""no"", and left."\t"She said ""no"". <SEP> She left."',
     ('She said "no", and left.', 'She said "no".', "She left.")),
    ('It rained, and "we" left.\t"It rained. <SEP> ""We"" left."', 
     ('It rained, and "we" left.', "It rained.", '"We" left.')),
    ('"It rained, and we left."\t"It rained. <SEP> We left."', ("It rained, and we left.", "It rained.", "We left.")),
    ('"No," he said.\t"No." <SEP> He said it.', ('"No," he said.', '"No."', "He said it.")),
    ('"No."\tNo. <SEP> "No."', ('"No."', "No.", '"No."')),
    ('"It rained," and "we left."\t"It rained." <SEP> "We left."',
     ('"It rained," and "we left."', '"It rained."', '"We left."')),
    ('a 5"" pipe, and a 6"\ta 5"" pipe <SEP> a 6"', ('a 5"" pipe, and a 6"', 'a 5"" pipe', 'a 6"')),
    ("\ufeffa b\ta <SEP> b", ("a b", "a", "b")),
    ("a\u2028b\x85c\tb <SEP> c", ("a b c", "b", "c")),
    ("a\u00ad b\u200b\tIt rained.\u200bWe left. <SEP> \ufeffb\u00a0 c", ("a b", "It rained. We left.", "b c")),
])  # fmt: skip
def test_quotes_of_csv_and_what_nobody_sees_are_no_text(
    line: str, expected: tuple[str, str, str], tmp_path: Path
) -> None:
    path = tmp_path / "pairs.tsv"
    path.write_text(f"{line}\n", encoding="utf-8")
    (read,) = checked_lines(path, "en")
    assert read.pair is not None
    assert read.pair.texts == expected


def test_sentences_and_id_are_kept_or_the_line_number(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(f"{JSONL[0][0]}\n{JSONL[1][0]}\n", encoding="utf-8")
    first, second = (line.pair for line in checked_lines(tmp_path / "a.jsonl", "en"))
    assert first and second and (first.id, second.id) == ("x7", "2")
    assert (first.long, first.split) == ("It rained, so we stayed.", ("It rained.", "We stayed."))


def test_bytes_that_are_not_utf8_spoil_their_line_only(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_bytes(
        b"caf\xe9\tb <SEP> c\r\nd\te <SEP> f\r\n" + 2 * "é\tb <SEP> c\n".encode()
    )
    first, second, *_ = checked_lines(tmp_path / "a.tsv", "en")
    assert first.problem == "not UTF-8"
    assert second.pair is not None
    assert second.pair.split == ("e", "f")


@pytest.mark.parametrize(("pair", "problem"), [
    (("It rained.", ["It.", "Rained."]), None), (("It rained.", "It. <SEP> Rained."), None),
    (iter(["It rained.", iter(["It.", "Rained."])]), None), (("a", "b", "c"), None),
    ({"long": "a", "split": ["b", "c"], "id": 7}, None), ({"long": "a", "s1": "b", "s2": "c"}, None),
    (None, "None is no pair"), (3, "the number 3 is no pair"), ("ab", "the text 'ab' is no pair"),
    (("a",), "a value of type tuple is no pair"), ({"long": "a"}, "no `long` and `split`"),
    (("a", None), "not exactly two sentences"), (("a", 3), "not exactly two sentences"),
    (("a", "b c"), "no <SEP> between two sentences"),
    (("a", ["b", "c", "d"]), "not exactly two sentences"), ((None, ["b", "c"]), "long is no text"),
    (("a", [1, 2]), "first half"),
])  # fmt: skip
def test_what_is_no_pair_in_memory_is_a_line_with_a_problem(pair: Any, problem: str | None) -> None:
    good = ("It rained.", ["It.", "Rained."])
    first, line, last = from_pairs([good, pair, good], "en")
    assert first.pair and last.pair
    assert (line.pair is None) == (problem is not None)
    assert line.problem is None or line.problem.startswith(str(problem))


PAIRS = [
    {"long": "It rained, so we stayed.", "split": ["It rained.", "We stayed."]},
    {"long": "I sing and you dance.", "split": "I sing. <::::> You dance."},
]
COLUMNS = "It rained, so we stayed.\tIt rained. <SEP> We stayed.\nI sing and you dance.\tI sing. <::::> You dance.\n"
JSON_LINES = "".join(f"{json.dumps(pair)}\n" for pair in PAIRS)
TAB = "\t"
THREE = COLUMNS.replace(" <SEP> ", TAB).replace(" <::::> ", TAB)
BACKWARDS = "".join(f"{TAB.join(reversed(line.split(TAB)))}\n" for line in THREE.splitlines())
CSV = "".join(f'"{line}"\r\n'.replace(TAB, '","') for line in THREE.splitlines())
FORMATS = [
    (".tsv", COLUMNS),
    (".TXT", COLUMNS.replace("\n", "\r\n")),
    ("", COLUMNS.replace("\n", "\r")),
    (".tsv", f"\ufeff{COLUMNS}"),
    (".jsonl", JSON_LINES),
    (".JSONL", JSON_LINES.replace("\n", "\r\n")),
    (".ndjson", JSON_LINES.replace("\n", "\r")),
    (".json", json.dumps(PAIRS)),
    (".JSON", f"\ufeff{json.dumps(PAIRS, indent=2)}\n"),
    (".json", JSON_LINES),
    ("", JSON_LINES),
    (".tsv", f"long\tsplit\n{COLUMNS}"),
    (".tsv", THREE),
    (".tsv", f"s2\ts1\tlong\n{BACKWARDS}"),
    (".csv", f"long,s1,s2\r\n{CSV}"),
    (".CSV", CSV),
    (".csv", "\ufeff" + CSV.replace('","', '";"')),
    (".csv", f"s2;s1;long\n{BACKWARDS.replace(TAB, ';')}"),
    (".csv", COLUMNS),
]
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": zstandard.compress,
}


@pytest.mark.parametrize("compression", COMPRESS)
@pytest.mark.parametrize(("suffix", "text"), FORMATS)
def test_every_format_has_the_same_pairs(
    suffix: str, text: str, compression: str, tmp_path: Path
) -> None:
    if compression and not suffix:
        suffix = ".tsv" if text is not JSON_LINES else ".jsonl"
    path = tmp_path / f"pairs{suffix}{compression}"
    path.write_bytes(COMPRESS[compression](text.encode()))
    first, second = (line.pair for line in checked_lines(path, "en"))
    assert first and second
    assert (first.long, first.split) == ("It rained, so we stayed.", ("It rained.", "We stayed."))
    assert (second.long, second.split) == ("I sing and you dance.", ("I sing.", "You dance."))


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    ours, theirs = os.pipe()

    def write() -> None:
        with os.fdopen(theirs, "w", encoding="utf-8") as out:
            out.write("".join(f"{n} a b\t{n} a. <SEP> {n} b.\n" for n in range(9_000)))

    writer = threading.Thread(target=write)
    writer.start()
    lines = list(checked_lines(Path(f"/dev/fd/{ours}"), "en"))
    assert [line.pair and line.pair.long for line in lines] == [f"{n} a b" for n in range(9_000)]
    writer.join()
    os.close(ours)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("pairs.jsonl", b"[" * 100_000),
        ("pairs.jsonl", b'["long", "split"]'),
        ("pairs.jsonl", b'{"long": NaN, "split": null}'),
        ("pairs.jsonl", b"1" * 5_000),
        ("pairs.tsv", b"no tab"),
        ("pairs.tsv", b"0\tIt rained, we left.\tIt rained.\tWe left.\n"),
        ("pairs.csv", b"It rained, we stayed, and it was cold,It rained. <SEP> It was cold.\n"),
        ("pairs.tsv", b""),
        ("pairs.json", b"[]"),
    ],
)
def test_a_file_without_pairs_is_refused(name: str, content: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SettingsError, match="is no file of pairs"):
        checked_lines(tmp_path / name, "en")


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists))
def test_no_value_raises(value: object) -> None:
    _, line = from_pairs([("It rained.", ["It.", "Rained."]), (value, value)], "en")
    assert line.pair is None


NAMED = [
    ("a.csv", "complex,simple\nIt rained.,It. <SEP> Rained.\n", "long=complex,split=simple"),
    ("a.csv", "Unsplit sentence,Sentence 1,Sentence 2\nIt rained.,It.,Rained.\n",
     "long=Unsplit sentence,s1=Sentence 1,s2=Sentence 2"),
    ("a.json", '[{"text": "It rained.", "halves": ["It.", "Rained."]}]', "long=text,split=halves"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "option"), NAMED)
def test_other_names_of_columns_are_listed_and_can_be_given(
    name: str, text: str, option: str, tmp_path: Path, golden: Golden
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with golden.refused(SettingsError):
        checked_lines(path, "en")
    (line,) = checked_lines(path, "en", dict(pair.split("=") for pair in option.split(",")))
    assert line.pair and line.pair.texts == ("It rained.", "It.", "Rained.")


WRONG_COLUMNS = [
    ("a.csv", "long,split\na,b <SEP> c\n", {"long": "foo"}),
    ("a.csv", "long,split\na,b <SEP> c\n", {"long": "split", "split": "foo"}),
    ("a.csv", "long,s1,s2\na,b,c\n", {"s1": "foo"}),
    ("a.tsv", "a b.\ta. <SEP> b.\n", {"long": "foo"}),
    ("a.jsonl", '{"long": "a", "split": ["b", "c"]}\n', {"id": "foo"}),
]


@pytest.mark.parametrize(("name", "text", "columns"), WRONG_COLUMNS)
def test_a_column_that_is_named_must_be_there(
    name: str, text: str, columns: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=r"has no column 'foo'"):
        checked_lines(path, "en", columns)


def test_a_column_need_not_be_in_every_object(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"error": 1}\n{"complex": "a", "long": "x", "split": ["b", "c"]}\n' * 2)
    lines = [*checked_lines(path, "en", {"long": "complex"})]
    assert [line.pair and line.pair.long for line in lines] == [None, "a", None, "a"]


def test_columns_that_are_named_are_read_in_place_of_others(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("long,split,x,y,z\na,b <SEP> c,d,e,f\n", encoding="utf-8")
    (line,) = checked_lines(path, "en", {"long": "x", "s1": "y", "s2": "z"})
    assert line.pair and line.pair.texts == ("d", "e", "f")


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
        _, line = from_pairs([PAIRS[0], (long, split)], "en")
    assert (line.pair and line.pair.split) == halves
    assert (": 1." in caplog.text) == line.is_divided == (halves is not None)


def test_nothing_is_divided_in_a_language_without_rules() -> None:
    _, line = from_pairs([PAIRS[0], ("It rained, so we left.", "It rained. We left.")], "xx")
    assert line.pair is None


TEXTS = [
    ("a.csv", "long\nIt rained.\n", None, ["It rained."]),
    ("a.csv", '"It rained, so we left."\n"I sing, and you dance."\n', None,
     ["It rained, so we left.", "I sing, and you dance."]),
    ("a.csv", "It rained, we left, it was cold, and that is all.\n", None, None),
    ("a.csv", "id,sentence\n1,It rained.\n", {"long": "sentence"}, ["It rained."]),
    ("a.csv", "id,sentence\n1,It rained.\n", None, None),
    ("a.csv", "id,sentence\n1,It rained.\n", {"long": "foo"}, None),
    ("a.jsonl", '{"long": 3}\n', None, None),
    ("a.jsonl", '"It rained."\n', None, None),
    ("a.jsonl", '{"messages": [{"role": "user", "content": "It rained."}]}\n', None, None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "columns", "expected"), TEXTS)
def test_long_sentences_need_no_split(
    name: str,
    text: str,
    columns: dict[str, str] | None,
    expected: list[str] | None,
    tmp_path: Path,
    golden: Golden,
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    if expected is None:
        with golden.refused(SettingsError):
            texts(path, "long", columns)
    else:
        assert texts(path, "long", columns) == expected


def test_every_row_of_csv_is_a_line(tmp_path: Path) -> None:
    """A row may have line breaks; a quote that is never closed takes one row, and at most the limit of csv."""
    path = tmp_path / "a.csv"
    path.write_text(
        'long,split,id\n"It rained,\nand ""we"" left.",It rained. <SEP> We left.,7\n\nIt rained.,,\n'
        "a,b <SEP> c,8,9\nI sing.,I. <SEP> Sing.,\n",
        encoding="utf-8",
    )
    lines = list(checked_lines(path, "en"))
    assert [line.number for line in lines] == [2, 3, 4, 5, 6]
    first, *bad, last = lines
    assert first.pair and first.pair.long == 'It rained, and "we" left.' and first.pair.id == "7"
    assert [line.pair for line in bad] == [None] * 3
    assert last.pair and last.pair.id == "6"


def test_a_workbook_is_to_be_saved_as_csv(tmp_path: Path) -> None:
    for name, start in (("a.xlsx", b"PK\x03\x04"), ("a.tsv", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
        (tmp_path / name).write_bytes(start + bytes(900))
        with pytest.raises(SettingsError, match=r"Save it as CSV"):
            checked_lines(tmp_path / name, "en")


@pytest.mark.parametrize("name", [".parquet", *filter(None, COMPRESS)])
def test_what_is_no_text_needs_the_ending_of_its_format(name: str, tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    pq.write_table(pa.Table.from_pylist(PAIRS[:1]), path)
    if name in COMPRESS:
        path.write_bytes(COMPRESS[name](COLUMNS.encode()))
    with pytest.raises(SettingsError, match=rf"name must end in \{name}\.$"):
        checked_lines(path, "en")


def test_what_datasets_saved_is_read(tmp_path: Path) -> None:
    import datasets

    data = datasets.Dataset.from_list(PAIRS[:1] * 30)
    data.save_to_disk(tmp_path / "saved", num_shards=3)
    lines = list(checked_lines(tmp_path / "saved", "en"))
    assert [line.number for line in lines] == list(range(1, 31)) and all(
        line.pair for line in lines
    )
    datasets.DatasetDict({"train": data, "test": data}).save_to_disk(tmp_path / "both")
    with pytest.raises(SettingsError, match=r"several tables: test/data, train/data"):
        checked_lines(tmp_path / "both", "en")
    assert len(list(checked_lines(tmp_path / "both" / "test", "en"))) == 30
    (tmp_path / "empty").mkdir()
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / "a.tsv").symlink_to("/etc/hostname")
    with pytest.raises(SettingsError, match="a link that leaves the folder"):
        checked_lines(tmp_path / "linked", "en")
    with pytest.raises(SettingsError, match="no file of rows"):
        checked_lines(tmp_path / "empty", "en")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 and nothing")
    with pytest.raises(SettingsError, match=r"bad\.parquet cannot be read"):
        checked_lines(tmp_path / "bad.parquet", "en")


def test_a_byte_order_mark_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("\ufeffa b\ta <SEP> b\n", encoding="utf-8")
    (line,) = checked_lines(tmp_path / "a.tsv", "en")
    assert line.pair and line.pair.long == "a b"


def test_line_breaks_of_unicode_do_not_end_a_line(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("a\u2028b\x85c\tb <SEP> c\n", encoding="utf-8")
    (line,) = checked_lines(tmp_path / "a.tsv", "en")
    assert line.pair is not None
    assert line.pair.long == "a b c"
