"""The row store: what is there stays, groups are stored whole, two workers do not meet."""

import sqlite3
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.storage.store import RowStore


def test_a_text_keeps_its_first_value(tmp_path: Path) -> None:
    store = RowStore(tmp_path, "engine 1")
    store.put({"Bonjour.": "Hello."})
    store.put({"Bonjour.": "Good morning.", "Merci.": "Thanks."})
    assert store.get(["Merci.", "Bonjour.", "Salut."]) == {"Bonjour.": "Hello.", "Merci.": "Thanks."}


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
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("delete",)  # with WAL, closing locks at once

    def work(worker: int) -> None:
        for number in range(50):
            RowStore(tmp_path, "engine").put({f"{worker} {number}": "x", f"both {number}": "y"})
            assert store.get([f"{worker} {number}"])

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert len(store.get([f"{worker} {number}" for worker in range(4) for number in range(50)])) == 200


def test_a_refused_write_is_a_shard_error(tmp_path: Path) -> None:
    store = RowStore(tmp_path, "engine")
    store.path.unlink()
    store.path.mkdir()
    with pytest.raises(ShardError, match="cannot take more rows"):
        store.put({"a": "b"})


def test_each_text_is_measured_once_and_stored_in_groups(tmp_path: Path) -> None:
    calls: list[list[str]] = []

    def measure(texts: Sequence[str]) -> list[list[float]]:
        calls.append(list(texts))
        return [[len(text), 0.5] for text in texts]

    store = RowStore(tmp_path, "lengths")
    assert store.numbers(["a", "bb", "a", "ccc"], measure, 2) == {"a": [1, 0.5], "bb": [2, 0.5], "ccc": [3, 0.5]}
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
