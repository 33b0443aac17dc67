"""The variants of the data set (Discovery, section 2.4): which pairs each has."""

from typing import Any, NamedTuple

import numpy as np

VARIANTS = ("base", "hard", "big", "adv", "shuffled", "10")
TEN = (
    "however", "hence,", "moreover", "additionally", "nevertheless", "furthermore", "alternatively", "again,", "next,",
    "therefore",
)  # fmt: skip
"""The markers of the variant 10, as Discovery released it."""

Array = np.ndarray[Any, np.dtype[Any]]


class Drawn(NamedTuple):
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

    def is_any_of(self, names: frozenset[str]) -> Array:
        """Return True for each pair whose marker is one of `names`."""
        return np.array([name in names for name in self.names], bool)[self.marker]


def members(drawn: Drawn, *, per_marker: int, top: int) -> dict[str, Array]:
    """Return for each variant a mask of its pairs.

    - hard: pairs whose marker is not among the `top` predicted ones, `per_marker` each of markers with so many.
    - base: as many of the same markers, without regard to the prediction. shuffled: the same pairs.
    - big: up to twice as many. adv: base without the markers of the list.
    - 10: ten markers, together up to as many pairs as base has.
    """
    unpredicted = drawn.rank > top
    is_full = np.bincount(drawn.marker[unpredicted], minlength=len(drawn.names)) >= per_marker
    same = is_full[drawn.marker]
    base = _first(drawn, same, per_marker)
    return {
        "base": base,
        "hard": _first(drawn, same & unpredicted, per_marker),
        "big": _first(drawn, same, 2 * per_marker),
        "adv": base & ~drawn.is_any_of(drawn.listed),
        "shuffled": base,
        "10": _first(
            drawn, drawn.is_any_of(frozenset(TEN)), max(per_marker, int(base.sum()) // len(TEN))
        ),
    }


def _first(drawn: Drawn, mask: Array, most: int) -> Array:
    """Return a mask of the first pairs of each marker, of those in `mask`."""
    places = np.flatnonzero(mask)
    places = places[np.lexsort((drawn.order[places], drawn.marker[places]))]
    markers = drawn.marker[places]
    position = np.arange(len(places)) - np.searchsorted(markers, markers)
    first = np.zeros(len(mask), bool)
    first[places[position < most]] = True
    return first


def lenders(drawn: Drawn, mask: Array, sets: Array) -> Array:
    """Return for each pair the index of the one that lends its second sentence: same marker, same set, another pair.

    A pair that is not in `mask`, or alone with its marker in its set, keeps its own. `sets` has a number per pair.
    """
    places = np.flatnonzero(mask)
    places = places[np.lexsort((drawn.order[places], sets[places], drawn.marker[places]))]
    groups = drawn.marker[places].astype(np.int64) * (int(sets.max(initial=0)) + 1) + sets[places]
    following = np.arange(1, len(places) + 1)
    is_last = following == np.searchsorted(groups, groups, side="right")
    following[is_last] = np.searchsorted(groups, groups)[is_last]
    lender = np.arange(len(mask))
    lender[places] = places[following]
    return lender
