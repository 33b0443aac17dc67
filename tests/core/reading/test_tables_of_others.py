"""Tables and folders of others: Parquet and Arrow as programs write them, or as somebody made them to do harm."""

import json
from collections.abc import Callable
from datetime import date
from gzip import open as open_compressed
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from messages import Golden
from pyarrow import feather

from bitext_pivot.alignments.texts.table_files import read_table
from bitext_pivot.core.errors import BuildError, SettingsError
from bitext_pivot.core.reading import table_folders
from bitext_pivot.core.reading.pair_files import read_pairs
from bitext_pivot.core.reading.row_files import read_rows
from bitext_pivot.core.storage import received

LONG, SPLIT = "It rained, and we left.", ["It rained.", "We left."]
PAIR: dict[str, Any] = {"long": LONG, "split": SPLIT}
TABLE = pa.table({"long": [LONG], "split": [SPLIT]})
BYTES = pa.table({"long": pa.array([LONG.encode()]), "split": pa.array([b"a <SEP> b"])})
RAW = {"long": LONG.encode(), "split": b"a <SEP> b"}


def stream(path: Path, table: pa.Table) -> None:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)


def file(path: Path, table: pa.Table) -> None:
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)


def parquet(path: Path, table: pa.Table) -> None:
    pq.write_table(table, path)


def to_feather(path: Path, table: pa.Table) -> None:
    feather.write_feather(table, path)


def broken(change: Callable[[bytearray], None]) -> Callable[[Path, pa.Table], None]:
    """Return what writes a stream whose bytes are changed."""

    def write(path: Path, table: pa.Table) -> None:
        stream(path, table)
        content = bytearray(path.read_bytes())
        change(content)
        path.write_bytes(content)

    return write


def far(content: bytearray) -> None:
    place = content.index(bytes(4) + len(LONG).to_bytes(4, "little") + LONG.encode()) + 4
    content[place : place + 4] = (2**31 - 1).to_bytes(4, "little")


def no_text(content: bytearray) -> None:
    content[content.index(b"It rained")] = 0xFF


def dates(days: int) -> pa.Table:
    return TABLE.append_column("day", pa.array([days], pa.int32()).cast(pa.date32()))


def in_list(items: pa.Array) -> pa.Table:
    """Return a table of one row, whose column is a list."""
    return pa.table({"x": pa.ListArray.from_arrays([0, len(items)], items)})


def in_map(items: pa.Array) -> pa.Table:
    keys = [*map(str, range(len(items)))]
    return pa.table({"x": pa.MapArray.from_arrays([0, len(items)], keys, items)})


def in_struct(items: pa.Array) -> pa.Table:
    return pa.table({"x": pa.StructArray.from_arrays([in_list(items)["x"].chunk(0)], ["y"])})


def texts(number: int) -> pa.Array:
    return pa.array(["a"] * number).dictionary_encode()


def views(items: pa.Array) -> pa.Array:
    return pa.array(items.to_pylist(), pa.string_view())


RUNS = pa.RunEndEncodedArray.from_arrays([2, 5], ["abc", "d"])
LISTS = pa.array([["a"], ["b"]], pa.list_view(pa.string()))


