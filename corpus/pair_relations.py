"""Which pairs of several builds are equal, and which have a sentence in common.

Two pairs are equal if they have the same `long` and the same halves, letter by letter. Pairs with the same
`long`, or with the same halves, are in one group, and so are those that other pairs of the group connect.
"""

from array import array
from typing import IO, NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray

from bitext_pivot.core.records import Pair, PairRelation, PairSource, Reference
from bitext_pivot.core.sampling import rank

VERSION = 1
"""Part of the key of joined shards. Raise it when a pair gets another joint."""
EQUAL = "equal pair"
"""What rejects a pair that an earlier one is equal to."""
_Numbers = NDArray[np.uint64]


class _Entry(NamedTuple):
    """What others need to know of a pair."""

    source: PairSource
    split: tuple[str, str]


class EqualValues:
    """Rows with equal values."""

    def __init__(self, values: NDArray[np.integer]) -> None:
        _, numbers, counts = np.unique(values, return_inverse=True, return_counts=True)
        self.numbers = numbers.astype(np.uint32)
        self._rows = np.argsort(self.numbers, kind="stable").astype(np.uint32)
        self._borders = np.append(0, np.cumsum(counts))

    def rows(self, row: int) -> list[int]:
        """Return the rows that have the value of this one, the smallest first."""
        number = self.numbers[row]
        found: list[int] = self._rows[self._borders[number] : self._borders[number + 1]].tolist()
        return found

    def smallest(self, values: _Numbers) -> _Numbers:
        """Return for each row the smallest of the `values` of the rows that are alike."""
        smallest: _Numbers = np.minimum.reduceat(values[self._rows], self._borders[:-1])[
            self.numbers
        ]
        return smallest


class PairRelations:
    """Kept pairs of all builds, numbered from 0 in the order in which they are added.

    First `add` all pairs, then `group` them, then ask for the `joint` of each.

    Memory: about 120 bytes per pair. Ids and halves are written to `file`, about 300 bytes per pair.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self._written = file, 0
        self._long, self._halves = array("Q"), array("Q")
        self._pivot, self._positions = array("H"), array("Q")
        self._pivots: dict[str, int] = {}

    def add(self, pair: Pair) -> None:
        """Add the next pair."""
        pivot = pair.pivot or ""
        self._long.append(rank(pair.long))
        self._halves.append(rank("\n".join(pair.split)))
        self._pivot.append(self._pivots.setdefault(pivot, len(self._pivots)))
        self._positions.append(self._written)
        corpus = release = licence = ""
        if pair.alignment:
            source = pair.alignment.source
            corpus, release, licence = source.corpus, source.release, source.licence
        entry = orjson.dumps([pair.id, corpus, release, licence, pivot, *pair.split])
        self._written += self._file.write(entry + b"\n")

    def group(self) -> None:
        """Find equal pairs and groups, when all pairs are added."""
        longs, size = np.asarray(self._long), len(self._long)
        self._same_long, same_halves = EqualValues(longs), EqualValues(np.asarray(self._halves))
        self._equal = EqualValues(self._same_long.numbers * np.uint64(size) + same_halves.numbers)
        self._groups = _groups(longs, self._same_long, same_halves)
        numbers = np.unique(self._groups, return_inverse=True)[1]
        pivots = np.unique(numbers * len(self._pivots) + np.asarray(self._pivot))
        self._languages = np.bincount(pivots // len(self._pivots))[numbers]

    def joint(self, row: int) -> PairRelation:
        """Return how the pair with this number relates to the others."""
        equal, same_long = self._equal.rows(row), self._same_long.rows(row)
        group, pivots = f"{self._groups[row]:016x}", int(self._languages[row])
        if equal[0] != row:
            return PairRelation(rejected_by=EQUAL, group=group, pivots=pivots)
        sources: tuple[PairSource, ...] = ()
        if len(equal) > 1:
            sources = tuple(self._entry(other).source for other in equal)
        is_first = same_long[0] == row
        references: tuple[Reference, ...] = ()
        if is_first and len(same_long) > len(equal):
            references = self._references(same_long)
        return PairRelation(
            group=group, pivots=pivots, is_first=is_first, sources=sources, references=references
        )

    def _references(self, rows: list[int]) -> tuple[Reference, ...]:
        """Return the different splits of some pairs, in their order."""
        sources: dict[tuple[str, str], list[PairSource]] = {}
        for row in rows:
            entry = self._entry(row)
            sources.setdefault(entry.split, []).append(entry.source)
        return tuple(
            Reference(
                split=split,
                ids=tuple(source.id for source in equal),
                pivots=tuple(sorted({source.pivot for source in equal})),
            )
            for split, equal in sources.items()
        )

    def _entry(self, row: int) -> _Entry:
        self._file.seek(self._positions[row])
        name, corpus, release, licence, pivot, first, second = orjson.loads(self._file.readline())
        source = PairSource(id=name, corpus=corpus, release=release, licence=licence, pivot=pivot)
        return _Entry(source, (first, second))


def _groups(longs: _Numbers, same_long: EqualValues, same_halves: EqualValues) -> _Numbers:
    """Return for each pair the smallest digest of a long sentence in its group.

    The digest goes from a sentence to all pairs that have it, in turns, until none changes.
    """
    groups = longs
    while True:
        smaller = same_long.smallest(same_halves.smallest(groups))
        if np.array_equal(smaller, groups):
            return groups
        groups = smaller
