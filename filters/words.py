"""Words as numbers: which are equal, and which of a pair's three sentences has which, for many pairs at once.

A set of strings takes microseconds to make, and half of the filters ask for three of them a pair. Here all words of a
batch are joined to one string, and numpy reads them back as 64-bit keys: a word of up to eight bytes is its own key, a
longer one is folded into one. Two words of a pair are taken for one less than once in a thousand million pairs.
"""

import functools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Keys = NDArray[np.uint64]
"""One number a word; equal words have equal keys."""
Counts = NDArray[np.int64]
LONG, FIRST, SECOND = 1, 2, 4
"""The sentences of a pair as bits: what is in `LONG | SECOND` stands in these two and not in the first half."""

_BETWEEN = "\0"  # stands in no text that was parsed
_BYTES = 8
_WITHIN = np.array([(1 << 8 * n) - 1 for n in range(_BYTES + 1)], np.uint64)
_ODD = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio
_BITS = np.array([LONG, FIRST, SECOND], np.uint8)


def keys(columns: Sequence[Sequence[str]], *, fold: bool = False) -> Keys:
    """Return the key of each word of each column, one after the other; with `fold`, case does not count."""
    size = sum(map(len, columns))
    text = _BETWEEN.join([_BETWEEN.join(words) for words in columns if words])
    data = (text.lower() if fold else text).encode("utf-8", "surrogatepass")
    ends = np.append(np.flatnonzero(np.frombuffer(data, np.uint8) == 0), len(data))
    if ends.size != max(1, size):
        return keys([[word.replace(_BETWEEN, "\ufffd") for word in words] for words in columns], fold=fold)
    starts = np.concatenate([[0], ends[:-1] + 1])
    return folded(data, starts[:size], (ends - starts)[:size])


@functools.cache
def key(word: str) -> int:
    """Return the key of one word.

    >>> key("a"), key("ba") == ord("b") + 256 * ord("a")
    (97, True)
    """
    return int(keys([[word]])[0])


def folded(data: bytes, starts: Counts, sizes: Counts) -> Keys:
    """Return the keys of words by where their bytes begin and how many they are; eight are folded at a time."""
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

    `sentence` tells for each word in which it stands, counted three a pair, in order.
    """

    def __init__(self, words: Keys, sentence: Counts, pairs: int) -> None:
        self._pairs, self._pair = pairs, sentence // 3
        self._side = _BITS[sentence - 3 * self._pair]
        many = np.bincount(self._pair, minlength=pairs)
        starts = np.cumsum(many) - many
        # Pair, word and place in one number each: sorted, they stand by pairs and within a pair by words.
        place, pair = int(many.max(initial=1)).bit_length(), pairs.bit_length()
        entries = np.repeat(np.arange(pairs) << (64 - pair), many).view(np.uint64)
        entries |= spread(words) >> np.uint64(pair + place) << np.uint64(place)
        entries |= (np.arange(words.size) - np.repeat(starts, many)).view(np.uint64)
        entries.sort()
        self._places = np.repeat(starts, many) + (entries & np.uint64((1 << place) - 1)).astype(np.int64)
        entries >>= np.uint64(place)
        self._is_new = np.append(True, entries[1:] != entries[:-1])[: words.size]

    @functools.cached_property
    def _found(self) -> tuple[Counts, NDArray[np.uint8]]:
        """Where in the sorted places each different word begins, and in which sentences it stands."""
        return self._grouped(self._places, self._is_new)

    def _grouped(self, places: Counts, is_new: NDArray[np.bool_]) -> tuple[Counts, NDArray[np.uint8]]:
        begins = np.flatnonzero(is_new)
        sides = self._side[places]
        return begins, np.bitwise_or.reduceat(sides, begins) if begins.size else sides

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
        found = np.zeros(self._places.size, np.uint8)
        begins, members = self._found
        found[self._places] = np.repeat(members, np.diff(np.append(begins, found.size)))
        return found


def within(counts: Counts, *sides: int) -> Counts:
    """Return for each pair how many words stand in all of these sentences, of `Members.counts`.

    `within(counts, LONG, FIRST | SECOND)` counts those of `long` that stand in either half.
    """
    columns = [n for n in range(8) if all(n & side for side in sides)]
    total: Counts = counts[:, columns].sum(axis=1)
    return total
