"""Find the numbers in a text: digits, words, fractions, Roman numerals, months and decades.

Number words are read by text2num (docs/decisions/0023), which understands whole phrases: `two hundred and five` is
205. The section `numbers` of each language's data file has the words that text2num does not know. Decimals, times
of day with a.m. or p.m. and dates in digits are compound numbers (compound_numbers.py).
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
"""The languages whose number words the package text2num reads."""
_SECTION = "numbers"
_CLEAR = 1.5  # isolated words for smaller numbers may be articles or pronouns, such as `one`
_DIGITS = re.compile(r"\d+")
_OTHER_DIGIT = re.compile(r"[^\D0-9]")
"""A digit that is not one of 0 to 9, such as `٧`."""
_ASCII_PUNCTUATION = str.maketrans("٫٬．，：／⁄", ".,.,://")
"""ASCII equivalents of Arabic separators, full-width punctuation and the fraction slash."""
_SINGLE_CHARACTER = re.compile(r"[\u00bc-\u00be\u2150-\u216b\u2460-\u2473]")
"""A fraction, Roman numeral or circled number that is a single character: `½`, `Ⅳ`, `③`."""
_MIXED = re.compile(r"(\d(?<![\d.,/].)\d{0,2})[ -]+([1-9])/([2-9])(?![\d/])")
"""A whole number with a fraction: `2 1/2`."""
_WORD = re.compile(r"\w+")
_SEPARATOR, _SEPARATOR_OR_SPACE = "[.,'’]", r"[.,'’ \u00a0\u202f]"
_THOUSANDS = rf"\d{{0,2}}(?:(?: {_SEPARATOR} |{_SEPARATOR_OR_SPACE}|, (?=000))\d{{3}})+"
_LAKHS = r"\d?(?:,\d\d)+,\d{3}"
_GROUPED = re.compile(rf"[1-9](?<!\d.)(?:{_THOUSANDS}|{_LAKHS})(?!\d)")
"""A number with thousands separators, possibly in the Indian style or with spaces around them, but not `0.125`."""
_HYPHEN = re.compile(r"(?<=[^\W\d_])(?:-| - )(?=[^\W\d_])")
"""A hyphen between two words, possibly with spaces around it as in tokenised text."""
_MULTIPLIED = r"(\d(?<!\d\d)\d*+)(?: ?[.,] ?(\d{1,2}))?[- \u00a0\u202f]?(?:[$€£¥] ?)?"
"""The number before a multiplier: `2.5` in `2.5 million`."""
_END = r"(?:\b|(?<=[\u4e00-\u9fff]))"
"""The end of a word. In Chinese and Japanese, which have no spaces, words may end after any character."""
_YEAR = re.compile(r"\b(?:19|20)(\d\d)\b")
"""A year. Its last two digits may be the end of a range: `2000/01`."""
_LARGE = re.compile(r"\b(\d{3,}[1-9]0{0,2}|\d\d+[1-9]0{1,2})(?:000)+\b")
"""A number of four digits or more times a thousand or a million, such as `2631000`. Group 1 is `2631`.