Case = tuple[str, Callable[[Path, pa.Table], None], pa.Table, object]
TWICE = TABLE.append_column("long", [["It snowed."]])
CASES: dict[str, Case] = {
    "Parquet": ("a.parquet", parquet, TABLE, [PAIR]),
    "a stream of Arrow": ("a.arrow", stream, TABLE, [PAIR]),
    "a file of Arrow": ("a.arrow", file, TABLE, [PAIR]),
    "Feather": ("a.feather", to_feather, TABLE, [PAIR]),
    "bytes in Parquet": ("a.parquet", parquet, BYTES, [RAW]),
    "bytes in Arrow": ("a.arrow", file, BYTES, [RAW]),
    "an image": ("a.parquet", parquet, TABLE.append_column("i", [[b"\xff"]]), [PAIR | {"i": b"\xff"}]),
    "a dictionary": ("a.arrow", stream, pa.table({"long": texts(2)}), [{"long": "a"}] * 2),
    "a field named view": ("a.arrow", stream, pa.table({"x": [{"review": "a"}]}), [{"x": {"review": "a"}}]),
    "no row": ("a.arrow", file, TABLE.slice(0, 0), []),
    "a day": ("a.parquet", parquet, dates(0), [PAIR | {"day": date(1970, 1, 1)}]),
    "a day that Python cannot hold": ("a.parquet", parquet, dates(2**30), None),
    "a time that Python cannot hold": ("a.arrow", stream, pa.table({"t": pa.array([2**62], pa.timestamp("s"))}), None),
    "a time zone of nobody": ("a.arrow", stream, pa.table({"t": pa.array([1], pa.timestamp("s", "No/Where"))}), None),
    "places beyond the end": ("a.arrow", broken(far), TABLE, None),
    "a text that is no UTF-8": ("a.arrow", broken(no_text), TABLE, None),
    "two columns of one name in Arrow": ("a.arrow", stream, TWICE, None),
    "two columns of one name in Parquet": ("a.parquet", parquet, TWICE, None),
    "a dictionary in a list": ("a.arrow", stream, in_list(texts(3)), [{"x": ["a"] * 3}]),
    "a dictionary in a map": ("a.arrow", stream, in_map(texts(1)), [{"x": [("0", "a")]}]),
    "a dictionary in an object": ("a.parquet", parquet, in_struct(texts(2)), [{"x": {"y": ["a", "a"]}}]),
    "a dictionary of numbers": ("a.arrow", stream, pa.table({"x": pa.array([7]).dictionary_encode()}), [{"x": 7}]),
    "views": ("a.arrow", stream, pa.table({"x": views(pa.array(["a", None]))}), [{"x": "a"}, {"x": None}]),
    "views in a list": ("a.arrow", stream, in_list(views(texts(3))), [{"x": ["a"] * 3}]),
    "runs": ("a.arrow", stream, pa.table({"x": RUNS}), [{"x": "abc"}, {"x": "abc"}] + [{"x": "d"}] * 3),
    "views of lists": ("a.arrow", stream, pa.table({"x": LISTS}), [{"x": ["a"]}, {"x": ["b"]}]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_tables_of_others_are_rows_or_refused(name: str, tmp_path: Path, golden: Golden) -> None:
    file_name, write, table, expected = CASES[name]
    write(tmp_path / file_name, table)
    read = read_rows(tmp_path / file_name, "Name a file.", names={"long", "split"})
    if expected is None:
        with golden.refused(SettingsError):
            list(read)
    else:
        assert [row for _, row in read] == expected


@pytest.mark.parametrize(("error", "raised", "words"), [
    (OSError("Invalid data\n"), SettingsError, r"a\.parquet cannot be read \(Invalid data\)\."),
    (pa.ArrowInvalid("bad\n"), SettingsError, r"a\.parquet cannot be read \(ArrowInvalid: bad\)\."),
    (pa.ArrowMemoryError("malloc"), MemoryError, "malloc"),
])  # fmt: skip
def test_the_reason_of_a_library_is_one_line(
    error: Exception, raised: type[Exception], words: str,
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    def batches(*_: object) -> None:
        raise error

    monkeypatch.setattr(received, "_batches", batches)
    parquet(tmp_path / "a.parquet", TABLE)
    with pytest.raises(raised, match=words):
        read_pairs(tmp_path / "a.parquet", "en")


def test_texts_that_are_too_long_are_unreadable(tmp_path: Path) -> None:
    with open_compressed(tmp_path / "a.jsonl.gz", "wt", encoding="utf-8") as file:
        for number in range(40):
            file.write(json.dumps({**PAIR, "long": "a" * (1 << 20) + LONG, "id": number}) + "\n")
        file.write(json.dumps(PAIR) + "\n")
    *long, last = read_pairs(tmp_path / "a.jsonl.gz", "en")
    assert {line.problem for line in long} == {"long has more than 1,048,576 characters"}
    assert last.pair


def test_bytes_in_place_of_texts_are_read(tmp_path: Path) -> None:
    parquet(tmp_path / "a.parquet", BYTES)
    (line,) = read_pairs(tmp_path / "a.parquet", "en")
    assert line.pair and line.pair.texts == (LONG, "a", "b")
    parquet(tmp_path / "b.parquet", pa.table({"en": [b"A.", b"\xff"], "fr": [b"B.", b"C."]}))
    segments = read_table(tmp_path / "b.parquet", ("en", "fr"), {})
    assert [(*segment.texts, segment.is_unreadable) for segment in segments] == [
        ("A.", "B.", False), ("", "", True),
    ]  # fmt: skip


SPARK = "part-0000{}-7f3c1f0a-6b1d-4a57-9d55-0123456789ab-c000.snappy.parquet"
FOLDERS: dict[str, tuple[str, str]] = {
    "one file": ("a.csv", "a.csv"),
    "numbers": ("a-00000.csv a-00001.csv", "a-00000.csv a-00001.csv"),
    "numbers from one": ("a-00001.csv a-00002.csv", "a-00001.csv a-00002.csv"),
    "numbers of all": (
        "a-00000-of-00002.parquet a-00001-of-00002.parquet",
        "a-00000-of-00002.parquet a-00001-of-00002.parquet",
    ),
    "digests": (
        "a-00000-of-00002-a09b74b3ef9c3b56.parquet a-00001-of-00002-0123456789abcdef.parquet",
        "a-00000-of-00002-a09b74b3ef9c3b56.parquet a-00001-of-00002-0123456789abcdef.parquet",
    ),
    "Spark": (
        f"_SUCCESS {SPARK.format(0)} {SPARK.format(1)}",
        f"{SPARK.format(0)} {SPARK.format(1)}",
    ),
    "two formats": ("a.parquet a.jsonl", ""),
    "plain and compressed": ("a.csv a.csv.gz", ""),
    "capitals": ("A.CSV", "A.CSV"),
    "dots": ("wiki.v1.0.csv README.md LICENSE", "wiki.v1.0.csv"),
    "what programs keep beside": (
        "a.csv .a.csv ._a.csv ~$a.csv .ipynb_checkpoints/a-checkpoint.csv __MACOSX/a.csv",
        "a.csv",
    ),
    "saved by datasets": (
        "data-00000-of-00001.arrow cache-0f1e2d3c4b5a6978.arrow state.json dataset_info.json",
        "data-00000-of-00001.arrow",
    ),
    "two tables with dots": ("wiki.train.csv wiki.test.csv", ""),
    "two tables": ("train/data-00000-of-00001.arrow test/data-00000-of-00001.arrow", ""),
    "years": ("wiki-2019.csv wiki-2020.csv", ""),
    "one of two": ("a-00001-of-00002.csv", ""),
    "a gap": ("a-00000.csv a-00002.csv", ""),
    "two sizes": ("a-00000-of-00001.csv a-00000-of-00002.csv a-00001-of-00002.csv", ""),
    "two digests": (
        "a-00000-of-00001-a09b74b3ef9c3b56.parquet a-00000-of-00001-0123456789abcdef.parquet",
        "",
    ),
    "a file and a number": ("a.csv a-00000.csv", ""),
    "nothing": ("README.md a.txt", ""),
}


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_is_one_table_or_refused(name: str, tmp_path: Path, golden: Golden) -> None:
    names, expected = FOLDERS[name]
    for file_name in names.split():
        (tmp_path / file_name).parent.mkdir(exist_ok=True)
        (tmp_path / file_name).touch()
    if not expected:
        with golden.refused(SettingsError):
            table_folders.find_files(tmp_path)
        return
    found = [path.relative_to(tmp_path).as_posix() for path in table_folders.find_files(tmp_path)]
    assert found == expected.split()


def test_a_table_of_the_hub_is_that_of_its_whole_name() -> None:
    from bitext_pivot.core.reading.table_folders import _parts

    names = ["train.csv", "train2.csv", "test.csv"]
    assert _parts("owner/name", names, "train") == ["train.csv"]
    assert _parts("owner/name", names, "te") == ["test.csv"]


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n"


def read_tmx(path: Path) -> None:
    from bitext_pivot.alignments.texts.tmx import read_tmx

    list(read_tmx(path, ("en", "fr")))


def read_lines(path: Path) -> None:
    from bitext_pivot.alignments.texts.lines import read_lines

    list(read_lines(path))


def read_zip(path: Path) -> None:
    from bitext_pivot.alignments import zips

    zips.open_zip(path)


def read_model(path: Path) -> None:
    from bitext_pivot.core.hub import weights

    weights.find_weights(path.parent, "translation.model")


def read_output(path: Path) -> None:
    from bitext_pivot.core.reading.input_files import lines

    list(lines(path, "Name a file of outputs."))


def open_pairs(path: Path) -> None:
    read_pairs(path, "en")


def read_data_set(path: Path) -> None:
    from bitext_pivot.corpus.reading import read_file

    list(read_file(path))


POINTERS: list[tuple[str, Callable[[Path], None]]] = [
    ("a.tmx", read_tmx), ("a.tmx.gz", read_tmx), ("a.txt", read_lines), ("a.txt.xz", read_lines), ("a.zip", read_zip),
    ("model.safetensors", read_model), ("source.spm", read_model), ("vocab.json", read_model),
    ("a.txt", read_output), ("a.parquet", open_pairs), ("a.arrow", open_pairs), ("a.jsonl", open_pairs),
    ("a.csv", open_pairs), ("a.tsv.zst", open_pairs), ("a.parquet", read_data_set), ("a.jsonl.zst", read_data_set),
]  # fmt: skip


@pytest.mark.parametrize(("name", "read"), POINTERS)
def test_a_pointer_of_git_lfs_is_named(
    name: str, read: Callable[[Path], None], tmp_path: Path
) -> None:
    (tmp_path / name).write_text(POINTER, encoding="utf-8")
    with pytest.raises(BuildError) as refused:
        read(tmp_path / name)
    assert f"{name} is a Git LFS pointer" in str(refused.value)
    assert "git lfs pull" in str(refused.value) and len(str(refused.value).splitlines()) == 1
