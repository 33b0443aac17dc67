"""Which markers are used, and of each a seeded sample of its pairs (Discovery, section 2.2)."""

from collections import Counter
from collections.abc import Iterable

import numpy as np
from pydantic import Field

from discourse.mining.candidates import rank
from discourse.mining.predictability import Control
from pairs.settings import Settings


class Selection(Settings):
    """How often a marker must occur, and how many of its pairs are used."""

    min_count: int = Field(
        default=10_000, ge=1, title="Fewest pairs of a marker", description="Rarer markers are left out."
    )
    max_count: int = Field(
        default=200_000,
        ge=1,
        title="Most pairs of a marker",
        description="Of a more frequent marker so many are drawn.",
    )
    per_marker: int = Field(
        default=10_000,
        ge=1,
        title="Pairs per marker",
        description="Pairs of each marker in the variants Base and Hard.",
    )
    seed: int = Field(default=0, title="Seed", description="Another number draws other pairs.")
    control: Control = Field(
        default=Control(), title="Control", description="How well n-grams predict each marker (variant Hard)."
    )


def bounds(rows: Iterable[tuple[str, str]], settings: Selection) -> tuple[Counter[str], dict[str, int]]:
    """Return how often each marker occurs, and for each that is frequent the highest rank that is drawn.

    `rows` are the marker and the identifier of each candidate. A row is drawn if its `rank` is at most the bound of its
    marker, so at most `max_count` are, whatever the order of the rows. Memory: 16 bytes per drawn row.
    """
    smallest: dict[str, _Smallest] = {}
    for marker, id in rows:
        if marker not in smallest:
            smallest[marker] = _Smallest(settings.max_count)
        smallest[marker].add(rank(id, settings.seed))
    counts = Counter({marker: kept.count for marker, kept in smallest.items()})
    return counts, {m: smallest[m].largest() for m in sorted(counts) if counts[m] >= settings.min_count}


class _Smallest:
    """The `most` smallest of many 64-bit numbers; up to twice as many are held."""

    def __init__(self, most: int) -> None:
        self.count = 0
        self._most = most
        self._kept = np.empty(0, np.uint64)
        self._new: list[int] = []

    def add(self, number: int) -> None:
        self.count += 1
        self._new.append(number)
        if len(self._new) >= max(1000, self._most // 10):
            self._settle()

    def largest(self) -> int:
        """Return the largest of the smallest."""
        self._settle()
        return int(self._kept.max())

    def _settle(self) -> None:
        both = np.concatenate([self._kept, np.array(self._new, np.uint64)])
        self._kept = np.partition(both, self._most - 1)[: self._most] if len(both) > self._most else both
        self._new = []
