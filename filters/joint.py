"""Halves cut where `long` goes on, or a `long` pasted where they end: the words at the joint stand side by side in it.

Not a filter of the paper. A split changes the joint: a comma or a conjunction is dropped, a subject is added.
If the last word of the first half and the first word of the second, in the same case, are neighbours in `long`, the
halves were cut behind an abbreviation or inside a name (`Dr. | Weiss`), or `long` is two sentences without punctuation
between them (`He left The dog stayed`). Halves were also cut, whatever `long` has there, if the first ends in an
abbreviation that never ends a sentence (core/cuts.py, data of languages, section `joint`), in an initial before a name,
in a number whose month or noun follows (`on 29. | November`, `in the 31st. | Minute`), or opens a bracket that the
second closes; or if a half begins with a small letter where `long` begins with a capital, list marks, linking words
(`therefore ,`), names such as `al-Qaeda` and words such as `iPhone` aside. A half is broken where it goes on with a
small letter behind a full stop that `long` lacks (`a decision . had hit them`), or leaves a bracket open. A word that
opens sentences (data of languages, `openers`) and has a capital behind a small word, on one side alone, begins a
sentence inside another one: `the proportion of To maintain trade`.
"""

import itertools
import re
from collections.abc import Set
from typing import ClassVar

import regex  # type: ignore[import-untyped]
from pydantic import Field

from bitext_pivot.core.cuts import is_cut, last_word
from bitext_pivot.core.languages import word_list
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View

_CAPITAL = regex.compile(r"(?<!\S)(\p{Ll}+) (\p{Lu}\p{Ll}+) (?=\p{Ll})")
"""A word with a capital between two words in small letters, and the word before it."""
_LIST_MARK = re.compile(r"(?:\W*(?:\w{1,3} ?[).]|[-–—•*]) *)?")
"""A list mark, such as `( a )`, `12.` and a dash."""
_STOP_INSIDE = re.compile(r"\b([^\W\d_]{5,} ?\.) ([^\W\d_]+)")
"""A full stop between two words, behind one that is too long for most abbreviations."""
_PARTICLES = frozenset("al bin da de del della den der di dos du el la le ten ter van von".split())
"""Words that begin names with a small letter."""


class JointFilter(RuleFilter):
    """1 if the halves were cut inside a phrase of `long`, or `long` was pasted from them; otherwise 0."""

    VERSION: ClassVar[int] = 7
    max_cuts: int = Field(default=0, title="Maximum cuts", ge=0, le=1)
    """0 rejects such pairs, 1 accepts them."""

    def measure(self, pair: View) -> float:
        """Return 1 or 0."""
        long, first, second = pair.texts
        if long[:1].isupper() and any(map(_begins_small, (first, second))):
            return 1
        in_long, in_first, in_second = (_openings(text, pair.language) for text in pair.texts)
        goes_on = any(_goes_on(half, long, pair.language) for half in (first, second))
        if goes_on or in_long != in_first | in_second:
            return 1
        ending, beginning = last_word(first), second.partition(" ")[0]
        of_long, of_first, of_second = map(_open_brackets, pair.texts)
        if of_first > 0 > of_second or max(of_first, of_second) > 0 >= of_long:
            return 1
        if is_cut(first, second, pair.language):
            return 1
        is_word = (
            ending[-1:].isalnum()
            and beginning[:1].isalnum()
            and (first.endswith(".") or not beginning[0].islower())
        )
        if not is_word or beginning not in long:
            return 0
        words = long.replace(" .", ".").split()
        return any(
            after == beginning and before.removesuffix(".").lower() == ending.lower()
            for before, after in itertools.pairwise(words)
        )


def _begins_small(text: str) -> bool:
    """Return True if a text begins with a small letter as no sentence does, behind a list mark or not."""
    words = _LIST_MARK.sub("", text, count=1).split(maxsplit=2)
    if not words or not words[0][0].islower() or not words[0].islower():
        return False
    is_linking = words[0].endswith(",") or words[1:2] == [","]
    is_name = words[0] in _PARTICLES and len(words) > 1 and words[1][0].isupper()
    return not (is_linking or is_name)


def _openings(text: str, language: str) -> Set[str]:
    """Return the words that open sentences and have a capital between two words in small letters."""
    openers = word_list(language, "joint", "openers")
    capitals = _CAPITAL.findall(text, overlapped=True)
    return {word for before, word in capitals if word.lower() in openers and before not in openers}


def _goes_on(half: str, long: str, language: str) -> bool:
    """Return True if a small letter follows a full stop that is not in `long` and ends no abbreviation."""
    return any(
        stop[0][1:].islower() and stop[0] not in long and not is_cut(stop[1], stop[2], language)
        for stop in _STOP_INSIDE.finditer(half)
    )


def _open_brackets(text: str) -> int:
    return text.count("(") - text.count(")") + text.count("[") - text.count("]")
