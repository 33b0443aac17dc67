"""Numbers that were exchanged, and those that only a half has, by mistranslation or misalignment.

Not a filter of the paper. The way a number is written does not count: `1,000`, `1.000`, `1 000` and `a thousand` are
equal, `2.5 million` is 2,500,000, `3.50` is `3,5`, `3rd` and `third` are 3, `07` and `٧` are 7, `the 1990s` are `the
nineties`, `8.30 p.m.` is `20:30`, and `12 March 1999` may be `12/3/1999` or `1999-03-12`. A number that the halves
only leave out is accepted, unless `long` has one too many: `sections 4.4 and 4.4` is not `sections 4.4 and 4.7`. A
number in digits, or a month, that a half has and `long` lacks is a fact of its own, unless it is a list mark.

Number words are read by text2num (docs/decisions/0023), months and multipliers are data of languages (section
`numbers`). Words that may be no number, such as `one` and `second`, are equal to that number, but are not missed on the
other side.

Decimals, times of day with a.m. or p.m. and dates in digits are compared as wholes (compounds.py): `3.5` is not `5.3`.
"""

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field
from text_to_num import alpha2digit

from bitext_pivot.core.languages import section
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.compounds import (
    MONTH,
    Compound,
    decimals,
    runs,
    times_and_dates,
    times_dates_and_decimals,
)
from bitext_pivot.filters.view import View

SPELLED = frozenset({"da", "de", "en", "es", "fr", "it", "nl", "pt"})
"""Languages of text2num."""
_CLEAR = 1.5  # number words below, if isolated, are articles and pronouns too
_WORDS = 100_000  # words kept
_DIGITS = re.compile(r"\d+")
_DIGITS_AND_HALF = re.compile(r"\d+(?: ?[ap](?= ?\.? ?m\b))?", re.IGNORECASE)
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
"""A digit of a script other than Latin."""
_OTHER_SIGNS = str.maketrans("٫٬．，：／", ".,.,:/")
"""Arabic separators of decimals and thousands, and fullwidth punctuation."""
_LIST_MARK = re.compile(r"^\W*\d+(?: ?[.)]|(?= ?[A-Z]))", re.MULTILINE)
"""A number at the beginning of a half, in brackets or before a capital."""
_SEPARATOR, _SEPARATOR_OR_SPACE = "[.,'’]", r"[.,'’ \u00a0\u202f]"
_GROUPED = re.compile(
    rf"(?<!\d)(?!0)\d{{1,3}}(?:(?: {_SEPARATOR} |{_SEPARATOR_OR_SPACE})\d{{3}})+(?!\d)"
)
"""A number with thousands separators, also in text with spaces around all punctuation, but not `0.125`."""
_MULTIPLIED = r"(?<!\d)(\d+)(?: ?[.,] ?(\d{1,2}))?[- \u00a0\u202f]?"
"""A number before its multiplier, as `2.5` in `2.5 million`."""
_YEAR = re.compile(r"\b(?:19|20)(\d\d)\b")
"""A year; ranges may end in the last two digits of one: `2000/01`."""
_IN_NAME = re.compile(r"(?<=[^\W\d_])\d+")
"""Digits right behind a letter: `SO2`, `A380`."""
_YEARS = re.compile(r"\b(19|20)\d\d ?[-–/] ?(\d\d)\b")
"""Two years, the second with two digits."""


_MONTHS = frozenset(str(MONTH + month) for month in range(1, 13))


class Numbers(RuleFilter):
    """The number of numbers of one side that the other side lacks; the side with fewer counts."""

    VERSION: ClassVar[int] = 4
    max_changed: int = Field(default=0, title="Maximum numbers", ge=0, le=1000)
    """Maximum number of numbers that may differ between the two sides."""

    def measure(self, pair: View) -> float:
        """Return the number of exchanged numbers."""
        language, long, split = (
            pair.language,
            _ascii(pair.texts[0]),
            _ascii("\n".join(pair.texts[1:])),
        )
        tokens, first, second = pair.tokens
        differ, may_differ = _compare(tokens, first | second, _word_numbers(language))
        if not may_differ and _digits(long) == _digits(split):
            return 0
        written_long, written_split = _as_written(long), _as_written(split)
        more_long, more_split = _surpluses(written_long, written_split) if may_differ else (0, 0)
        is_added = not written_split.keys() <= written_long.keys()
        if not (
            differ
            or more_long
            or more_split
            or is_added
            or _differ_in_compounds(written_long, written_split)
        ):
            return 0
        in_long, in_split = _numbers(long, language), _numbers(split, language)
        lost = in_long.missing(_possible_numbers(split, language))
        possible_long = _possible_numbers(long, language)
        new = in_split.missing(possible_long)
        added = _added(_without_list_marks(split), in_split, in_long, possible_long)
        return max(min(lost, new + more_split), min(new, lost + more_long), added)


@dataclass(frozen=True, slots=True)
class _Found:
    """The numbers of a text."""

    plain: frozenset[str]
    """Whole numbers, as digits."""
    compounds: frozenset[Compound]

    def whole(self) -> set[str]:
        """Return the plain numbers and the names of the compounds."""
        return {*self.plain, *(compound.name for compound in self.compounds)}

    def missing(self, other: "_Found") -> int:
        """Return how many of the numbers another text lacks."""
        whole = other.whole()
        mentioned = whole.union(
            *(reading for compound in other.compounds for reading in compound.readings)
        )
        compounds = [
            compound
            for compound in self.compounds
            if compound.is_clear and compound.name not in mentioned
        ]
        lost = [
            compound
            for compound in compounds
            if not any(reading <= whole for reading in compound.readings)
        ]
        return len(self.plain - mentioned) + len(lost)


