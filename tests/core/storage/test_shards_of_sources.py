"""Shards of one source: cut at document borders, and complete if the last one is there and all before it."""

from dataclasses import replace
from itertools import islice
from pathlib import Path

from factories import pair
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core.records import Pair
from bitext_pivot.core.storage import shards

ROWS = [replace(pair("a b", "a", "b"), id=str(n)) for n in range(5)]


@given(st.lists(st.lists(st.integers(), max_size=4), max_size=12), st.integers(1, 5))
def test_only_the_first_shard_of_documents_may_be_empty(
    documents: list[list[int]], rows: int
) -> None:
    parts = list(shards.cut(documents, rows, len))
    cuts = [part for part, _ in parts]
    assert [is_last for _, is_last in parts] == [part is cuts[-1] for part in cuts]
    assert [document for cut in cuts for document in cut] == documents
    assert all(sum(map(len, cut)) for cut in cuts[1:])
    assert all(rows <= sum(map(len, cut)) for cut in cuts[:-1])
    assert all(sum([len(document) for document in cut if document][:-1]) < rows for cut in cuts)


def test_a_source_is_complete_with_all_shards_up_to_the_last(tmp_path: Path) -> None:
    first = tmp_path / "C-v1-00000.parquet"
    paths = [*islice(shards.numbered(first), 3)]
    assert [path.name for path in paths] == [f"C-v1-0000{number}.parquet" for number in range(3)]
    for number, path in enumerate(paths):
        assert shards.find_all(first) is None
        shards.write(path, Pair, ROWS[number:], {"is_last": number == 2})
    assert shards.find_all(first) == paths
    paths[1].unlink()
    assert shards.find_all(first) is None
