"""The row store: what is there stays, groups are stored whole, two workers do not meet."""

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.storage.store import RowStore


def test_a_text_keeps_its_first_value(tmp_path: Path) -> None:
    store = RowStore(tmp_path, "engine 1")
    store.put({"Bonjour.": "Hello."})
    store.put({"Bonjour.": "Good morning.", "Merci.": "Thanks."})
    assert store.get(["Merci.", "Bonjour.", "Salut."]) == {
        "Bonjour.": "Hello.",
        "Merci.": "Thanks.",
    }


def test_another_signature_is_another_store(tmp_path: Path) -> None:
    RowStore(tmp_path, "engine 1").put({"Bonjour.": "Hello."})
    assert RowStore(tmp_path, "engine 2").get(["Bonjour."]) == {}


def test_more_texts_than_one_query_takes(tmp_path: Path) -> None:
    store = RowStore(tmp_path, "engine")
    rows = {f"phrase {number}": f"sentence {number}" for number in range(1_234)}
    store.put(rows.items())
    assert store.get(list(rows)) == rows


def test_texts_that_differ_only_in_unicode_form_are_two_rows(tmp_path: Path) -> None:
    store = RowStore(tmp_path, "engine")
    store.put({"é": "composed", "e\u0301": "decomposed"})
    assert store.get(["e\u0301", "é"]) == {"é": "composed", "e\u0301": "decomposed"}


def test_a_group_that_fails_is_not_stored_in_part(tmp_path: Path) -> None:
    store = RowStore(tmp_path, "engine")

    def rows() -> Iterator[tuple[str, str]]:
        yield "a", "1"
        raise RuntimeError("killed")

    with pytest.raises(RuntimeError):
        store.put(rows())
    assert store.get(["a"]) == {}


def test_threads_write_at_once_and_readers_find_no_lock(tmp_path: Path) -> None:
    store = RowStore(tmp_path, "engine")
    with closing(sqlite3.connect(store.path)) as connection:
        # With WAL, closing takes the lock at once.
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)

    def work(worker: int) -> None:
        for number in range(50):
            RowStore(tmp_path, "engine").put({f"{worker} {number}": "x", f"both {number}": "y"})
            assert store.get([f"{worker} {number}"])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert (
        len(store.get([f"{worker} {number}" for worker in range(4) for number in range(50)])) == 200
    )


def test_a_refused_write_is_a_shard_error(tmp_path: Path) -> None:
    store = RowStore(tmp_path, "engine")
    store.path.mkdir()
    with pytest.raises(ShardError, match=r"cannot be used .*Free space, or make the file writable"):
        store.put({"a": "b"})


def test_a_locked_store_is_a_shard_error_and_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bitext_pivot.core.storage.store._TIMEOUT", 0.1)
    store = RowStore(tmp_path, "engine")
    store.put({"a": "1"})
    with closing(sqlite3.connect(store.path)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(ShardError, match="database is locked"):
            store.put({"b": "2"})
    assert store.get(["a", "b"]) == {"a": "1"}


def rewrite(content: bytes, start: int) -> Callable[[Path], object]:
    def write(path: Path) -> None:
        with path.open("r+b") as file:
            file.seek(start)
            file.write(content)

    return write


@pytest.mark.parametrize("harm", [
    rewrite(b"SQLite formal 3", 0), rewrite(b"\x03\x03", 18), rewrite(bytes(4_000), 30),
    lambda path: os.truncate(path, 5_000), lambda path: path.write_bytes(b"text"),
])  # fmt: skip
def test_a_damaged_file_is_set_aside(
    harm: Callable[[Path], object], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = RowStore(tmp_path, "engine")
    rows = {f"text {number}": f"translation {number}" for number in range(400)}
    store.put(rows)
    harm(store.path)
    stored = store.get([*rows])
    assert stored.items() < rows.items()
    store.put(rows)
    assert store.get([*rows]) == rows
    (line,) = caplog.messages
    aside = store.path.with_suffix(".damaged")
    assert line.startswith(f"{store.path} is damaged (") and line.endswith(
        f"It is kept as {aside.name}"
    )
    assert {path.name for path in tmp_path.iterdir()} == {store.path.name, aside.name}


def test_flipped_bits_never_change_a_row(tmp_path: Path) -> None:
    store = RowStore(tmp_path, "engine")
    rows = {f"text {number}": f"translation {number}" for number in range(60)}
    store.put(rows)
    content = store.path.read_bytes()

    @settings(max_examples=40)
    @given(st.integers(0, 8 * len(content) - 1))
    def law(bit: int) -> None:
        changed = bytearray(content)
        changed[bit // 8] ^= 1 << bit % 8
        store.path.write_bytes(changed)
        assert store.get([*rows]).items() <= rows.items()
        assert store.numbers(["a"], lambda texts: [[1.0]], 1) == {"a": [1.0]}

    law()


def test_each_text_is_measured_once_and_stored_in_groups(tmp_path: Path) -> None:
    calls: list[list[str]] = []

    def measure(texts: Sequence[str]) -> list[list[float]]:
        calls.append(list(texts))
        return [[len(text), 0.5] for text in texts]

    store = RowStore(tmp_path, "lengths")
    assert store.numbers(["a", "bb", "a", "ccc"], measure, 2) == {
        "a": [1, 0.5],
        "bb": [2, 0.5],
        "ccc": [3, 0.5],
    }
    assert calls == [["a", "bb"], ["ccc"]]
    assert store.numbers(["ccc", "dddd"], measure, 2) == {"ccc": [3, 0.5], "dddd": [4, 0.5]}
    assert calls[2:] == [["dddd"]]


def test_groups_measured_before_an_error_stay_stored(tmp_path: Path) -> None:
    def measure(texts: Sequence[str]) -> list[list[float]]:
        if "bad" in texts:
            raise ValueError("no number")
        return [[1.0]] * len(texts)

    store = RowStore(tmp_path, "fragile")
    with pytest.raises(ValueError, match="no number"):
        store.numbers(["good", "bad"], measure, 1)
    assert set(store.get(["good", "bad"])) == {"good"}
