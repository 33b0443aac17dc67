"""The numbers of a text, as digits: number words, multiplied ones, fractions, Roman numbers, months, decades.

Number words are read by text2num (docs/decisions/0023), which sees whole phrases: `two hundred and five` is
205. What it lacks is data of languages (section `numbers`). Decimals, times of day with a.m. or p.m. and
dates in digits are compounds (compound_numbers.py).
"""

import functools
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from text_to_num import alpha2digit

from bitext_pivot.core.languages import section, word_list
from bitext_pivot.filters.compound_numbers import (
    MONTH,
    CompoundNumber,
    digit_runs,
    extract_compound_numbers,
    extract_decimals,
    extract_times_and_dates,
)

TEXT2NUM_LANGUAGES = frozenset({"da", "de", "en", "es", "fr", "it", "nl", "pt"})
"""Languages of text2num."""
_SECTION = "numbers"
_CLEAR = 1.5  # number words below, if isolated, are articles and pronouns too
_DIGITS = re.compile(r"\d+")
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
"""A digit of a script other than Latin."""
_OTHER_SIGNS = str.maketrans("٫٬．，：／⁄", ".,.,://")
"""Arabic separators of decimals and thousands, fullwidth punctuation, and the slash of fractions."""
_ONE_SIGN = re.compile(r"[\u00bc-\u00be\u2150-\u216b\u2460-\u2473]")
"""A fraction, Roman or circled number that is one sign: `½`, `Ⅳ`, `③`."""
_MIXED = re.compile(r"(\d(?<![\d.,/].)\d{0,2})[ -]+([1-9])/([2-9])(?![\d/])")
"""A whole number and a fraction: `2 1/2`."""
_WORD = re.compile(r"\w+")
_SEPARATOR, _SEPARATOR_OR_SPACE = "[.,'’]", r"[.,'’ \u00a0\u202f]"
_THOUSANDS = rf"\d{{0,2}}(?:(?: {_SEPARATOR} |{_SEPARATOR_OR_SPACE}|, (?=000))\d{{3}})+"
_LAKHS = r"\d?(?:,\d\d)+,\d{3}"
_GROUPED = re.compile(rf"[1-9](?<!\d.)(?:{_THOUSANDS}|{_LAKHS})(?!\d)")
"""A number with thousands separators, also in text with spaces around all punctuation and as in India,
but not `0.125`."""
_HYPHEN = re.compile(r"(?<=[^\W\d_])(?:-| - )(?=[^\W\d_])")
"""A hyphen between two words, also in text with spaces around all punctuation."""
_MULTIPLIED = r"(\d(?<!\d\d)\d*+)(?: ?[.,] ?(\d{1,2}))?[- \u00a0\u202f]?(?:[$€£¥] ?)?"
"""A number before its multiplier, as `2.5` in `2.5 million`."""
_END = r"(?:\b|(?<=[\u4e00-\u9fff]))"
"""The end of a word; Chinese and Japanese have no spaces."""
_YEAR = re.compile(r"\b(?:19|20)(\d\d)\b")
"""A year; ranges may end in the last two digits of one: `2000/01`."""
_LARGE = re.compile(r"\b(\d{3,}[1-9]0{0,2}|\d\d+[1-9]0{1,2})(?:000)+\b")
"""A number of four digits or more, times a thousand or a million: `2.631 million` may be 2,631 million, and a table
counts in thousands."""
_ROMAN = re.compile(r"([IVX](?<!\w.)[IVX]*)(?:e|ᵉ|er|re|ème|th|st|nd|rd)?\b(?!['’-])")
"""Roman digits, with the ending of an ordinal or none."""
_UNITS = " I II III IV V VI VII VIII IX".split(" ")
_ROMAN_NUMBERS = {f"{'X' * (number // 10)}{_UNITS[number % 10]}": number for number in range(1, 40)}
_BEFORE = re.compile(r"[\s'’]")
_NEVER = "(?!)"

# Patterns begin with digits or letters where they can: `re` then searches several times as fast.
_Rule = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]
"""A pattern, and what replaces it."""


@dataclass(frozen=True, slots=True)
class TextNumbers:
    """The numbers of a text."""

    plain: frozenset[str]
    """Whole numbers, as digits."""
    compounds: frozenset[CompoundNumber]

    def whole(self) -> set[str]:
        """Return the plain numbers and the names of the compounds."""
        return {*self.plain, *(compound.name for compound in self.compounds)}

    def count_missing_from(self, other: "TextNumbers") -> int:
        """Return how many of the numbers another text lacks."""
        whole = other.whole()
        mentioned = set(whole)
        for compound in other.compounds:
            mentioned.update(*compound.readings)
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


def normalise_digits(text: str) -> str:
    """Return a text with digits, fractions and separators of other scripts as in English: `2½` is `2.5`."""
    if not text.isascii():
        text = _ONE_SIGN.sub(lambda sign: f" {unicodedata.normalize('NFKC', sign[0])}", text)
        text = _OTHER_DIGIT.sub(lambda digit: str(int(digit[0])), text.translate(_OTHER_SIGNS))
    return _MIXED.sub(_mixed, text)


def remove_separators(text: str) -> str:
    """Return a text without thousands separators."""
    return _GROUPED.sub(lambda number: "".join(_DIGITS.findall(number[0])), text)


def find_numbers(text: str, language: str) -> TextNumbers:
    """Return the numbers of a text, without words that may be no number."""
    unclear = section(language, _SECTION).get("unclear", _NEVER)
    return _read(re.sub(unclear, "", text), language, _CLEAR)


