"""Assign the sampled pairs to the variants of the data set (Discovery, section 2.4)."""

from typing import Any, NamedTuple

import numpy as np

VARIANTS = ("base", "hard", "big", "adv")
Array = np.ndarray[Any, np.dtype[Any]]


class SampledPairs(NamedTuple):
    """The sampled pairs as columns, with 14 bytes per pair; the texts are only in the shards."""

    names: list[str]
    """The discourse markers of the pairs, sorted."""
    listed: frozenset[str]
    """Markers that were recognised by the list of markers, and not as an adverb or a phrase."""
    marker: Array
    """Index of each pair's marker in `names`."""
    order: Array
    """Hash of each pair's id, by which the pairs of a marker are ordered."""
    rank: Array
    """Rank of each pair's marker in the prediction from n-grams; rank 1 is the most likely marker."""

    def is_listed(self) -> Array:
        """Return, for each pair, whether its marker was recognised by the list of markers."""
        return np.array([name in self.listed for name in self.names], bool)[self.marker]


def variant_masks(drawn: SampledPairs, *, per_marker: int, top: int) -> dict[str, Array]:
    """Return a mask of the pairs that each variant of the data set contains, by variant.

    - hard: pairs whose marker is not among the `top` most likely markers. Each marker has `per_marker` such pairs;
    markers with fewer are not used. - base: the same number of pairs of the same markers, chosen without regard to the
    prediction. - big: up to twice that number. - adv: base without the markers in `drawn.listed`.
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
    """Return a mask of the first `most` pairs of each discourse marker among those in `mask`."""
    places = np.flatnonzero(mask)
    places = places[np.lexsort((drawn.order[places], drawn.marker[places]))]
    markers = drawn.marker[places]
    position = np.arange(len(places)) - np.searchsorted(markers, markers)
    first = np.zeros(len(mask), bool)
    first[places[position < most]] = True
    return first
