"""Sets of words that several filters compare: made once a parse, however many filters ask.

A parse is found again by its own tuples, and a word's lower-case form by the word: strings keep their hashes, so both
cost a fraction of making a string and a set anew.
"""

import functools
from itertools import compress

from pairs.records import Parse

KEPT = 4096
"""Sentences remembered: more than a batch of the sieve has, and some megabytes."""
_VOCABULARY = 200_000
_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})


class _LowerCase(dict[str, str]):
    """The lower-case form of each word, made when it is first asked for; forgets all before it grows too large."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _VOCABULARY:
            self.clear()
        self[word] = lowered = word.lower()
        return lowered


_lower = _LowerCase().__getitem__


def lemmas(parse: Parse) -> frozenset[str]:
    """Return the lower-cased lemmas of a sentence, punctuation included."""
    return _lowered(parse.lemmas)


def content(parse: Parse) -> frozenset[str]:
    """Return the lower-cased lemmas of nouns, names, verbs, adjectives, adverbs and numbers."""
    return _content(parse.lemmas, parse.pos)


@functools.lru_cache(KEPT)
def _lowered(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(_lower, words))


@functools.lru_cache(KEPT)
def _content(words: tuple[str, ...], pos: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(_lower, compress(words, map(_CONTENT.__contains__, pos))))
