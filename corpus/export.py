"""Export: write divided records to the files of a data set and count them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol

from corpus.divide import Place
from corpus.files import DataFiles
from corpus.recipe import REJECTED, Recipe


class Placed(NamedTuple):
    """A record, what rejects it, and its set."""

    record: Any
    rejected_by: str | None
    subset: str


def placed(records: Iterable[Any], rejected_by: Iterable[str | None], places: Iterable[Place]) -> Iterator[Placed]:
    """Yield each record with its place. Those that the division rejects become rejected ones."""
    for record, reason, place in zip(records, rejected_by, places, strict=True):
        yield Placed(record, place.rejected_by or reason, place.subset)


class Watcher(Protocol):
    """Something that takes records into account one by one."""

    def add(self, one: Placed) -> None:
        """Take a record into account."""


def watched(records: Iterable[Placed], *watchers: Watcher) -> Iterator[Placed]:
    """Yield the records, each shown to the watchers on its way."""
    for one in records:
        for watcher in watchers:
            watcher.add(one)
        yield one


def export(files: DataFiles, recipe: Recipe[Any], records: Iterable[Placed]) -> dict[str, Counter[str]]:
    """Write kept and rejected records to the files of their kinds and sets, in order, and count them.

    Returns counters `rejected` (by reason), and of kept records `subset` and each label of the recipe.
    """
    counts: dict[str, Counter[str]] = {name: Counter() for name in (REJECTED, "subset", *recipe.labels)}
    with files:
        for record, rejected_by, subset in records:
            if rejected_by is not None:
                counts[REJECTED][rejected_by] += 1
                files.write(REJECTED, subset, recipe.rejected(record, rejected_by))
                continue
            for kind in recipe.kinds(record):
                row = recipe.row(record, kind)
                files.write(kind, subset, row)
            counts["subset"][subset] += 1
            for label in recipe.labels:
                counts[label][row[label]] += 1
    return counts
