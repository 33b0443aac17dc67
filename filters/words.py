"""Words as numbers: which of a pair's three sentences has which, for many pairs at once.

A set of strings takes microseconds to make, and half of the filters ask for three of them a pair. Numbers that say
which words are equal (pairs/columns.py) are sorted instead, those of all pairs together.
"""

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pairs.columns import Counts

Keys = NDArray[np.uint64]
"""One number a run of bytes; equal runs have equal keys."""
LONG, FIRST, SECOND = 1, 2, 4
"""The sentences of a pair as bits: what is in `LONG | SECOND` stands in these two and not in the first half."""

_BYTES = 8
_WITHIN = np.array([(1 << 8 * n) - 1 for n in range(_BYTES + 1)], np.uint64)
_ODD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio
_SIGNED = 64
_BITS = np.array([LONG, FIRST, SECOND], np.uint8)


def folded(data: bytes, starts: Counts, sizes: Counts) -> Keys:
    """Return the keys of runs of bytes by where they begin and how many they are.

    A run of up to eight bytes is its own key. Longer ones are folded: of 2^64 that differ two would have the same.
    """
    at = np.ndarray((len(data) + 1,), "<u8", data + bytes(_BYTES), strides=(1,))  # the eight bytes from each offset on
    found = at[starts] & _WITHIN[np.minimum(sizes, _BYTES)]
    longer, done = np.flatnonzero(sizes > _BYTES), _BYTES
    while longer.size:
        more = at[starts[longer] + done] & _WITHIN[np.minimum(sizes[longer] - done, _BYTES)]
        found[longer] = spread(found[longer]) ^ more
        done += _BYTES
        longer = longer[sizes[longer] > done]
    return found


def spread(words: Keys) -> Keys:
    """Return numbers that differ in many bits, high ones above all, wherever the keys differ in few."""
    spread_out: Keys = (words ^ (words >> np.uint64(29))) * _ODD
    return spread_out


class Members:
    """Which of the three sentences of a pair have which of its words.

    `words` has a number a token, the same for equal words; `sentence` tells in which each stands, counted three a pair,
    in order.
    """

    def __init__(self, words: NDArray[np.integer[Any]], sentence: Counts, pairs: int) -> None:
        self._pairs, self._pair = pairs, sentence // 3
        self._side = _BITS[sentence - 3 * self._pair]
        self._places, self._is_new = _sorted(words.astype(np.int64), self._pair)

    @functools.cached_property
    def _found(self) -> tuple[Counts, NDArray[np.uint8]]:
        return self._grouped(self._places, self._is_new)

    def _grouped(self, places: Counts, is_new: NDArray[np.bool_]) -> tuple[Counts, NDArray[np.uint8]]:
        """Return where in the places each different word begins, and in which sentences it stands."""
        begins = np.flatnonzero(is_new)
        ends = np.append(begins[1:], places.size)[: begins.size]
        sides = self._side[places]
        before = np.append(0, np.cumsum(sides == FIRST))
        in_first = (before[ends] > before[begins]).astype(np.uint8) * np.uint8(FIRST)
        return begins, sides[begins] & LONG | in_first | sides[ends - 1] & SECOND  # `long` comes first, the second last

    def counts(self, counted: NDArray[np.bool_] | None = None) -> Counts:
        """Return how many different words of each pair stand in exactly which of its sentences: an array (pairs, 8).

        Column `LONG | FIRST` counts the words that `long` and the first half have and the second has not; column 0 is
        empty. With `counted`, one truth value a word, the others are as if they were not there.
        """
        places, is_new = self._places, self._is_new
        if counted is not None:
            chosen = counted[places]
            places, group = places[chosen], np.cumsum(is_new)[chosen]
            is_new = np.append(True, group[1:] != group[:-1])[: places.size]
        begins, members = self._found if counted is None else self._grouped(places, is_new)
        owners = self._pair[places[begins]] * 8 + members
        return np.bincount(owners, minlength=8 * self._pairs).reshape(self._pairs, 8)

    def standing(self) -> NDArray[np.uint8]:
        """Return for each word in which sentences of its pair it stands, as bits."""
        found = np.empty(self._places.size, np.uint8)
        found[self._places] = self._found[1][np.cumsum(self._is_new) - 1]
        return found


def _sorted(words: Counts, pair: Counts) -> tuple[Counts, NDArray[np.bool_]]:
    """Return all places by pairs, within a pair by words, and then in order; and at which another word begins."""
    bits = [int(most).bit_length() for most in (pair.max(initial=0), words.max(initial=0), words.size)]
    if sum(bits) < _SIGNED:  # all three in one number: many times as fast
        entries = pair << bits[1] + bits[2] | words << bits[2] | np.arange(words.size)
        entries.sort()
        places = entries & (1 << bits[2]) - 1
        entries >>= bits[2]
        return places, np.append(True, entries[1:] != entries[:-1])[: words.size]
    places = np.lexsort([words, pair])
    words, pair = words[places], pair[places]
    return places, np.append(True, (words[1:] != words[:-1]) | (pair[1:] != pair[:-1]))[: words.size]


def within(counts: Counts, *sides: int) -> Counts:
    """Return for each pair how many words stand in all of these sentences, of `Members.counts`.

    `within(counts, LONG, FIRST | SECOND)` counts those of `long` that stand in either half.
    """
    columns = [n for n in range(8) if all(n & side for side in sides)]
    total: Counts = counts[:, columns].sum(axis=1)
    return total
