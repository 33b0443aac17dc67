"""Halves cut where `long` goes on, or a `long` pasted where they end: the words at the joint stand side by side in it.

Not a filter of the paper. A split changes the joint: a comma or a conjunction is dropped, a subject is added.
If the last word of the first half and the first word of the second, in the same case, are neighbours in `long`, the
halves were cut behind an abbreviation or inside a name (`Dr. | Weiss`), or `long` is two sentences without punctuation
between them (`He left The dog stayed`). Halves were also cut if the first ends in an abbreviation that never ends a
sentence (data of languages, section `joint`), whatever `long` has there, in the day of a date whose month follows (`on
29. | November`), or opens a bracket that the second closes.
"""

import functools
import itertools

from pydantic import Field

from bitext_pivot.core.languages import section
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View

_ENDING = " .?!;:…"
_DAY = 2  # digits


class Joint(RuleFilter):
    """1 if the halves were cut inside a phrase of `long`, or `long` was pasted from them; otherwise 0."""

    max_cuts: int = Field(default=0, title="Maximum cuts", ge=0, le=1)
    """0 rejects such pairs, 1 accepts them."""

    def measure(self, pair: View) -> float:
        """Return 1 or 0."""
        long, first, second = pair.texts
        ending, beginning = first.rstrip(_ENDING).rpartition(" ")[2], second.partition(" ")[0]
        is_stopped = first.endswith(".")
        if _open_brackets(first) > 0 > _open_brackets(second):
            return 1
        if is_stopped and _is_abbreviation(ending, beginning, pair.language):
            return 1
        is_word = ending[-1:].isalnum() and beginning[:1].isalnum() and (is_stopped or not beginning[0].islower())
        if not is_word or beginning not in long:
            return 0
        words = long.replace(" .", ".").split()
        return any(
            after == beginning and before.removesuffix(".").lower() == ending.lower()
            for before, after in itertools.pairwise(words)
        )


def _open_brackets(text: str) -> int:
    return text.count("(") - text.count(")") + text.count("[") - text.count("]")


def _is_abbreviation(word: str, following: str, language: str) -> bool:
    """Return True if a word before a full stop needs the word after it: an abbreviation, or a day before its month."""
    if "." not in word and sum(map(str.isupper, word)) > 1:  # an acronym
        return False
    word, words = word.lower(), _abbreviations(language)
    if word.isdigit() and len(word) <= _DAY:
        return following.strip(_ENDING + ",").lower() in words.get("months", ())
    return word in words.get("always", ()) or (following[:1].isdigit() and word in words.get("before_digits", ()))


@functools.cache
def _abbreviations(language: str) -> dict[str, frozenset[str]]:
    """Return the lists of a language by their name."""
    return {kind: frozenset(words.split()) for kind, words in section(language, "joint").items()}