def find_possible_numbers(text: str, language: str) -> TextNumbers:
    """Return all that may be a number: unclear words, numbers without their multiplier, short years.

    The 2 of `2 million` counts, because the other side may have `2 to 3 million`.
    """
    found = _read(text, language, 0)
    compounds, rest = extract_compound_numbers(remove_separators(text))
    multiplier = _any(section(language, _SECTION).get("multipliers", {}))
    rest = _spelled(re.sub(rf"(?i:(?:{multiplier}){_END})", " ", rest), language, 0)
    short_years = digit_runs(" ".join(_YEAR.findall(text)))
    return TextNumbers(
        found.plain.union(digit_runs(rest), short_years), found.compounds.union(compounds)
    )


def is_year(digits: str) -> bool:
    """Return True for a year of the 20th or 21st century."""
    return bool(_YEAR.fullmatch(digits))


def _mixed(number: re.Match[str]) -> str:
    """Return a whole number and a fraction as a decimal."""
    return f"{int(number[1]) + int(number[2]) / int(number[3]):.5g}"


def _read(text: str, language: str, threshold: float) -> TextNumbers:
    """Return the numbers of a text; isolated number words from `threshold` on."""
    compounds: list[CompoundNumber] = []
    if _DIGITS.search(text):
        compounds, text = extract_times_and_dates(remove_separators(text))
    rules = _rules(language)
    has_words = not rules.words.isdisjoint(_WORD.findall(text.lower()))
    if "-" in text:
        text = _HYPHEN.sub(" ", text)
    if has_words:
        text = _replace(text, rules.before)
    text = _spelled(text, language, threshold)
    text = _ROMAN.sub(lambda number: _roman(number, language, threshold), text)
    if has_words or _DIGITS.search(text):
        text = _replace(text, rules.behind)
    if not threshold:
        text = _replace(text, rules.possible)
    if not _DIGITS.search(text):
        return TextNumbers(frozenset(), frozenset(compounds))
    with_point, text = extract_decimals(text)
    return TextNumbers(
        frozenset(digit_runs(_LARGE.sub(r"\1", text))), frozenset(compounds + with_point)
    )


def _spelled(text: str, language: str, threshold: float) -> str:
    """Return a text with what text2num knows in digits; isolated words from `threshold` on."""
    if language in TEXT2NUM_LANGUAGES:
        text = alpha2digit(text, language, threshold)
    return text


def _replace(text: str, rules: list[_Rule]) -> str:
    """Return a text after the rules, in their order."""
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return text


class _Rules(NamedTuple):
    """What to replace in texts of a language."""

    words: frozenset[str]
    """Words of which a text needs one for the rules before text2num."""
    before: list[_Rule]
    """Before text2num reads the text: words, months, fractions, multiplied numbers."""
    behind: list[_Rule]
    """Behind it: multiplied numbers, times of day, decades."""
    possible: list[_Rule]
    """Words that may be no number."""


@functools.cache
def _rules(language: str) -> _Rules:
    """Return what to replace before and behind text2num, by the data of a language."""
    table = section(language, _SECTION)
    words, multipliers = table.get("words", {}), table.get("multipliers", {})
    by_name: dict[str, int] = {}
    for number, forms in enumerate(table.get("months", ()), MONTH + 1):
        by_name |= dict.fromkeys(forms.split(), number)
    multiplied = _multiplied(multipliers)
    before = [*_words(words, re.IGNORECASE), *_words(by_name), *multiplied]
    rewritten = table.get("rewritten", ())
    behind = multiplied + [
        (re.compile(pattern, re.IGNORECASE), digits) for pattern, digits in rewritten
    ]
    phrases = [*words, *by_name, *multipliers]
    longest = frozenset(max(phrase.lower().split(), key=len) for phrase in phrases)
    possible = _words(table.get("possible", {}), re.IGNORECASE)
    return _Rules(longest, before, behind, possible)


def _words(words: Mapping[str, Any], flags: re.RegexFlag = re.NOFLAG) -> list[_Rule]:
    """Return the rule that replaces words by what they mean, if there are any."""
    if not words:
        return []
    pattern = re.compile(rf"\b(?:{_any(words)})\b", flags)
    return [(pattern, lambda match: str(words.get(match[0]) or words[match[0].lower()]))]


def _multiplied(multipliers: Mapping[str, float]) -> list[_Rule]:
    """Return the rule that multiplies the numbers before these words, if there are any."""
    if not multipliers:
        return []

    def product(number: re.Match[str]) -> str:
        value = float(f"{number[1]}.{number[2] or 0}") * multipliers[number[3].lower()]
        return f" {round(value, 4):.15g} "

    return [(re.compile(rf"{_MULTIPLIED}({_any(multipliers)}){_END}", re.IGNORECASE), product)]


def _roman(number: re.Match[str], language: str, threshold: float) -> str:
    """Return a Roman number in digits; a letter that may be a word stays, unless the threshold is 0."""
    value = _ROMAN_NUMBERS.get(number[1])
    is_clear = len(number[1]) > 1 or not threshold or _is_numbered(number, language)
    if value is None or not is_clear:
        return number[0]
    return str(value)


def _is_numbered(letter: re.Match[str], language: str) -> bool:
    """Return True for a Roman number behind a word that numbers follow, such as `Chapter`, or a name."""
    before = _BEFORE.split(letter.string[: letter.start()].rstrip())[-1]
    if before.lower() in word_list(language, _SECTION, "numbered"):
        return True
    return before.istitle() and letter[1] in section(language, _SECTION).get("behind_names", "")


def _any(words: Iterable[str]) -> str:
    """Return the pattern of any of these words, the longest first."""
    return "|".join(sorted(words, key=len, reverse=True))
