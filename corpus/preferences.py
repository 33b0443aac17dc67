"""Pairs for preference training: a kept and a rejected split of the same long sentence."""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypedDict

import numpy as np

from bitext_pivot.core.counts import Counts
from bitext_pivot.corpus.data_set_files import DataFiles
from bitext_pivot.corpus.division import Assignment, Subset
from bitext_pivot.corpus.recipe import Recipe

FORMAT = "preference"
_Row = Mapping[str, Any]
_Records = Iterable[tuple[Any, Assignment]]


class _Kept(NamedTuple):
    """A kept row, and its set."""

    subset: Subset
    row: _Row


class _Rejected(TypedDict):
    """The columns of a rejected split."""

    rejected: tuple[str, ...]
    rejected_by: str
    rejected_id: str


_KeptRows = defaultdict[str, list[_Kept]]
_RejectedSplits = defaultdict[str, dict[tuple[str, ...], _Rejected]]


class Preferences:
    """Long sentences with kept and with rejected splits; 8 bytes per pair, and the rows that are written.

    Rows that the division rejected are neither: nothing is wrong with their splits.
    """

    def __init__(self) -> None:
        self._kept = array("q")
        self._rejected = array("q")

    def add(self, record: Any, row: _Row, rejected_by: str | None) -> None:
        """Take the next record into account."""
        if record.rejected_by is not None:
            self._rejected.append(hash(row["long"]))
        elif rejected_by is None:
            self._kept.append(hash(row["long"]))

    def write(self, files: DataFiles, recipe: Recipe[Any], records: _Records) -> Counts:
        """Write a row for each kept and each rejected split of a sentence, to the set of the kept one.

        `records` are those that were added. Returns the number of rows as `kinds`.
        """
        counts = Counts()
        with files:
            for subset, row in self._pairs(recipe, records):
                files.write(FORMAT, subset, row)
                counts["kinds", FORMAT] += 1
        return counts

    def _pairs(
        self, recipe: Recipe[Any], records: _Records
    ) -> Iterator[tuple[Subset, dict[str, Any]]]:
        """Yield a row for each kept and each rejected split of a sentence, with the set of the kept one."""
        kept, rejected = self._by_sentence(recipe, records)
        for long, chosen in kept.items():
            good = {tuple(row["split"]) for _, row in chosen}
            bad = [entry for split, entry in rejected[long].items() if split not in good]
            for subset, row in chosen:
                for entry in bad:
                    yield subset, {**row, **entry}

    def _by_sentence(
        self, recipe: Recipe[Any], records: _Records
    ) -> tuple[_KeptRows, _RejectedSplits]:
        """Return the kept rows and the rejected splits of sentences that have both, by sentence.

        Of equal rejected splits the first one counts.
        """
        shared = set(np.intersect1d(self._kept, self._rejected).tolist())
        kept: _KeptRows = defaultdict(list)
        rejected: _RejectedSplits = defaultdict(dict)
        for record, assignment in records:
            row = recipe.rows.row(record, recipe.rows.first_kind)
            long = row["long"]
            if hash(long) not in shared:
                continue
            if record.rejected_by is not None:
                split = tuple(row["split"])
                entry = _Rejected(
                    rejected=split, rejected_by=record.rejected_by, rejected_id=row["id"]
                )
                rejected[long].setdefault(split, entry)
            elif assignment.rejected_by is None:
                kept[long].append(_Kept(assignment.subset, row))
        return kept, rejected
