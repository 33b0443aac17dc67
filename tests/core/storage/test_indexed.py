"""Shards of one source: cut at document borders, written where they are missing, listed when all exist."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core.records import Pair
from bitext_pivot.core.storage import atomic, indexed, shards

PAIR: dict[str, Any] = {
    "language": "en",
    "long": "a b",
    "split": ("a", "b"),
    "pivot": None,
    "translated": None,
}
ROWS = [Pair(id=str(n), engine=None, alignment=None, **PAIR) for n in range(5)]
PARTS: list[tuple[list[Pair], dict[str, Any]]] = [
    (ROWS[:2], {"skips": {}}),
    (ROWS[2:4], {"skips": {"empty": 1}}),
]


@given(st.lists(st.lists(st.integers(), max_size=4), max_size=12), st.integers(1, 5))
def test_only_the_first_shard_of_documents_may_be_empty(
    documents: list[list[int]], rows: int
) -> None:
    cuts = list(indexed.cut(documents, rows, len))
    assert [document for cut in cuts for document in cut] == documents
    assert all(sum(map(len, cut)) for cut in cuts[1:])
    assert all(rows <= sum(map(len, cut)) for cut in cuts[:-1])
    assert all(sum([len(document) for document in cut if document][:-1]) < rows for cut in cuts)


def test_a_source_that_was_cut_off_gets_its_missing_shards(tmp_path: Path) -> None:
    index, counts = tmp_path / "C-v1.json", list[int]()

    def cut_off() -> Any:
        yield PARTS[0]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        indexed.write(index, Pair, cut_off(), counts.append)
    (first,) = indexed.begun(index)
    stamp = first.stat().st_mtime_ns
    assert not indexed.is_complete(index)
    indexed.write(index, Pair, PARTS, counts.append)
    assert indexed.is_complete(index) and counts == [2, 2, 2]
    assert first.stat().st_mtime_ns == stamp
    assert [row for path in indexed.paths(index) for row in shards.read(path, Pair)] == ROWS[:4]
    assert atomic.read_manifest(indexed.paths(index)[1])["skips"] == {"empty": 1}


def test_a_source_without_documents_is_complete(tmp_path: Path) -> None:
    index = tmp_path / "C-v1.json"
    indexed.write(index, Pair, [], lambda _: None)
    assert indexed.is_complete(index) and indexed.paths(index) == []
