"""Numbered shards of one source, cut at document borders, and an index that lists them when all exist."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from bitext_pivot.core.progress import warn
from bitext_pivot.core.storage import atomic, shards
from bitext_pivot.core.storage.locks import sweep

_Record = TypeVar("_Record")
_Document = TypeVar("_Document")


def is_complete(index: Path) -> bool:
    """Return True if an index and all shards that it lists are there, as they were written."""
    return atomic.find_sealed(index) is not None and all(map(shards.find, paths(index)))


def paths(index: Path) -> list[Path]:
    """Return the shards that an index lists, in order."""
    return [index.with_name(name) for name in atomic.read_sealed(index)["shards"]]


def begun(index: Path) -> list[Path]:
    """Return the shards that exist, listed or not."""
    return sorted(index.parent.glob(f"{index.stem}-[0-9][0-9][0-9][0-9][0-9].parquet"))


def write(
    index: Path,
    record: type[_Record],
    parts: Iterable[tuple[Sequence[_Record], Mapping[str, Any]]],
    advance: Callable[[int], None],
) -> None:
    """Write the shards of a source that do not exist, then the index. Call it only while holding the index' lock.

    `parts` are the records of each shard, and facts for its manifest. They come
    from the beginning of the source, also if an earlier run was stopped: reading is fast beside all that follows.
    `advance` is called with the number of rows.
    """
    if index.exists() and atomic.find_sealed(index) is None:
        warn(f"{index.parent.name}/{index.name} was damaged: it is written again")
    sweep(index.parent, f"{index.stem}-[0-9][0-9][0-9][0-9][0-9].parquet")
    names = []
    for number, (rows, facts) in enumerate(parts):
        path = index.with_name(f"{index.stem}-{number:05d}.parquet")
        if shards.find(path) is None:
            shards.write(path, record, rows, facts)
        advance(len(rows))
        names.append(path.name)
    atomic.write_sealed(index, {"shards": names})


def cut(
    documents: Iterable[_Document], shard_rows: int, size: Callable[[_Document], int]
) -> Iterator[list[_Document]]:
    """Yield the documents of each shard, which ends with the one in which it reaches `shard_rows`.

    `size` returns the rows of a document. One without rows follows those before it, so that no later shard is empty.
    """
    shard: list[_Document] = []
    rows = 0
    for document in documents:
        if rows >= shard_rows and size(document):
            yield shard
            shard, rows = [], 0
        shard.append(document)
        rows += size(document)
    if shard:
        yield shard
