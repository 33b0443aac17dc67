"""Reject pairs if only one side ends in final punctuation, or only a half asks a question.

This filter is not in the BiSECT paper. A translation that an engine or a crawler truncated rarely ends in a full stop:

* A first half without final punctuation was truncated if a new sentence begins after it. If the second half begins with
  a small letter, the sentence was cut in the middle, because OPUS segments there, too.
* A `long` without final punctuation was truncated only if the halves say more, because titles and list items
  lack it, too.
* A half that asks a question says something else if `long` has no question mark.
* A half that ends in two punctuation marks (`the hall , .`) was cut where `long` continues.
"""

import re
from typing import ClassVar

from pydantic import Field

from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View

_CLOSED = re.compile(r"[.?!:;…؟。！？]\W*\Z")
"""Final punctuation at the end of a text, possibly followed by quotation marks and brackets."""
_TWO_MARKS = re.compile(r"(?:[,;:] ?|\s[-–—] ?|(?<![.…\s])\s[.!?] )[.][\"'”’»)\s]*\Z")
"""A full stop after another punctuation mark, as in `the hall , .`, but not an ellipsis (`. . .`)."""
_QUESTION_END = re.compile(r"[?؟？]\W*\Z")
"""A question mark at the end of a text."""
_QUESTION_MARKS = frozenset("?؟？")
_TAIL = 12  # characters searched for final punctuation
# Tokens of the halves, without their full stops, per token of `long`. Above this ratio, a `long` without final
# punctuation was truncated.
_MAX_RATIO = 1.25


class FinalPunctuationFilter(RuleFilter):
    """The number of sentences without final punctuation where the other side of the pair has it.

    The score is also 1 if a half of the split asks a question and the long sentence does not, or if a half ends in
    two punctuation marks.
    """

    VERSION: ClassVar[int] = 4
    max_open: int = Field(default=0, title="Maximum open ends", ge=0, le=2)
    """Maximum number of sentences without final punctuation where the other side of the pair has it."""

    def measure(self, pair: View) -> float:
        """Return the number of sentences without final punctuation, or 1 for another mismatch."""
        long, first, second = pair.texts
        if _QUESTION_MARKS.isdisjoint(long) and any(map(_QUESTION_END.search, (first, second))):
            return 1
        if not _TWO_MARKS.search(long) and any(map(_TWO_MARKS.search, (first, second))):
            return 1
        if not _is_closed(long):
            tokens, *halves = pair.lengths
            return _is_closed(second) and sum(halves) - len(halves) > _MAX_RATIO * tokens
        return (not _is_closed(second)) + (not _is_closed(first) and _first_letter_has_case(second))


def _is_closed(text: str) -> bool:
    return bool(_CLOSED.search(text, max(0, len(text) - _TAIL)))


def _first_letter_has_case(text: str) -> bool:
    """Return True if the first letter of a text belongs to a script with upper and lower case.

    A small first letter shows that the text begins inside a sentence; scripts without case cannot show this.
    """
    first = next(filter(str.isalpha, text), "")
    return first.lower() != first.upper()