`2.631 million` may mean 2,631 million, and tables count in thousands."""
_ROMAN = re.compile(r"([IVX](?<!\w.)[IVX]*)(?:e|ᵉ|er|re|ème|th|st|nd|rd)?\b(?!['’-])")
"""A Roman numeral, possibly with the ending of an ordinal."""
_UNITS = " I II III IV V VI VII VIII IX".split(" ")
_ROMAN_NUMBERS = {f"{'X' * (number // 10)}{_UNITS[number % 10]}": number for number in range(1, 40)}
_BEFORE = re.compile(r"[\s'’]")
_NO_MATCH = "(?!)"

# Where possible, patterns begin with digits or letters, because `re` searches for these several times as fast.
_Rule = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]
"""A pattern, and the text or function that replaces its matches."""


@dataclass(frozen=True, slots=True)
class TextNumbers:
    """The numbers in a text, plain and compound."""

    plain: frozenset[str]
    """Whole numbers, in digits without leading zeros."""
    compounds: frozenset[CompoundNumber]

    def names(self) -> set[str]:
        """Return the plain numbers, and the normal forms (`name`) of the compound numbers."""
        return {*self.plain, *(compound.name for compound in self.compounds)}

    def count_missing_from(self, other: "TextNumbers") -> int:
        """Return how many of these numbers are missing from the numbers of another text."""
        other_names = other.names()
        mentioned = set(other_names)
        for compound in other.compounds:
            mentioned.update(*compound.readings)
        compounds = [
            compound
            for compound in self.compounds
            if compound.is_clear and compound.name not in mentioned
        ]
        missing = [
            compound
            for compound in compounds
            if not any(reading <= other_names for reading in compound.readings)
        ]
        return len(self.plain - mentioned) + len(missing)


def normalise_digits(text: str) -> str:
    """Write the digits, fractions and separators of a text as in English: `"2½" -> "2.5"`."""
    if not text.isascii():
        text = _SINGLE_CHARACTER.sub(
            lambda match: f" {unicodedata.normalize('NFKC', match[0])}", text
        )
        text = _OTHER_DIGIT.sub(
            lambda digit: str(int(digit[0])), text.translate(_ASCII_PUNCTUATION)
        )
    return _MIXED.sub(_mixed_to_decimal, text)


def remove_separators(text: str) -> str:
    """Return a text without thousands separators: `"1,000" -> "1000"`."""
    return _GROUPED.sub(lambda number: "".join(_DIGITS.findall(number[0])), text)


def find_numbers(text: str, language: str) -> TextNumbers:
    """Return the numbers in a text. Words that may not be numbers, such as `one`, are ignored."""
    unclear = section(language, _SECTION).get("unclear", _NO_MATCH)
    return _read_numbers(re.sub(unclear, "", text), language, _CLEAR)


def find_possible_numbers(text: str, language: str) -> TextNumbers:
    """Return all numbers in a text, including words and digits that only may be numbers.

    These are unclear words such as `one`, the last two digits of years, and numbers without their multiplier,
    because the other side of the pair may have `2 to 3 million` for `2 million`.
    """
    numbers = _read_numbers(text, language, 0)
    compounds, rest = extract_compound_numbers(remove_separators(text))
    multiplier = _any_of(section(language, _SECTION).get("multipliers", {}))
    rest = _convert_number_words(re.sub(rf"(?i:(?:{multiplier}){_END})", " ", rest), language, 0)
    short_years = digit_runs(" ".join(_YEAR.findall(text)))
    return TextNumbers(
        numbers.plain.union(digit_runs(rest), short_years), numbers.compounds.union(compounds)
    )


def is_year(digits: str) -> bool:
    """Return True if a number in digits can be a year from 1900 to 2099."""
    return bool(_YEAR.fullmatch(digits))


def _mixed_to_decimal(number: re.Match[str]) -> str:
    """Return a whole number with a fraction as a decimal: `2 1/2` is `2.5`."""
    return f"{int(number[1]) + int(number[2]) / int(number[3]):.5g}"


def _read_numbers(text: str, language: str, threshold: float) -> TextNumbers:
    """Return the numbers in a text, ignoring isolated number words for values below `threshold`."""
    compounds: list[CompoundNumber] = []
    if _DIGITS.search(text):
        compounds, text = extract_times_and_dates(remove_separators(text))
    rules = _load_rules(language)
    has_words = not rules.words.isdisjoint(_WORD.findall(text.lower()))
    if "-" in text:
        text = _HYPHEN.sub(" ", text)
    if has_words:
        text = _apply_rules(text, rules.before)
    text = _convert_number_words(text, language, threshold)
    text = _ROMAN.sub(lambda number: _convert_roman(number, language, threshold), text)
    if has_words or _DIGITS.search(text):
        text = _apply_rules(text, rules.after)
    if not threshold:
        text = _apply_rules(text, rules.possible)
    if not _DIGITS.search(text):
        return TextNumbers(frozenset(), frozenset(compounds))
    with_point, text = extract_decimals(text)
    return TextNumbers(
        frozenset(digit_runs(_LARGE.sub(r"\1", text))), frozenset(compounds + with_point)
    )


def _convert_number_words(text: str, language: str, threshold: float) -> str:
    """Write number words as digits, except isolated words for values below `threshold`."""
    if language in TEXT2NUM_LANGUAGES:
        text = alpha2digit(text, language, threshold)
    return text


def _apply_rules(text: str, rules: list[_Rule]) -> str:
    """Apply replacement rules to a text, in order."""
    for pattern, replacement in rules:
        text = pattern.sub(replacement, text)
    return text


class _LanguageRules(NamedTuple):
    """The rules that rewrite the number words of a language as digits."""

    words: frozenset[str]
    """Lower-case words for a quick test: a text without any of them matches no rule in `before`."""
    before: list[_Rule]
    """Rules to apply before text2num: number words, months, fractions and numbers with a multiplier."""
    after: list[_Rule]
    """Rules to apply after text2num: numbers with a multiplier, times of day and decades."""
    possible: list[_Rule]
    """Rules for words that may or may not be numbers, such as `one`."""


@functools.cache
def _load_rules(language: str) -> _LanguageRules:
    """Return the replacement rules from the section `numbers` of a language's data file."""
    table = section(language, _SECTION)
    words, multipliers = table.get("words", {}), table.get("multipliers", {})
    by_name: dict[str, int] = {}
    for number, forms in enumerate(table.get("months", ()), MONTH + 1):
        by_name |= dict.fromkeys(forms.split(), number)
    multiplied = _make_multiplier_rules(multipliers)
    before = [*_make_word_rules(words, re.IGNORECASE), *_make_word_rules(by_name), *multiplied]
    rewritten = table.get("rewritten", ())
    after = multiplied + [
        (re.compile(pattern, re.IGNORECASE), digits) for pattern, digits in rewritten
    ]
    phrases = [*words, *by_name, *multipliers]
    longest = frozenset(max(phrase.lower().split(), key=len) for phrase in phrases)
    possible = _make_word_rules(table.get("possible", {}), re.IGNORECASE)
    return _LanguageRules(longest, before, after, possible)


