"""Numbers that were exchanged: each side has a number that the other side lacks, by mistranslation or misalignment.

Not a filter of the paper. The way a number is written does not count: `1,000`, `1.000`, `1 000` and `a thousand` are
equal, `2.5 million` is 2,500,000, `3rd` and `third` are 3, `07` is 7, `the 1990s` are `the nineties`, `8.30 p.m.` is
`20:30`, and `12 March 1999` may be `12/3/1999`. A number that is only left out is accepted, unless the other side has
one too many: `sections 4.4 and 4.4` is not `sections 4.4 and 4.7`.

Number words are read by text2num (docs/decisions/0023), months and multipliers are data (numbers.toml). Words that may
be no number, such as `one` and `second`, are equal to that number, but are not missed on the other side.
"""

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from pydantic import Field
from text_to_num import alpha2digit

from bitext_pivot.core.data import read_toml
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View

_SPELLED = frozenset({"da", "de", "en", "es", "fr", "it", "nl", "pt"})
"""Languages of text2num."""
_CLEAR = 1.5  # number words below, if isolated, are articles and pronouns too
_WORDS = 100_000  # words kept
_DIGITS = re.compile(r"\d+")
_SEPARATOR, _SEPARATOR_OR_SPACE = "[.,'’]", r"[.,'’ \u00a0\u202f]"
_THOUSANDS = re.compile(rf"(?<=\d)(?: {_SEPARATOR} |{_SEPARATOR_OR_SPACE})(?=\d{{3}}(?!\d))")
"""Thousands separators, also in text with spaces around all punctuation."""
_MULTIPLIED = r"(?<!\d)(\d+)(?: ?[.,] ?(\d{1,2}))?[- \u00a0\u202f]?"
"""A number before its multiplier, as `2.5` in `2.5 million`."""
_YEAR = re.compile(r"\b(?:19|20)(\d\d)\b")
"""A year; ranges may end in the last two digits of one: `2000/01`."""
_YEARS = re.compile(r"\b(19|20)\d\d ?[-–/] ?(\d\d)\b")
"""Two years, the second with two digits."""
_DAY = r"(0?[1-9]|[12]\d|3[01])"
_DATE = re.compile(rf"\b{_DAY}([./-]){_DAY}\2((?:19|20)\d\d)\b|\b{_DAY}/(0?[1-9]|1[0-2])\b(?!/)")
"""A date in digits, with or without a year; either number may be the month."""
_CLOCK = re.compile(r"\b(0?[1-9]|1[0-2])(?: ?[.:] ?([0-5]\d))? ?([ap])(?: ?\. ?m\b|m\b)", re.IGNORECASE)
"""A time of day with a.m. or p.m."""
_MONTH = 1_000_000  # added to the number of a month, so that July is not the 7 of another place
_TABLE = read_toml(Path(__file__).with_suffix(".toml"))


class Numbers(RuleFilter):
    """The number of numbers of one side that the other side lacks; the side with fewer counts."""

    max_changed: int = Field(default=0, title="Maximum numbers", ge=0, le=1000)
    """Maximum number of numbers that may differ between the two sides."""

    def measure(self, pair: View) -> float:
        """Return the number of exchanged numbers."""
        language, long, split = pair.language, pair.texts[0], "\n".join(pair.texts[1:])
        tokens, first, second = pair.tokens
        differ, may_differ = _compare(tokens, first | second, _word_numbers(language))
        more_long, more_split = _surpluses(long, split) if may_differ else (0, 0)
        if not (differ or more_long or more_split):
            return 0
        in_long, in_split = _numbers(long, language), _numbers(split, language)
        only_long, only_split = in_long - in_split, in_split - in_long
        if not (only_long or only_split):
            return 0
        lost, new = only_long - _possible_numbers(split, language), only_split - _possible_numbers(long, language)
        return max(min(len(lost), len(new) + more_split), min(len(new), len(lost) + more_long))


class _WordNumbers(dict[str, frozenset[str]]):
    """The numbers of words of one language; forgets them when there are many."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language

    def __missing__(self, word: str) -> frozenset[str]:
        if len(self) >= _WORDS:
            self.clear()
        numbers = self[word] = _numbers(word, self._language)
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


def _surpluses(long: str, split: str) -> tuple[int, int]:
    """Return how many more times than the other side each side has the numbers in digits that both have."""
    in_long, in_split = (Counter(_DIGITS.findall(text)) for text in (long, split))
    more = [in_long[digits] - in_split[digits] for digits in in_long.keys() & in_split]
    return sum(max(0, n) for n in more), sum(max(0, -n) for n in more)


def _numbers(text: str, language: str) -> frozenset[str]:
    """Return the numbers of a text as digits, without words that may be no number, and days and months in digits."""
    unclear = _TABLE.get(language, {}).get("unclear")
    text = _DATE.sub(lambda date: f" {date[4] or ''} ", text)
    return _read(re.sub(unclear, "", text) if unclear else text, language, _CLEAR)


def _possible_numbers(text: str, language: str) -> frozenset[str]:
    """Return all that may be a number: words that may be none as well, digits as they are written, and short years."""
    dates = (date[place] for date in _DATE.finditer(text) for place in (1, 3, 5, 6) if date[place])
    months = frozenset(str(_MONTH + int(number)) for number in dates)
    short_years = _runs(" ".join(_YEAR.findall(text)))
    years = frozenset(century + year for century, year in _YEARS.findall(text))
    return _read(text, language, 0) | _runs(_THOUSANDS.sub("", text)) | short_years | years | months


def _read(text: str, language: str, threshold: float) -> frozenset[str]:
    """Return the numbers of a text as digits; isolated number words from `threshold` on."""
    text = _CLOCK.sub(_hour, _THOUSANDS.sub("", text))
    for pattern, digits in _readings(language):
        text = pattern.sub(digits, text)
    return _runs(alpha2digit(text, language, threshold) if language in _SPELLED else text)


def _hour(clock: re.Match[str]) -> str:
    """Return a time of day in 24 hours; midnight, which is 12 a.m., is 0."""
    return f"{int(clock[1]) % 12 + 12 * (clock[3].lower() == 'p')} {clock[2] or ''}"


def _runs(text: str) -> frozenset[str]:
    """Return the runs of digits of a text without leading zeros."""
    return frozenset(digits.lstrip("0") or "0" for digits in _DIGITS.findall(text))


@functools.cache
def _readings(language: str) -> list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]]:
    """Return patterns of what text2num does not read, and their digits: decades, multiplied numbers, words."""
    table = _TABLE.get(language, {})
    zeros: dict[str, int] = table.get("multipliers", {})
    words: dict[str, int] = table.get("words", {})
    words = words | {word.title(): number for word, number in words.items()}
    months = enumerate(table.get("months", ()), _MONTH + 1)
    words |= {form: number for number, forms in months for form in forms.split()}
    readings: list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = []
    if "decade" in table:
        readings.append((re.compile(table["decade"]), r"\1"))
    if zeros:
        multiplied = re.compile(rf"{_MULTIPLIED}({_any(zeros)})\b", re.IGNORECASE)
        readings.append((multiplied, lambda match: match[1] + (match[2] or "").ljust(zeros[match[3].lower()], "0")))
    if words:
        readings.append((re.compile(rf"\b({_any(words)})\b"), lambda match: str(words[match[1]])))
    return readings


def _any(words: Iterable[str]) -> str:
    """Return the pattern of any of these words, the longest first."""
    return "|".join(sorted(words, key=len, reverse=True))
