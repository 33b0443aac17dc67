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
_BITS = np.array([LONG, FIRST, SECOND, 0], np.uint8)


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


def memberships(words: Keys, sentence: Counts, pairs: int) -> Counts:
    """Return how many different words of each pair stand in exactly which of its sentences: an array (pairs, 8).

    `sentence` tells for each word in which it stands, counted three a pair. Column `LONG | FIRST` counts the words that
    `long` and the first half have and the second has not; column 0 is empty.
    """
    if not words.size:
        return np.zeros((pairs, 8), np.int64)
    word, members = _members(np.sort(_entries(words, sentence, pairs)))
    owners = (word >> _bits(pairs)).astype(np.int64)
    return np.bincount(owners * 8 + members, minlength=8 * pairs).reshape(pairs, 8)


def standing(words: Keys, sentence: Counts, pairs: int) -> NDArray[np.uint8]:
    """Return for each word in which sentences of its pair it stands, as bits."""
    found = np.zeros(words.size, np.uint8)
    if words.size:
        entries = _entries(words, sentence, pairs)
        order = np.argsort(entries)
        word, members = _members(entries[order])
        found[order] = members[np.searchsorted(word, entries[order] >> 2)]
    return found


def _bits(pairs: int) -> int:
    """Return how many bits of an entry tell the word: what the number of a pair and two bits for the side leave."""
    return 62 - pairs.bit_length()


def _entries(words: Keys, sentence: Counts, pairs: int) -> Keys:
    """Return pair, word and side of each word in one number, which sorts by pair and then by word."""
    pair, side = np.divmod(np.arange(3 * pairs, dtype=np.uint64), np.uint64(3))
    where = (pair << np.uint64(_bits(pairs) + 2)) | side
    found: Keys = where[sentence] | (spread(words) >> np.uint64(64 - _bits(pairs)) << np.uint64(2))
    return found


def _members(entries: Keys) -> tuple[Keys, NDArray[np.uint8]]:
    """Return the different words of sorted entries, each with its pair, and in which sentences each stands."""
    word: Keys = entries >> np.uint64(2)
    begins = np.flatnonzero(np.concatenate([[True], word[1:] != word[:-1]]))
    members: NDArray[np.uint8] = np.bitwise_or.reduceat(_BITS[entries & np.uint64(3)], begins)
    return word[begins], members


def within(counts: Counts, *sides: int) -> Counts:
    """Return for each pair how many words stand in all of these sentences, of `memberships`.

    `within(counts, LONG, FIRST | SECOND)` counts those of `long` that stand in either half.
    """
    columns = [n for n in range(8) if all(n & side for side in sides)]
    total: Counts = counts[:, columns].sum(axis=1)
    return total
