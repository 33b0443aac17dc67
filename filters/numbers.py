"""Reject pairs in which numbers or other exact facts were exchanged, or a number was added.

This filter is not in the BiSECT paper. It does not matter how a number is written: `1,000`, `1.000`, `1 000` and `a
thousand` are equal, `2.5 million` is 2,500,000, `10k` is 10,000, `3.50` is `3,5`, `two thirds` is `⅔`, `a dozen` is 12,
`a week` may be 7, `2.631 million` may be 2,631 million, `3rd`, `third` and `III` are 3, `07` and `٧` are 7, `the 1990s`
are `the nineties`, `8.30 p.m.` is `20:30`, and `12 March 1999` may be `12/3/99`.

A number that one side of the pair only leaves out is accepted, unless that side repeats another number in its
place: `sections 4.4 and 4.4` is not `sections 4.4 and 4.7`. A number in digits, or a month, that a half has and
`long` lacks is an added fact, unless it is a list mark.

Numbers are read from whole phrases (numerals.py); text2num reads number words (docs/decisions/0023). Months,
multipliers and fractions are in the section `numbers` of the language's data file. Words that may not be numbers, such
as `one`, `half`, `dozen`, `second` and `I`, match the number, but the other side does not need to have them.

Decimals, times of day with a.m. or p.m. and dates in digits are compared as a whole (compound_numbers.py): `3.5` is not
`5.3`.

Facts in words are compared by kind (`facts` in the language's data file): weekdays, directions, currencies, `he` and
`she`. They count only if each side has a fact of this kind that the other side lacks, because leaving out a fact is not
a contradiction.
"""

import re
from collections import Counter
from typing import ClassVar

from pydantic import Field

from bitext_pivot.core.languages import section
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.compound_numbers import MONTH, digit_runs, extract_compound_numbers
from bitext_pivot.filters.numerals import (
    TextNumbers,
    find_numbers,
    find_possible_numbers,
    is_year,
    normalise_digits,
    remove_separators,
)
from bitext_pivot.filters.view import View

_LIST_MARK = re.compile(r"^\W*\d+ ?[.)]", re.MULTILINE)
"""A list mark: a number at the beginning of a half of the split, before a bracket or full stop."""
_IN_NAME = re.compile(r"(?<=[^\W\d_])\d+")
"""Digits right after a letter: `SO2`, `A380`."""
_MONTHS = frozenset(str(MONTH + month) for month in range(1, 13))
_WORD_OR_SIGN = re.compile(r"\w+|[$€£¥]")


class NumbersFilter(RuleFilter):
    """The number of numerals, weekdays, directions, currencies or pronouns that were exchanged.

    This is the largest of three counts: exchanged numbers, added numbers, and exchanged words of one kind.
    """

    VERSION: ClassVar[int] = 9
    max_changed: int = Field(default=0, title="Maximum numbers", ge=0, le=1000)
    """Maximum number of numerals, or of words of one kind such as weekdays, that may differ between the long
    sentence and its split."""

    def measure(self, pair: View) -> float:
        """Return the largest of three counts: exchanged numbers, added numbers, exchanged facts.

        A fact is a word such as a weekday or a currency.
        """
        language = pair.language
        long, split = normalise_digits(pair.texts[0]), normalise_digits("\n".join(pair.texts[1:]))
        facts = _count_exchanged_facts(long, split, language)
        in_long, in_split = find_numbers(long, language), find_numbers(split, language)
        if in_long == in_split and sorted(digit_runs(long)) == sorted(digit_runs(split)):
            return facts
        more_long, more_split = _count_repetitions(
            _count_numbers_in_digits(long), _count_numbers_in_digits(split)
        )
        possible_long = find_possible_numbers(long, language)
        lost = in_long.count_missing_from(find_possible_numbers(split, language))
        new = in_split.count_missing_from(possible_long)
        added = _count_added(_LIST_MARK.sub("", split), in_split, in_long, possible_long)
        return max(min(lost, new + more_split), min(new, lost + more_long), added, facts)


def _count_exchanged_facts(long: str, split: str, language: str) -> int:
    """Return how many facts of one kind, such as weekdays, were exchanged for others.

    One fact was exchanged if the long sentence has `Monday` where the split has `Tuesday`: each of them has a weekday
    that the other lacks. If several kinds of facts were exchanged, the highest count is returned.
    """
    sides = [set(_WORD_OR_SIGN.findall(text.lower())) for text in (long, split)]
    exchanged = [0]
    for kind in section(language, "numbers").get("facts", {}).values():
        in_long, in_split = (
            {n for n, forms in enumerate(kind) if not words.isdisjoint(forms)} for words in sides
        )
        exchanged.append(min(len(in_long - in_split), len(in_split - in_long)))
    return max(exchanged)


def _count_added(
    split: str, in_split: TextNumbers, in_long: TextNumbers, possible_long: TextNumbers
) -> int:
    """Count the numbers in digits and the months that the split has and the long sentence lacks."""
    written = {*digit_runs(_IN_NAME.sub(" ", remove_separators(split))), *_MONTHS}
    added = in_split.plain.intersection(written) - in_long.plain
    added -= {year for year in added if is_year(year) and year[2:].lstrip("0") in in_long.plain}
    return TextNumbers(added, frozenset()).count_missing_from(possible_long)


def _count_repetitions(long: Counter[str], split: Counter[str]) -> tuple[int, int]:
    """Return how much more often each side repeats the numbers in digits that both sides share.

    If `long` has `4.4` twice and the halves have it once, the result is (1, 0).
    """
    more = [long[number] - split[number] for number in long.keys() & split]
    return sum(max(0, n) for n in more), sum(max(0, -n) for n in more)


def _count_numbers_in_digits(text: str) -> Counter[str]:
    """Count how often each number that is written in digits occurs in a text."""
    compounds, rest = extract_compound_numbers(remove_separators(text))
    return Counter([*(compound.name for compound in compounds), *digit_runs(rest)])
