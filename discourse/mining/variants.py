"""The variants of the data set (Discovery, section 2.4): which pairs each has."""

from typing import Any, NamedTuple

import numpy as np

VARIANTS = ("base", "hard", "big", "adv")
Array = np.ndarray[Any, np.dtype[Any]]


class SampledPairs(NamedTuple):
    """The drawn pairs as columns, one entry per pair, 14 bytes in all: texts stay in the shards."""

    names: list[str]
    """All markers."""
    listed: frozenset[str]
    """Those that the list of markers has."""
    marker: Array
    """Index in `names`."""
    order: Array
    """In which the pairs of a marker are taken: a hash of the identifier."""
    rank: Array
    """Of the own marker in the prediction by n-grams, from 1."""

    def is_listed(self) -> Array:
        """Return True for each pair whose marker is one of the list."""
        return np.array([name in self.listed for name in self.names], bool)[self.marker]


def variant_masks(drawn: SampledPairs, *, per_marker: int, top: int) -> dict[str, Array]:
    """Return for each variant a mask of its pairs.

    - hard: pairs whose marker is not among the `top` predicted ones, `per_marker` each of markers with so many.
    - base: as many of the same markers, without regard to the prediction.
    - big: up to twice as many. adv: base without the markers of the list.
    """
    unpredicted = drawn.rank > top
    is_full = np.bincount(drawn.marker[unpredicted], minlength=len(drawn.names)) >= per_marker
    same = is_full[drawn.marker]
    base = _first_per_marker(drawn, same, per_marker)
    return {
        "base": base,
        "hard": _first_per_marker(drawn, same & unpredicted, per_marker),
        "big": _first_per_marker(drawn, same, 2 * per_marker),
        "adv": base & ~drawn.is_listed(),
    }


def _first_per_marker(drawn: SampledPairs, mask: Array, most: int) -> Array:
    """Return a mask of the first pairs of each marker, of those in `mask`."""
    places = np.flatnonzero(mask)
    places = places[np.lexsort((drawn.order[places], drawn.marker[places]))]
    markers = drawn.marker[places]
    position = np.arange(len(places)) - np.searchsorted(markers, markers)
    first = np.zeros(len(mask), bool)
    first[places[position < most]] = True
    return first
