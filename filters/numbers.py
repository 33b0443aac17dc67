"""Numbers and other exact facts that were exchanged, and numbers that only a half has.

Not a filter of the paper. The way a number is written does not count: `1,000`, `1.000`, `1 000` and
`a thousand` are equal, `2.5 million` is 2,500,000, `10k` is 10,000, `3.50` is `3,5`, `two thirds` is `⅔`,
`a dozen` is 12, `a week` may be 7, `2.631 million` 2,631 million, `3rd`, `third` and `III` are 3, `07` and `٧` are 7,
`the 1990s` are `the nineties`, `8.30 p.m.` is `20:30`, and `12 March 1999` may be `12/3/99`. A
number that the halves only leave out is accepted, unless `long` has one too many: `sections 4.4 and 4.4` is not
`sections 4.4 and 4.7`. A number in digits, or a month, that a half has and `long` lacks is a fact of its own, unless it
is a list mark.

Numbers are read from whole phrases (numerals.py), number words by text2num (docs/decisions/0023); months,
multipliers and fractions are data of languages (section `numbers`). Words that may be no number, such as
`one`, `half`, `dozen`, `second` and `I`, are equal to that number, but are not missed on the other side.

Decimals, times of day with a.m. or p.m. and dates in digits are compared as wholes (compound_numbers.py): `3.5` is
not `5.3`.

Facts that are words are compared kind by kind (data of languages, `facts`): weekdays, directions,
currencies, `he` and `she`. Each side must have one that the other lacks, because one that is only left out
is no contradiction.
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
"""A number at the beginning of a half, before a bracket or a full stop; a bare one is that of a page."""
_IN_NAME = re.compile(r"(?<=[^\W\d_])\d+")
"""Digits right behind a letter: `SO2`, `A380`."""
_MONTHS = frozenset(str(MONTH + month) for month in range(1, 13))
_WORD_OR_SIGN = re.compile(r"\w+|[$€£¥]")


class NumbersFilter(RuleFilter):
    """How many numbers, or words for days, directions, currencies, he or she, were exchanged, or added."""

    VERSION: ClassVar[int] = 9
    max_changed: int = Field(default=0, title="Maximum numbers", ge=0, le=1000)
    """Maximum number of numbers, or words of one of these kinds, that may differ between the two sides."""

    def measure(self, pair: View) -> float:
        """Return the largest number: of exchanged numbers, added numbers or exchanged facts."""
        language = pair.language
        long, split = normalise_digits(pair.texts[0]), normalise_digits("\n".join(pair.texts[1:]))
        facts = _exchanged_facts(long, split, language)
        in_long, in_split = find_numbers(long, language), find_numbers(split, language)
        if in_long == in_split and sorted(digit_runs(long)) == sorted(digit_runs(split)):
            return facts
        more_long, more_split = _surpluses(_as_written(long), _as_written(split))
        possible_long = find_possible_numbers(long, language)
        lost = in_long.count_missing_from(find_possible_numbers(split, language))
        new = in_split.count_missing_from(possible_long)
        added = _added(_LIST_MARK.sub("", split), in_split, in_long, possible_long)
        return max(min(lost, new + more_split), min(new, lost + more_long), added, facts)


def _exchanged_facts(long: str, split: str, language: str) -> int:
    """Return how many facts of a kind each side has that the other lacks; the kind with the most counts."""
    sides = [set(_WORD_OR_SIGN.findall(text.lower())) for text in (long, split)]
    exchanged = [0]
    for kind in section(language, "numbers").get("facts", {}).values():
        in_long, in_split = (
            {n for n, forms in enumerate(kind) if not words.isdisjoint(forms)} for words in sides
        )
        exchanged.append(min(len(in_long - in_split), len(in_split - in_long)))
    return max(exchanged)


def _added(
    split: str, in_split: TextNumbers, in_long: TextNumbers, possible_long: TextNumbers
) -> int:
    """Return how many numbers in digits, and months, only the halves have, in any reading of `long`."""
    written = {*digit_runs(_IN_NAME.sub(" ", remove_separators(split))), *_MONTHS}
    added = in_split.plain.intersection(written) - in_long.plain
    added -= {year for year in added if is_year(year) and year[2:].lstrip("0") in in_long.plain}
    return TextNumbers(added, frozenset()).count_missing_from(possible_long)


def _surpluses(long: Counter[str], split: Counter[str]) -> tuple[int, int]:
    """Return how many more times than the other side each side has the numbers in digits that both have."""
    more = [long[number] - split[number] for number in long.keys() & split]
    return sum(max(0, n) for n in more), sum(max(0, -n) for n in more)


def _as_written(text: str) -> Counter[str]:
    """Return how often a text has each number that is written in digits."""
    compounds, rest = extract_compound_numbers(remove_separators(text))
    return Counter([*(compound.name for compound in compounds), *digit_runs(rest)])