class _WordNumbers(dict[str, frozenset[str]]):
    """The numbers of words of one language; forgets them when there are many."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language

    def __missing__(self, word: str) -> frozenset[str]:
        if len(self) >= _WORDS:
            self.clear()
        numbers = self[word] = frozenset(_numbers(_ascii(word), self._language).whole())
        return numbers


_word_numbers = functools.cache(_WordNumbers)


def _compare(long: set[str], split: set[str], word_numbers: _WordNumbers) -> tuple[bool, bool]:
    """Return whether both sides seem to have numbers that the other lacks, and whether one of them does.

    Words such as `hundred` may multiply a number that both sides have; then both are true.
    """
    only_long = [numbers for word in long - split if (numbers := word_numbers[word])]
    only_split = [numbers for word in split - long if (numbers := word_numbers[word])]
    if not (only_long or only_split):
        return False, False
    in_long, in_split = frozenset[str]().union(*only_long), frozenset[str]().union(*only_split)
    lost, new = in_long - in_split, in_split - in_long
    is_certain = bool(lost and new) or any(len(number) > 2 for number in in_long ^ in_split)
    return is_certain, bool(lost or new)


def _differ_in_compounds(long: Counter[str], split: Counter[str]) -> bool:
    """Return True if both sides have a decimal, time of day or date that the other lacks, whatever their tokens are."""
    only_long, only_split = long.keys() - split, split.keys() - long
    return not (all(map(str.isdecimal, only_long)) or all(map(str.isdecimal, only_split)))


def _without_list_marks(halves: str) -> str:
    """Return the halves, each a line, without the number that they begin with, as `( 11 )`."""
    return _LIST_MARK.sub("", halves)


def _added(split: str, in_split: _Found, in_long: _Found, possible_long: _Found) -> int:
    """Return how many numbers in digits, and months, only the halves have, in any reading of `long`."""
    written = {*runs(_IN_NAME.sub(" ", _without_separators(split))), *_MONTHS}
    added = in_split.plain.intersection(written) - in_long.plain
    years = {year for year in added if _YEAR.fullmatch(year)}
    added -= {year for year in years if year[2:].lstrip("0") in in_long.plain}
    return _Found(added, frozenset()).missing(possible_long)


def _surpluses(long: Counter[str], split: Counter[str]) -> tuple[int, int]:
    """Return how many more times than the other side each side has the numbers in digits that both have."""
    more = [long[number] - split[number] for number in long.keys() & split]
    return sum(max(0, n) for n in more), sum(max(0, -n) for n in more)


def _ascii(text: str) -> str:
    """Return a text with the digits and separators of other scripts as in English."""
    if text.isascii():
        return text
    return _OTHER_DIGIT.sub(lambda digit: str(int(digit[0])), text.translate(_OTHER_SIGNS))


def _without_separators(text: str) -> str:
    """Return a text without thousands separators."""
    return _GROUPED.sub(lambda number: "".join(_DIGITS.findall(number[0])), text)


def _digits(text: str) -> list[str]:
    """Return the runs of digits of a text in order, with the `a` or `p` of a.m. and p.m."""
    return [digits.replace(" ", "").lower() for digits in _DIGITS_AND_HALF.findall(text)]


def _as_written(text: str) -> Counter[str]:
    """Return how often a text has each number that is written in digits."""
    compounds, rest = times_dates_and_decimals(_without_separators(text))
    return Counter([*(compound.name for compound in compounds), *runs(rest)])


def _numbers(text: str, language: str) -> _Found:
    """Return the numbers of a text, without words that may be no number."""
    unclear = section(language, "numbers").get("unclear")
    return _read(re.sub(unclear, "", text) if unclear else text, language, _CLEAR)


def _possible_numbers(text: str, language: str) -> _Found:
    """Return all that may be a number: words that may be none as well, digits as they are written, and short years."""
    found = _read(text, language, 0)
    compounds, rest = times_dates_and_decimals(_without_separators(text))
    short_years = runs(" ".join(_YEAR.findall(text)))
    years = [century + year for century, year in _YEARS.findall(text)]
    return _Found(
        found.plain.union(runs(rest), short_years, years), found.compounds.union(compounds)
    )


def _read(text: str, language: str, threshold: float) -> _Found:
    """Return the numbers of a text; isolated number words from `threshold` on."""
    compounds, text = times_and_dates(_without_separators(text))
    for pattern, digits in _readings(language):
        text = pattern.sub(digits, text)
    if language in SPELLED:
        text = alpha2digit(text, language, threshold)
    with_point, text = decimals(text)
    return _Found(frozenset(runs(text)), frozenset(compounds + with_point))


@functools.cache
def _readings(language: str) -> list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]]:
    """Return patterns of what text2num does not read, and their digits: decades, multiplied numbers, words."""
    table = section(language, "numbers")
    zeros: dict[str, int] = table.get("multipliers", {})
    words: dict[str, int] = table.get("words", {})
    words = words | {word.title(): number for word, number in words.items()}
    months = enumerate(table.get("months", ()), MONTH + 1)
    words |= {form: number for number, forms in months for form in forms.split()}
    readings: list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = []
    if "decade" in table:
        readings.append((re.compile(table["decade"]), r"\1"))
    if zeros:
        multiplied = re.compile(rf"{_MULTIPLIED}({_any(zeros)})\b", re.IGNORECASE)
        readings.append(
            (
                multiplied,
                lambda match: match[1] + (match[2] or "").ljust(zeros[match[3].lower()], "0"),
            )
        )
    if words:
        readings.append((re.compile(rf"\b({_any(words)})\b"), lambda match: str(words[match[1]])))
    return readings


def _any(words: Iterable[str]) -> str:
    """Return the pattern of any of these words, the longest first."""
    return "|".join(sorted(words, key=len, reverse=True))
