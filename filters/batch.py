"""Pairs that are scored together, and what several filters count of them, made once."""

import functools
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from filters.letters import Letters
from filters.words import Counts, Keys, Members, key, keys
from pairs.records import Parse, ParsedPair

_CONTENT = ("NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM")


class Batch(Sequence[ParsedPair]):
    """A sequence of pairs. Its sentences are counted three a pair: `long`, the first half, the second.

    A filter that is given plain pairs makes one for itself; the sieve hands the same one to all.
    """

    def __init__(self, pairs: Sequence[ParsedPair]) -> None:
        self._pairs = pairs

    @classmethod
    def of(cls, pairs: Sequence[ParsedPair]) -> Self:
        """Return the pairs as a batch; one that is a batch already comes back as it is."""
        return pairs if isinstance(pairs, cls) else cls(pairs)

    def __len__(self) -> int:
        return len(self._pairs)

    @overload
    def __getitem__(self, place: int) -> ParsedPair: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[ParsedPair]: ...

    def __getitem__(self, place: int | slice) -> ParsedPair | Sequence[ParsedPair]:
        return self._pairs[place]

    def __iter__(self) -> Iterator[ParsedPair]:
        return iter(self._pairs)

    @functools.cached_property
    def sentences(self) -> list[Parse]:
        """The parses of all sentences."""
        return [side for pair in self._pairs for side in (pair.long, *pair.split)]

    @functools.cached_property
    def texts(self) -> list[str]:
        """The texts of all sentences."""
        return [text for one in self._pairs for text in (one.pair.long, *one.pair.split)]

    @functools.cached_property
    def letters(self) -> Letters:
        """The letters of all texts."""
        return Letters(self.texts)

    @functools.cached_property
    def sizes(self) -> Counts:
        """How many tokens each sentence has: an array (pairs, 3)."""
        return np.array([len(side.tokens) for side in self.sentences], np.int64).reshape(len(self), 3)

    @functools.cached_property
    def sentence(self) -> Counts:
        """The number of each token's sentence."""
        return np.repeat(np.arange(3 * len(self)), self.sizes.ravel())

    @functools.cached_property
    def roots(self) -> Counts:
        """How many tokens of each `long` are their own head."""
        sizes = self.sizes[:, 0]
        ends = np.cumsum(sizes)
        places = np.arange(sizes.sum()) - np.repeat(ends - sizes, sizes)
        found = np.flatnonzero(_joined([pair.long.heads for pair in self._pairs]) == places)
        return np.bincount(np.searchsorted(ends, found, "right"), minlength=len(self))

    @functools.cached_property
    def tokens(self) -> Keys:
        """The key of each token as it stands."""
        return keys([side.tokens for side in self.sentences])

    @functools.cached_property
    def lemmas(self) -> Keys:
        """The key of each token's lemma, lower-cased."""
        return keys([side.lemmas for side in self.sentences], fold=True)

    @functools.cached_property
    def pos(self) -> Keys:
        """The key of each token's part of speech."""
        return keys([side.pos for side in self.sentences])

    @functools.cached_property
    def members(self) -> Members:
        """Which sentences have which lemmas."""
        return Members(self.lemmas, self.sentence, len(self))

    @functools.cached_property
    def shared_lemmas(self) -> Counts:
        """How many lemmas stand in exactly which sentences (`Members.counts`), punctuation included."""
        return self.members.counts()

    @functools.cached_property
    def shared_content(self) -> Counts:
        """How many lemmas of nouns, names, verbs, adjectives, adverbs and numbers stand in exactly which sentences."""
        return self.members.counts(self.is_content)

    @functools.cached_property
    def standing(self) -> NDArray[np.uint8]:
        """In which sentences of its pair each token's lemma stands, as bits."""
        return self.members.standing()

    @functools.cached_property
    def is_content(self) -> NDArray[np.bool_]:
        """Which tokens are nouns, names, verbs, adjectives, adverbs or numbers."""
        return self.is_tagged(*_CONTENT)

    @functools.cached_property
    def content(self) -> Counts:
        """The places of these tokens."""
        return np.flatnonzero(self.is_content)

    def is_tagged(self, *wanted: str) -> NDArray[np.bool_]:
        """Tell which tokens have one of these parts of speech."""
        found = np.zeros(self.pos.size, bool)
        for pos in wanted:
            found |= self.pos == key(pos)
        return found

    def tagged(self, *wanted: str) -> Counts:
        """Return the places of the tokens that have one of these parts of speech."""
        return np.flatnonzero(self.is_tagged(*wanted))

    def only(self, suspects: Counts, rule: Callable[[ParsedPair], float]) -> list[float]:
        """Return 0 for all pairs but the suspects, by their places, and for these what the rule says."""
        scores = [0.0] * len(self)
        for n in suspects.tolist():
            scores[n] = float(rule(self[n]))
        return scores


def _joined(columns: Sequence[Sequence[int]]) -> Counts:
    """Return the numbers of all columns, one after the other; fastest where none is above 255."""
    try:
        return np.frombuffer(b"".join(map(bytes, columns)), np.uint8).astype(np.int64)
    except ValueError:
        return np.fromiter(chain.from_iterable(columns), np.int64)


def as_scores(numbers: NDArray[Any]) -> list[float]:
    """Return the numbers of an array as a filter does."""
    scores: list[float] = numbers.astype(np.float64).tolist()
    return scores
