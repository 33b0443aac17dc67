"""Markers of a relation between an English sentence and the one before, found by lists of phrases, without a parser."""

import functools
import re
from collections.abc import Sequence
from pathlib import Path

from discourse.connectives import phrases
from pairs.data import read_toml

_TABLE = read_toml(Path(__file__).with_suffix(".toml"))
_TOKEN = re.compile(r"\w+(?:'\w+)?|[^\w\s]")
_OPENING = "\"“”„«»‘'(-–—… "
"""What may be before the first word of a sentence."""

Phrase = tuple[str, ...]


def tokens(text: str) -> list[str]:
    """Return the lower-cased words and punctuation of a sentence, without quotes and dashes before the first word."""
    return _TOKEN.findall(text.replace("’", "'").lower().lstrip(_OPENING))


@functools.cache
def _phrases(*kinds: str) -> tuple[Phrase, ...]:
    """Return the phrases of some kinds, with DiscoFuse's if `backward` is among them, the longest first."""
    backward = phrases("en", "backward") if "backward" in kinds else ()
    listed = [tuple(text.split()) for kind in kinds if kind != "backward" for text in _TABLE[kind]]
    return tuple(sorted({*backward, *listed}, key=lambda phrase: (-len(phrase), phrase)))


def _at(words: Sequence[str], i: int, candidates: Sequence[Phrase]) -> str | None:
    """Return the first of the phrases that begins at word `i`, without its comma."""
    phrase = next((phrase for phrase in candidates if tuple(words[i : i + len(phrase)]) == phrase), None)
    return None if phrase is None else " ".join(phrase).removesuffix(" ,")


def connective(text: str) -> str | None:
    """Return the connective at the start of a sentence, in lower case; None without one.

    >>> connective("However, prices rose again.")
    'however'
    """
    return _at(tokens(text), 0, _phrases("backward", "initial"))


def is_marked(text: str) -> bool:
    """Return True if a connective or linking adverb relates a sentence to the one before.

    The lists are wider than those of `connective`: a relation marked in the original is not implicit. Adverbs count
    anywhere in the sentence, conjunctions at its start.
    """
    words = tokens(text)
    if _at(words, 0, _phrases("backward", "initial", "initial_original")) is not None:
        return True
    return any(_at(words, i, _phrases("anywhere")) is not None for i in range(len(words)))


def has_alternative(text: str) -> bool:
    """Return True if a sentence starts with a phrase such as `for this reason` (an AltLex of PDTB)."""
    return _at(tokens(text), 0, _phrases("alternative")) is not None
