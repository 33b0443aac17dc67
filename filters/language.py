"""Text in another language than the pair's: left untranslated, whole or in part.

No filter of the paper. An identifier of languages judges a text as a whole and takes longer than all other filters
together; counting function words (language.toml) takes a microsecond, and also finds a sentence of which an engine
translated the beginning alone.
"""

import functools
import tomllib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
from pydantic import Field

from filters.base import Filter
from filters.batch import Batch
from filters.letters import LETTER
from pairs.columns import Counts
from pairs.records import Parse, ParsedPair

_WITHOUT_SPACES = frozenset({"ja", "ko", "zh"})
_EAST_ASIAN = "\u1100"
"""From here on are the letters of the languages whose words no space parts."""


class Language(Filter):
    """The share of function words of another language, in the sentence that has most of them."""

    preset: ClassVar = "strict"
    thresholds: ClassVar = frozenset({"max_foreign"})

    max_foreign: float = Field(
        default=0.08,
        title="Largest share",
        ge=0,
        le=1,
        description="Share of words that may be function words of one other language. The first of them is not "
        "counted: it belongs to a name.",
    )

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return the largest share of the three sentences, from 0 to 1; 0 for a language without a list."""
        batch = Batch.of(pairs)
        return batch.only(_suspects(batch), _largest_share)

    def accepts(self, score: float) -> bool:
        """Accept up to `max_foreign`."""
        return score <= self.max_foreign


def _largest_share(pair: ParsedPair) -> float:
    return max(foreign_share(side, pair.pair.language) for side in (pair.long, *pair.split))


def _suspects(batch: Batch) -> Counts:
    """Return the pairs with a sentence that has two words of other languages' lists, or an East Asian letter."""
    found = [np.zeros(0, np.int64)]
    for language in {pair.pair.language for pair in batch}:
        hits = batch.sentence[batch.tokens.among(_foreign(language))]
        found.append(np.flatnonzero(np.bincount(hits) > 1))
    if batch.letters.codes.max() >= ord(_EAST_ASIAN):
        far = np.flatnonzero(batch.letters.codes >= ord(_EAST_ASIAN))
        found.append(batch.letters.text_of(far[batch.letters.match(LETTER, far)]))
    return np.unique(np.concatenate(found) // 3)


def foreign_share(parse: Parse, language: str) -> float:
    """Return how many tokens, less one, are function words of the same other language, for each word of a sentence."""
    others = _others(language)
    is_east_asian = language not in _WITHOUT_SPACES and any(map(_is_east_asian, parse.tokens))
    if not is_east_asian and (others.keys().isdisjoint(parse.tokens) or len(others.keys() & set(parse.tokens)) < 2):
        return 0.0
    counts = Counter(other for token in parse.tokens for other in others.get(token.lower(), ()))
    if is_east_asian and others:
        counts["without spaces"] = sum(map(_is_east_asian, parse.tokens))
    most = max(counts.values(), default=0) - 1
    return most / max(1, sum(map(str.isalpha, parse.tokens))) if most > 0 else 0.0


def _is_east_asian(token: str) -> bool:
    return token[:1] >= _EAST_ASIAN and token[0].isalpha()  # quotation marks and dashes lie there too


@functools.cache
def _words() -> dict[str, frozenset[str]]:
    listed = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {language: frozenset(words) for language, words in listed.items()}


@functools.cache
def _foreign(language: str) -> frozenset[str]:
    """Return the words of `_others`."""
    return frozenset(_others(language))


@functools.cache
def _others(language: str) -> dict[str, tuple[str, ...]]:
    """Return the languages of each word that is no word of this one; nothing for a language without a list."""
    own = _words().get(language)
    if own is None:
        return {}
    words = frozenset().union(*_words().values()) - own
    return {word: tuple(name for name, listed in _words().items() if word in listed) for word in words}
