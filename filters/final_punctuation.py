"""Final punctuation that only the other side has, and halves that ask where `long` does not.

Not a filter of the paper. A translation truncated by an engine or a crawler rarely ends in a full stop. A first half
without one is truncated if a new sentence begins after it, and cut inside a sentence if the second half begins with a
small letter: OPUS also segments there. A `long` without one is truncated only if the halves say more: titles and list
items have none either. A half that asks where `long` has no question mark says something else. A half with two marks at
its end (`the hall , .`) was cut where `long` goes on.
"""

import re
from typing import ClassVar

from pydantic import Field

from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View

_CLOSED = re.compile(r"[.?!:;…؟。！？]\W*\Z")
"""Final punctuation, with quotation marks and brackets after it."""
_TWO_MARKS = re.compile(r"(?:[,;:] ?|\s[-–—] ?|(?<![.…\s])\s[.!?] )[.][\"'”’»)\s]*\Z")
"""A full stop behind another mark: `the hall , .`, but no dots (`. . .`)."""
_ASKS = re.compile(r"[?؟？]\W*\Z")
"""The end of a question."""
_QUESTION_MARKS = frozenset("?؟？")
_TAIL = 12  # characters of a text that are searched
_SAY_MORE = 1.25  # tokens of the halves, full stops aside, per token of `long` above which it may be truncated


class FinalPunctuationFilter(RuleFilter):
    """The number of sentences without the final punctuation of their counterpart; 1 if only halves ask."""

    VERSION: ClassVar[int] = 4
    max_open: int = Field(default=0, title="Maximum open ends", ge=0, le=2)
    """Maximum number of sentences without the final punctuation that their counterpart has."""

    def measure(self, pair: View) -> float:
        """Return 0 or 1 if `long` is open, else 0 to 2 for the halves."""
        long, first, second = pair.texts
        if _QUESTION_MARKS.isdisjoint(long) and any(map(_ASKS.search, (first, second))):
            return 1
        if not _TWO_MARKS.search(long) and any(map(_TWO_MARKS.search, (first, second))):
            return 1
        if not _is_closed(long):
            tokens, *halves = pair.lengths
            return _is_closed(second) and sum(halves) - len(halves) > _SAY_MORE * tokens
        return (not _is_closed(second)) + (not _is_closed(first) and _begins_with_letter(second))


def _is_closed(text: str) -> bool:
    return bool(_CLOSED.search(text, max(0, len(text) - _TAIL)))


def _begins_with_letter(text: str) -> bool:
    """Return True if the first letter is a capital or a small one: scripts without these show no cut."""
    first = next(filter(str.isalpha, text), "")
    return first.lower() != first.upper()
