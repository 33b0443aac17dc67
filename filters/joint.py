"""Reject splits inside a phrase, and long sentences pasted together from two sentences.

This filter is not in the BiSECT paper. The joint is where the halves meet. A good split changes it: a comma or a
conjunction is dropped, or a subject is added. The filter rejects a pair in any of these cases:

* The last word of the first half and the first word of the second half are neighbours in `long`, in the same case. The
  halves were cut after an abbreviation or inside a name (`Dr. | Weiss`), or `long` is two sentences without punctuation
  between them (`He left The dog stayed`).
* The first half ends in an abbreviation that never ends a sentence (section `joint` of the language's
  data file), in an initial before a name, or in a number whose month or noun follows (`on 29. | November`, `in the
  31st. | Minute`).
* The first half opens a bracket that the second half closes, or a half leaves a bracket open that `long` closes.
* A half begins with a small letter, but `long` begins with a capital. List marks, linking words (`therefore ,`), names
  such as `al-Qaeda` and words such as `iPhone` are exceptions.
* A half continues with a small letter after a full stop that `long` does not have (`a decision . had hit them`).
* Only one side has a capitalised sentence opener (`openers` in the language's data file) between words in small
  letters, so that a sentence begins inside another sentence: `the proportion of To maintain trade`.
"""

import itertools
import re
from collections.abc import Set
from typing import ClassVar

import regex  # type: ignore[import-untyped]
from pydantic import Field

from bitext_pivot.core.false_boundaries import is_false_boundary, last_word
from bitext_pivot.core.languages import word_list
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View

_CAPITAL = regex.compile(r"(?<!\S)(\p{Ll}+) (\p{Lu}\p{Ll}+) (?=\p{Ll})")
"""A capitalised word between two words in small letters. Group 1 is the word before it, group 2 the word itself."""
_LIST_MARK = re.compile(r"(?:\W*(?:\w{1,3} ?[).]|[-–—•*]) *)?")
"""A list mark at the beginning of an item, such as `( a )`, `12.` or a dash."""
_STOP_INSIDE = re.compile(r"\b([^\W\d_]{5,} ?\.) ([^\W\d_]+)")
"""A full stop between two words, the first of which has too many letters for most abbreviations."""
_PARTICLES = frozenset("al bin da de del della den der di dos du el la le ten ter van von".split())
"""Words in small letters with which names may begin, as in `von Trier`."""


class JointFilter(RuleFilter):
    """1 if the long sentence was split inside a phrase or pasted from two sentences, or else 0."""

    VERSION: ClassVar[int] = 7
    max_cuts: int = Field(default=0, title="Maximum cuts", ge=0, le=1)
    """0 rejects pairs that were split inside a phrase or pasted from two sentences; 1 accepts them."""

    def measure(self, pair: View) -> float:
        """Return 1 if the pair was split inside a phrase or pasted together, otherwise 0."""
        long, first, second = pair.texts
        if long[:1].isupper() and any(map(_begins_with_small_letter, (first, second))):
            return 1
        in_long, in_first, in_second = (
            _find_inner_openers(text, pair.language) for text in pair.texts
        )
        has_inner_stop = any(
            _continues_after_stop(half, long, pair.language) for half in (first, second)
        )
        if has_inner_stop or in_long != in_first | in_second:
            return 1
        ending, beginning = last_word(first), second.partition(" ")[0]
        of_long, of_first, of_second = map(_count_open_brackets, pair.texts)
        if of_first > 0 > of_second or max(of_first, of_second) > 0 >= of_long:
            return 1
        if is_false_boundary(first, second, pair.language):
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


def _begins_with_small_letter(text: str) -> bool:
    """Return True if a text begins with a small letter, as if its beginning were missing.

    List marks are skipped. Linking words (`therefore ,`), names (`al-Qaeda`) and words such as `iPhone` do not count.
    """
    words = _LIST_MARK.sub("", text, count=1).split(maxsplit=2)
    if not words or not words[0][0].islower() or not words[0].islower():
        return False
    is_linking = words[0].endswith(",") or words[1:2] == [","]
    is_name = words[0] in _PARTICLES and len(words) > 1 and words[1][0].isupper()
    return not (is_linking or is_name)


def _find_inner_openers(text: str, language: str) -> Set[str]:
    """Return the capitalised sentence openers between two words in small letters, as in `of To`."""
    openers = word_list(language, "joint", "openers")
    capitals = _CAPITAL.findall(text, overlapped=True)
    return {word for before, word in capitals if word.lower() in openers and before not in openers}


def _continues_after_stop(half: str, long: str, language: str) -> bool:
    """Return True if only a half of the split has a small letter after a full stop, not `long`.

    The full stop of an abbreviation does not count.
    """
    return any(
        stop[0][1:].islower()
        and stop[0] not in long
        and not is_false_boundary(stop[1], stop[2], language)
        for stop in _STOP_INSIDE.finditer(half)
    )


def _count_open_brackets(text: str) -> int:
    return text.count("(") - text.count(")") + text.count("[") - text.count("]")
