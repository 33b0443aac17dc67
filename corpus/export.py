"""Export: write divided records to the files of a data set and count them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from corpus.divide import Place
from corpus.files import DataFiles
from corpus.recipe import REJECTED, AnyRecord, Recipe


def divided(records: Iterable[AnyRecord], places: Iterable[Place]) -> Iterator[tuple[AnyRecord, str]]:
    """Yield each record with its set. Those that the division rejects become rejected ones."""
    for record, place in zip(records, places, strict=True):
        yield _rejected(record, place.rejected_by) if place.rejected_by else record, place.subset


def _rejected(record: Any, reason: str) -> Any:
    return replace(record, rejected_by=reason)


def export(
    files: DataFiles, recipe: Recipe[AnyRecord], records: Iterable[tuple[AnyRecord, str]]
) -> dict[str, Counter[str]]:
    """Write kept and rejected records to the files of their kinds and sets, in order, and count them.

    Returns counters `rejected` (by reason), and of kept records `subset` and each label of the recipe.
    """
    counts: dict[str, Counter[str]] = {name: Counter() for name in (REJECTED, "subset", *recipe.labels)}
    with files:
        for record, subset in records:
            if record.rejected_by is not None:
                counts[REJECTED][record.rejected_by] += 1
                files.write(REJECTED, subset, recipe.columns(record, REJECTED))
                continue
            for kind in recipe.kinds(record):
                row = recipe.columns(record, kind)
                files.write(kind, subset, row)
            counts["subset"][subset] += 1
            for label in recipe.labels:
                counts[label][row[label]] += 1
    return counts
