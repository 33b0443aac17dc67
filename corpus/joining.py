"""Which pairs of several builds are equal, and which have a sentence in common.

Two pairs are equal if they have the same `long` and the same halves, letter by letter. Pairs with the same
`long`, or with the same halves, are in one group, and so are those that other pairs of the group connect.
"""

from array import array
from bisect import bisect_right
from typing import IO, NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray

from bitext_pivot.core.records import Joint, Pair, PairSource, Reference
from bitext_pivot.core.sampling import rank

VERSION = 1
"""Part of the key of joined shards. Raise it when a pair gets another joint."""
EQUAL = "equal pair"
"""What rejects a pair that an earlier one is equal to."""
_Numbers = NDArray[np.uint64]
_Positions = NDArray[np.intp]


class _Entry(NamedTuple):
    """What others need to know of a pair."""

    source: PairSource
    split: tuple[str, str]


class Runs:
    """Runs of rows that have the same values."""

    def __init__(self, order: _Positions, starts: _Positions) -> None:
        self._order, self._starts, self._size = order.data, starts.data, len(order)

    def around(self, place: int) -> list[int]:
        """Return the rows of the run that a place in the order belongs to, the smallest first."""
        run = bisect_right(self._starts, place)
        stop = self._size
        if run < len(self._starts):
            stop = self._starts[run]
        return sorted(self._order[self._starts[run - 1] : stop])


class Joining:
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
        longs, halves = np.asarray(self._long), np.asarray(self._halves)
        order = np.lexsort((halves, longs))
        self._place = np.empty(len(order), np.uint32)
        self._place[order] = np.arange(len(order), dtype=np.uint32)
        long_starts = _starts(longs[order])
        self._equal = Runs(order, _starts(longs[order], halves[order]))
        self._same_long = Runs(order, long_starts)
        numbers = np.repeat(np.arange(len(long_starts)), np.diff(long_starts, append=len(order)))[
            self._place
        ]
        self._groups = _groups(longs, numbers, halves)
        self._languages = _different(self._groups, np.asarray(self._pivot))

    def joint(self, row: int) -> Joint:
        """Return how the pair with this number relates to the others."""
        place = int(self._place[row])
        equal, same_long = self._equal.around(place), self._same_long.around(place)
        group, pivots = f"{self._groups[row]:016x}", int(self._languages[row])
        if equal[0] != row:
            return Joint(rejected_by=EQUAL, group=group, pivots=pivots)
        sources: tuple[PairSource, ...] = ()
        if len(equal) > 1:
            sources = tuple(self._entry(other).source for other in equal)
        is_first = same_long[0] == row
        references: tuple[Reference, ...] = ()
        if is_first and len(same_long) > len(equal):
            references = self._references(same_long)
        return Joint(
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


def _starts(*columns: NDArray[np.integer]) -> _Positions:
    """Return the places in sorted columns at which one of them has another value than before."""
    is_start = np.zeros(len(columns[0]), bool)
    is_start[:1] = True
    for column in columns:
        is_start[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(is_start)


def _groups(longs: _Numbers, numbers: _Positions, halves: _Numbers) -> _Numbers:
    """Return for each pair the smallest digest of a long sentence in its group.

    `numbers` are those of the long sentences, from 0. The digest goes from a sentence to all pairs that have
    it, in turns, until none changes.
    """
    of_halves = np.unique(halves, return_inverse=True)[1]
    groups = longs
    while True:
        smaller = _smallest(_smallest(groups, of_halves), numbers)
        if np.array_equal(smaller, groups):
            return groups
        groups = smaller


def _smallest(values: _Numbers, keys: _Positions) -> _Numbers:
    """Return for each value the smallest one with the same key."""
    smallest = np.full(int(keys.max(initial=-1)) + 1, np.iinfo(np.uint64).max, np.uint64)
    np.minimum.at(smallest, keys, values)
    return smallest[keys]


def _different(groups: _Numbers, pivots: NDArray[np.uint16]) -> NDArray[np.int64]:
    """Return for each pair the number of different pivots in its group."""
    order = np.lexsort((pivots, groups))
    starts = _starts(groups[order])
    firsts = _starts(groups[order], pivots[order])
    ends = np.append(starts[1:], len(order))
    numbers = np.searchsorted(firsts, ends) - np.searchsorted(firsts, starts)
    different = np.empty(len(order), np.int64)
    different[order] = np.repeat(numbers, ends - starts)
    return different
