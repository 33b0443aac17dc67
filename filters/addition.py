"""Each half must add something: a content word of `long` that the other half lacks.

No filter of the paper. It catches what overlap cannot: one half that is the whole source, beside one that says nothing
of it.
"""

from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from filters.base import Filter
from pairs.records import Parse, ParsedPair

_CONTENT = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM"})


class Addition(Filter):
    """Counts the content words of `long` that only one half has, for the half that has fewest of them."""

    preset: ClassVar = "strict"
    thresholds: ClassVar = frozenset({"min_words"})

    min_words: int = Field(
        default=1, title="Fewest words", ge=0, le=100, description="Content words of `long` that each half must add."
    )

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return the smaller number of words that a half adds."""
        return [float(additions(*(content(side) for side in (pair.long, *pair.split)))) for pair in pairs]

    def accepts(self, score: float) -> bool:
        """Accept from `min_words` on."""
        return score >= self.min_words


def content(parse: Parse) -> frozenset[str]:
    """Return the set of lower-cased lemmas of nouns, names, verbs, adjectives, adverbs and numbers."""
    return frozenset(lemma.lower() for lemma, pos in zip(parse.lemmas, parse.pos, strict=True) if pos in _CONTENT)


def additions(long: frozenset[str], first: frozenset[str], second: frozenset[str]) -> int:
    """Return how many words of `long` the poorer half has that the other half lacks.

    >>> additions(frozenset("abc"), frozenset("abc"), frozenset("ax"))
    0
    """
    return min(len(long & first - second), len(long & second - first))
