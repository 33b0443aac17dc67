"""Parsed pairs with their words as numbers: what is asked of words is asked of each different one once.

The words of a text lie scattered in memory, and reaching each of them takes longer than what most filters ask of it.
A shard holds them as columns, and numpy compares their numbers.
"""

import functools
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from pairs.records import ParsedPair

Counts = NDArray[np.int64]


class Words:
    """A column of words: `numbers` has one a token, its word's place in `listed`, where no word stands twice."""

    def __init__(self, listed: Sequence[str], numbers: NDArray[np.integer[Any]]) -> None:
        self.listed, self.numbers = listed, numbers
        self._known: dict[Hashable, NDArray[Any]] = {}

    @classmethod
    def of(cls, words: Iterable[str]) -> Self:
        """Number words.

        >>> Words.of("the cat the dog".split()).numbers.tolist()
        [0, 1, 0, 2]
        """
        places: dict[str, int] = {}
        numbers = np.array([places.setdefault(word, len(places)) for word in words], np.int32)
        return cls(list(places), numbers)

    def between(self, start: int, end: int) -> "Words":
        """Return the words from one token up to another; both know what is found out about the listed words."""
        part = Words(self.listed, self.numbers[start:end])
        part._known = self._known
        return part

    def at(self, places: NDArray[np.integer[Any]]) -> "Words":
        """Return the words at these places; `listed` has no others."""
        listed, numbers = np.unique(self.numbers[places], return_inverse=True)
        return Words([self.listed[number] for number in listed.tolist()], numbers)

    def among(self, wanted: frozenset[str]) -> NDArray[np.bool_]:
        """Tell which tokens are one of these words."""
        if wanted not in self._known:
            self._known[wanted] = np.fromiter(map(wanted.__contains__, self.listed), bool, len(self.listed))
        found: NDArray[np.bool_] = self._known[wanted][self.numbers]
        return found

    def by(self, forms: Callable[[Sequence[str]], Sequence[str]]) -> NDArray[np.int32]:
        """Return one number a token, the same for two words that get the same form; `forms` is asked once, for all."""
        if forms not in self._known:
            found = forms(self.listed)
            places = dict(zip(found, range(len(found)), strict=True))
            self._known[forms] = np.fromiter(map(places.__getitem__, found), np.int32, len(found))
        numbers: NDArray[np.int32] = self._known[forms][self.numbers]
        return numbers


def lowered(words: Sequence[str]) -> list[str]:
    """Return words in lower case; the forms of words that are equal but for case."""
    return [word.lower() for word in words]


@dataclass(frozen=True)
class Columns:
    """What filters count of parsed pairs, token by token: `long`, the first half, the second, then the next pair."""

    sizes: Counts
    """How many tokens each sentence has: an array (pairs, 3)."""
    heads: Counts
    tokens: Words
    lemmas: Words
    pos: Words

    @classmethod
    def of(cls, pairs: Sequence[ParsedPair]) -> Self:
        """Number the words of pairs."""
        sides = [side for pair in pairs for side in (pair.long, *pair.split)]
        return cls(
            sizes=np.array([len(side.tokens) for side in sides], np.int64).reshape(-1, 3),
            heads=np.fromiter(chain.from_iterable(side.heads for side in sides), np.int64),
            tokens=Words.of(chain.from_iterable(side.tokens for side in sides)),
            lemmas=Words.of(chain.from_iterable(side.lemmas for side in sides)),
            pos=Words.of(chain.from_iterable(side.pos for side in sides)),
        )

    @functools.cached_property
    def _ends(self) -> Counts:
        """How many tokens there are before the end of each pair."""
        return np.append(0, np.cumsum(self.sizes.sum(axis=1)))

    def between(self, start: int, end: int) -> "Columns":
        """Return the columns from one pair up to another."""
        first, last = self._ends[start], self._ends[end]
        words = (one.between(first, last) for one in (self.tokens, self.lemmas, self.pos))
        return Columns(self.sizes[start:end], self.heads[first:last], *words)


class ParsedPairs(Sequence[ParsedPair]):
    """Parsed pairs in order, with their columns; a part of them has its part of the columns."""

    def __init__(self, pairs: Sequence[ParsedPair], columns: Columns | None = None) -> None:
        self._pairs = pairs
        self.columns = columns or Columns.of(pairs)

    def __len__(self) -> int:
        return len(self._pairs)

    @overload
    def __getitem__(self, place: int) -> ParsedPair: ...

    @overload
    def __getitem__(self, place: slice) -> "ParsedPairs": ...

    def __getitem__(self, place: int | slice) -> "ParsedPair | ParsedPairs":
        if not isinstance(place, slice):
            return self._pairs[place]
        start, end, step = place.indices(len(self))
        if step != 1:
            return ParsedPairs(self._pairs[place])
        return ParsedPairs(self._pairs[place], self.columns.between(start, max(start, end)))

    def __iter__(self) -> Iterator[ParsedPair]:
        return iter(self._pairs)
