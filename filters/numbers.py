"""Numbers that were exchanged: each side has a number that the other side lacks, by mistranslation or misalignment.

Not a filter of the paper. The way a number is written does not count: `1,000`, `1.000`, `1 000` and `1000` are equal,
`three` is 3, `07` is 7. A number that is only left out is accepted.
"""

import re
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from filters.base import RuleFilter
from filters.view import View
from pairs.data import read_toml

_DIGITS = re.compile(r"\d+")
_SEPARATOR, _SEPARATOR_OR_SPACE = "[.,'’]", r"[.,'’ \u00a0\u202f]"
_THOUSANDS = re.compile(rf"(?<=\d)(?: {_SEPARATOR} |{_SEPARATOR_OR_SPACE})(?=\d{{3}}(?!\d))")
"""Thousands separators, also in text with spaces around all punctuation."""
_SPELLINGS = {
    language: {word: str(value) for value, forms in enumerate(words) for word in forms.split()}
    for language, words in read_toml(Path(__file__).with_suffix(".toml")).items()
}
"""Numbers by language and word."""


class Numbers(RuleFilter):
    """The number of numbers of one side that the other side lacks; the side with fewer counts."""

    preset: ClassVar = "strict"

    max_changed: int = Field(default=1, title="Maximum numbers", ge=0, le=1000)
    """Maximum number of numbers that may differ between the two sides."""

    def measure(self, pair: View) -> float:
        """Return the number of exchanged numbers."""
        long, *halves = pair.texts
        split = " ".join(halves)
        numbers_long, numbers_split = _numbers(long), _numbers(split)
        only_long, only_split = numbers_long - numbers_split, numbers_split - numbers_long
        if not (only_long and only_split):
            return 0
        spelled_long, spelled_split = _spelled(long, pair.language), _spelled(split, pair.language)
        return min(len(only_long - spelled_split), len(only_split - spelled_long))


def _numbers(text: str) -> frozenset[str]:
    """Return the numbers of a text without thousands separators and leading zeros."""
    runs = _DIGITS.findall(text)
    if any(len(digits) == 3 for digits in runs):
        runs = _DIGITS.findall(_THOUSANDS.sub("", text))
    return frozenset(digits.lstrip("0") or "0" for digits in runs)


def _spelled(text: str, language: str) -> frozenset[str]:
    """Return the numbers that are spelled out in a text, as far as they are listed for the language."""
    words = _SPELLINGS.get(language, {})
    return frozenset(words[word] for word in text.lower().split() if word in words)
