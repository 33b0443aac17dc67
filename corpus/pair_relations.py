"""Find equal pairs in several builds, and groups of pairs that have a sentence in common.

Two pairs are equal if their long sentences and both halves of their splits are the same, letter by letter. Pairs with
the same long sentence, or with the same split, are in one group. Groups are transitive: if A shares a sentence with B
and B with C, all three are in one group.
"""

from array import array
from collections.abc import Iterator
from typing import IO, NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray

from bitext_pivot.core.records import Pair, PairRelation, PairSource, Reference
from bitext_pivot.core.sampling import rank

VERSION = 1
"""Version of the rules. It is part of the digest in the folder names of shards with relations between pairs. Raise it
when a change gives a pair other relations."""
EQUAL = "equal pair"
"""Reason to reject a pair that equals an earlier pair."""
_Digests = NDArray[np.uint64]


class _StoredPair(NamedTuple):
    """The source and the split of a pair, read back from the temporary file of `PairRelations`."""

    source: PairSource
    split: tuple[str, str]


class EqualValues:
    """Groups the rows of an array that have equal values."""

    def __init__(self, values: NDArray[np.integer]) -> None:
        _, numbers, counts = np.unique(values, return_inverse=True, return_counts=True)
        self.group_numbers = numbers.astype(np.uint32)
        """Number of the group of each row."""
        self._rows = np.argsort(self.group_numbers, kind="stable").astype(np.uint32)
        self._borders = np.append(0, np.cumsum(counts))

    def rows_equal_to(self, row: int) -> list[int]:
        """Return the numbers of all rows with the same value as `row`, which is included, in order."""
        number = self.group_numbers[row]
        found: list[int] = self._rows[self._borders[number] : self._borders[number + 1]].tolist()
        return found

    def smallest_in_group(self, values: _Digests) -> _Digests:
        """Return for each row the smallest of the `values` in its group."""
        smallest: _Digests = np.minimum.reduceat(values[self._rows], self._borders[:-1])[
            self.group_numbers
        ]
        return smallest


class PairRelations:
    """Collects the kept pairs of all builds, and finds out how each pair relates to the others.

    Call `add` for all pairs, then `relate` once. A pair needs about 120 bytes of memory, and about 300 bytes in `file`,
    which stores ids and splits.
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

    def relate(self) -> Iterator[PairRelation]:
        """Yield the relation of each pair to the others, in the order in which the pairs were added."""
        longs, size = np.asarray(self._long), len(self._long)
        self._same_long, same_halves = EqualValues(longs), EqualValues(np.asarray(self._halves))
        self._equal = EqualValues(
            self._same_long.group_numbers * np.uint64(size) + same_halves.group_numbers
        )
        self._groups = _find_groups(longs, self._same_long, same_halves)
        numbers = np.unique(self._groups, return_inverse=True)[1]
        pivots = np.unique(numbers * len(self._pivots) + np.asarray(self._pivot))
        self._languages = np.bincount(pivots // len(self._pivots))[numbers]
        for row in range(size):
            yield self._relation(row)

    def _relation(self, row: int) -> PairRelation:
        """Return the relation of one pair to the others. `row` is its number in the order of `add`."""
        equal, same_long = self._equal.rows_equal_to(row), self._same_long.rows_equal_to(row)
        group, pivots = f"{self._groups[row]:016x}", int(self._languages[row])
        if equal[0] != row:
            return PairRelation(rejected_by=EQUAL, group=group, pivots=pivots)
        sources: tuple[PairSource, ...] = ()
        if len(equal) > 1:
            sources = tuple(self._read_pair(other).source for other in equal)
        is_first = same_long[0] == row
        references: tuple[Reference, ...] = ()
        if is_first and len(same_long) > len(equal):
            references = self._references(same_long)
        return PairRelation(
            group=group, pivots=pivots, is_first=is_first, sources=sources, references=references
        )

    def _references(self, rows: list[int]) -> tuple[Reference, ...]:
        """Return one reference for each distinct split of the pairs at the indices `rows`.

        The references are in the order in which their splits first occur in `rows`.
        """
        sources: dict[tuple[str, str], list[PairSource]] = {}
        for row in rows:
            pair = self._read_pair(row)
            sources.setdefault(pair.split, []).append(pair.source)
        return tuple(
            Reference(
                split=split,
                ids=tuple(source.id for source in equal),
                pivots=tuple(sorted({source.pivot for source in equal})),
            )
            for split, equal in sources.items()
        )

    def _read_pair(self, row: int) -> _StoredPair:
        self._file.seek(self._positions[row])
        name, corpus, release, licence, pivot, first, second = orjson.loads(self._file.readline())
        source = PairSource(id=name, corpus=corpus, release=release, licence=licence, pivot=pivot)
        return _StoredPair(source, (first, second))


def _find_groups(longs: _Digests, same_long: EqualValues, same_halves: EqualValues) -> _Digests:
    """Assign each pair to a group, which is named by the smallest digest of its long sentences.

    The smallest digest is propagated to all pairs with the same halves, then to all with the same long sentence, until
    nothing changes.
    """
    groups = longs
    while True:
        smaller = same_long.smallest_in_group(same_halves.smallest_in_group(groups))
        if np.array_equal(smaller, groups):
            return groups
        groups = smaller
