"""Export: write divided records to the files of a data set and count them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Protocol

from corpus.files import DataFiles
from corpus.json_lines import dictionaries
from corpus.recipe import REJECTED, Recipe
from pairs.storage import arrow


class Placed(NamedTuple):
    """Consecutive records, and for each one what rejects it and its set."""

    records: Any
    """A list of records, or an Arrow batch of rows if the recipe has `read`."""
    rejected_by: Sequence[str | None]
    subsets: Sequence[str]

    def pick(self, positions: Sequence[int]) -> list[Any]:
        """Return the records at some positions; rows of an Arrow batch as dictionaries."""
        if isinstance(self.records, list):
            return [self.records[position] for position in positions]
        return dictionaries(arrow.take(self.records, positions))


class Watcher(Protocol):
    """Something that takes records into account."""

    def add(self, batch: Placed) -> None:
        """Take the next records into account."""


def watched(records: Iterator[Placed], *watchers: Watcher) -> Iterator[Placed]:
    """Yield the records, shown to the watchers on their way; while some are used, a thread reads the next ones."""
    with ThreadPoolExecutor(1) as thread:
        coming = thread.submit(next, records, None)
        while batch := coming.result():
            coming = thread.submit(next, records, None)
            for watcher in watchers:
                watcher.add(batch)
            yield batch


def export(files: DataFiles, recipe: Recipe[Any], records: Iterable[Placed]) -> dict[str, Counter[str]]:
    """Write kept and rejected records to the files of their kinds and sets, in order, and count them.

    Returns counters `rejected` (by reason), and of kept records `subset` and each label of the recipe, as the first
    kind has it.
    """
    counts: dict[str, Counter[str]] = {name: Counter() for name in (REJECTED, "subset", *recipe.labels)}
    with files:
        for batch in records:
            groups, labels = (_of_table if recipe.read else _of_records)(batch, recipe)
            for (kind, subset), rows in groups.items():
                files.write(kind, subset, rows)
            for reason, subset in zip(batch.rejected_by, batch.subsets, strict=True):
                counts["subset" if reason is None else REJECTED][reason or subset] += 1
            for name, values in labels.items():
                counts[name].update(values)
    return counts


_Groups = Mapping[tuple[str, str], Any]
"""Rows by kind and set."""
_Labels = Mapping[str, Sequence[str]]
"""Values of each label, of kept records."""


def _of_table(batch: Placed, recipe: Recipe[Any]) -> tuple[_Groups, _Labels]:
    first_kind = next(iter(recipe.rows))
    positions_by_group = defaultdict[tuple[str, str], list[int]](list)
    for position, (reason, subset) in enumerate(zip(batch.rejected_by, batch.subsets, strict=True)):
        positions_by_group[first_kind if reason is None else REJECTED, subset].append(position)
    groups = {group: arrow.take(batch.records, positions) for group, positions in positions_by_group.items()}
    labels = {
        name: [label for (kind, _), rows in groups.items() if kind == first_kind for label in rows[name].to_pylist()]
        for name in recipe.labels
    }
    for group in [group for group in groups if group[0] == REJECTED]:
        reasons = [batch.rejected_by[position] for position in positions_by_group[group]]
        groups[group] = groups[group].append_column("rejected_by", reasons)
    return groups, labels


def _of_records(batch: Placed, recipe: Recipe[Any]) -> tuple[_Groups, _Labels]:
    groups, labels = defaultdict[tuple[str, str], list[Any]](list), defaultdict[str, list[str]](list)
    first_kind = next(iter(recipe.rows))
    for record, reason, subset in zip(*batch, strict=True):
        kinds = recipe.kinds(record) if reason is None else (REJECTED,)
        rows = {kind: recipe.row(record, kind) for kind in kinds}
        for kind, row in rows.items():
            groups[kind, subset].append(row if reason is None else {**row, "rejected_by": reason})
        if reason is None:
            row = rows[first_kind] if first_kind in rows else recipe.row(record, first_kind)
            for name in recipe.labels:
                labels[name].append(row[name])
    return groups, labels