def _make_word_rules(words: Mapping[str, Any], flags: re.RegexFlag = re.NOFLAG) -> list[_Rule]:
    """Return a list with a rule that replaces words by their numbers; empty without words."""
    if not words:
        return []
    pattern = re.compile(rf"\b(?:{_any_of(words)})\b", flags)
    return [(pattern, lambda match: str(words.get(match[0]) or words[match[0].lower()]))]


def _make_multiplier_rules(multipliers: Mapping[str, float]) -> list[_Rule]:
    """Return a list with a rule that computes numbers like `2.5 million`, or an empty list."""
    if not multipliers:
        return []

    def product(number: re.Match[str]) -> str:
        value = float(f"{number[1]}.{number[2] or 0}") * multipliers[number[3].lower()]
        return f" {round(value, 4):.15g} "

    return [(re.compile(rf"{_MULTIPLIED}({_any_of(multipliers)}){_END}", re.IGNORECASE), product)]


def _convert_roman(number: re.Match[str], language: str, threshold: float) -> str:
    """Return a Roman numeral in digits.

    A single letter that may be a word, such as `I`, is returned unchanged unless the threshold is 0.
    """
    value = _ROMAN_NUMBERS.get(number[1])
    is_clear = len(number[1]) > 1 or not threshold or _is_numbered(number, language)
    if value is None or not is_clear:
        return number[0]
    return str(value)


def _is_numbered(letter: re.Match[str], language: str) -> bool:
    """Return True if a single-letter numeral follows a name or a word such as `Chapter`."""
    before = _BEFORE.split(letter.string[: letter.start()].rstrip())[-1]
    if before.lower() in word_list(language, _SECTION, "numbered"):
        return True
    return before.istitle() and letter[1] in section(language, _SECTION).get("behind_names", "")


def _any_of(words: Iterable[str]) -> str:
    """Return a regular expression that matches any of the words, trying the longest word first."""
    return "|".join(sorted(words, key=len, reverse=True))
