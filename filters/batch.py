"""Pairs that are scored together, and what several filters count of them, made once."""

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from filters.letters import Letters
from filters.words import Members
from pairs.columns import Columns, Counts, ParsedPairs, Words, lowered
from pairs.records import ParsedPair

_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})


class Batch(Sequence[ParsedPair]):
    """A sequence of pairs. Its sentences are counted three a pair: `long`, the first half, the second.

    A filter that is given plain pairs makes one for itself; the sieve hands the same one to all.
    """

    def __init__(self, pairs: Sequence[ParsedPair]) -> None:
        self._pairs = pairs
        self._columns = pairs.columns if isinstance(pairs, ParsedPairs) else Columns.of(pairs)

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
    def texts(self) -> list[str]:
        """The texts of all sentences."""
        return [text for one in self._pairs for text in (one.pair.long, *one.pair.split)]

    @functools.cached_property
    def letters(self) -> Letters:
        """The letters of all texts."""
        return Letters(self.texts)

    @property
    def sizes(self) -> Counts:
        """How many tokens each sentence has: an array (pairs, 3)."""
        return self._columns.sizes

    @functools.cached_property
    def sentence(self) -> Counts:
        """The number of each token's sentence."""
        return np.repeat(np.arange(3 * len(self)), self.sizes.ravel())

    @functools.cached_property
    def roots(self) -> Counts:
        """How many tokens of each `long` are their own head."""
        starts = np.cumsum(self.sizes.ravel()) - self.sizes.ravel()
        roots = np.flatnonzero(self._columns.heads + starts[self.sentence] == np.arange(self.sentence.size))
        return np.bincount(self.sentence[roots], minlength=3 * len(self))[::3]

    @property
    def tokens(self) -> Words:
        """The tokens as they stand."""
        return self._columns.tokens

    @functools.cached_property
    def members(self) -> Members:
        """Which sentences have which lemmas, lower-cased."""
        return Members(self._columns.lemmas.by(lowered), self.sentence, len(self))

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
        return self.is_tagged(_CONTENT)

    @functools.cached_property
    def content(self) -> Counts:
        """The places of these tokens."""
        return np.flatnonzero(self.is_content)

    def is_tagged(self, wanted: frozenset[str]) -> NDArray[np.bool_]:
        """Tell which tokens have one of these parts of speech."""
        return self._columns.pos.among(wanted)

    def only(self, suspects: Counts, rule: Callable[[ParsedPair], float]) -> list[float]:
        """Return 0 for all pairs but the suspects, by their places, and for these what the rule says."""
        scores = [0.0] * len(self)
        for n in suspects.tolist():
            scores[n] = float(rule(self[n]))
        return scores


def as_scores(numbers: NDArray[Any]) -> list[float]:
    """Return the numbers of an array as a filter does."""
    scores: list[float] = numbers.astype(np.float64).tolist()
    return scores
