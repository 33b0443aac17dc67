"""Numbers in digits that mean more than their parts: decimals, times of day with a.m. or p.m., and dates.

`3.5` is not `5.3`, nor `10 a.m.` `10 p.m.`, though the digits are the same. Each has other ways to write it in plain
numbers: `3,5` may be a list of 3 and 5, `8 p.m.` may be `20` or `8`, and each number of `12/3` may be the month.
"""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

MONTH = 1_000_000  # added to the number of a month, so that July is not the 7 of another place
_DIGITS = re.compile(r"\d+")
_DECIMAL = re.compile(r"(\d(?<!\d\d)(?<!\d[.,:/]\d)\d*)(?: \. |[.,])(\d+)(?![.,:/]?\d)(?! \. \d)")
"""A number with decimals; no part of `4.4.1`. `4 , 5` is no decimal, because lists look so in text with spaces."""
_QUARTERS = {"25": 15, "5": 30, "75": 45}
"""Minutes of a part of an hour, by its decimals."""
_DAY = r"(0?[1-9]|[12]\d|3[01])"
_DATE = re.compile(
    rf"(?<![./-])\b{_DAY}(?:([./-]){_DAY}\2((?:19|20)?\d\d)|/(0?[1-9]|1[0-2])(?!/))\b"
)
"""A date in digits with the year behind it or none; either may be the month. Without one also a fraction."""
_SHORT_YEARS = 50
"""Years of two digits below are those of the 21st century."""
_GREATEST = 10
"""Greatest denominator of what is a fraction rather than `9/11` or `24/7`."""
_SHORT = re.compile(r"(\d(?<![\w.,]\d)\d*(?: ?[.,] ?\d{1,2})?)([kmb])\b", re.IGNORECASE)
"""A number with `k`, `m` or `b`, which may be its unit as well, unless it is money: `5m`."""
_MONEY = ("$", "€", "£", "¥")
_FACTORS = {"k": 1e3, "m": 1e6, "b": 1e9}
_CLOCK = re.compile(
    r"\b(0?[1-9]|1[0-2])(?: ?[.:] ?([0-5]\d))? ?([ap])(?: ?\. ?m\b|m\b)", re.IGNORECASE
)
"""A time of day with a.m. or p.m."""


class CompoundNumber(NamedTuple):
    """A decimal, a time of day or a date in digits."""

    name: str
    """The same for all compounds of this meaning."""
    readings: tuple[frozenset[str], ...]
    """What else may stand for it: plain numbers, or the name of a compound."""
    is_clear: bool = True
    """False for what may be no number, as `24/7`; it is not missed on the other side."""


def digit_runs(text: str) -> list[str]:
    """Return the digit_runs of digits of a text without leading zeros."""
    return [digits.lstrip("0") or "0" for digits in _DIGITS.findall(text)]


def extract_times_and_dates(text: str) -> tuple[list[CompoundNumber], str]:
    """Return the times of day and dates of a text, and the text without them."""
    times, text = _cut(_CLOCK, _time, text)
    dates, text = _cut(_DATE, _date, text)
    short, text = _cut(_SHORT, _short, text)
    return times + dates + short, text


def extract_decimals(text: str) -> tuple[list[CompoundNumber], str]:
    """Return the numbers with decimals of a text, and the text without them."""
    return _cut(_DECIMAL, _decimal, text)


def extract_compound_numbers(text: str) -> tuple[list[CompoundNumber], str]:
    """Return all compounds of a text, and the text without them."""
    times, text = extract_times_and_dates(text)
    with_point, text = extract_decimals(text)
    return times + with_point, text


def _cut(
    pattern: re.Pattern[str], read: Callable[[re.Match[str]], CompoundNumber], text: str
) -> tuple[list[CompoundNumber], str]:
    """Return what `read` makes of the matches of a pattern, and the text without them."""
    compounds = [read(match) for match in pattern.finditer(text)]
    return compounds, pattern.sub(" ", text) if compounds else text


def _time(clock: re.Match[str]) -> CompoundNumber:
    """Return a time of day; midnight, which is 12 a.m., is 0."""
    hour, minute = int(clock[1]), int(clock[2] or 0)
    hour_of_24 = hour % 12 + 12 * (clock[3].lower() == "p")
    hours = [str(hour_of_24), str(hour)]
    in_digits = [frozenset({hour, str(minute)}) for hour in hours]
    with_point = [frozenset({_point(hour, f"{minute:02}")}) for hour in hours]
    alone = [] if minute else [frozenset({hour}) for hour in hours]
    return CompoundNumber(f"{hour_of_24}:{minute:02}", (*in_digits, *with_point, *alone))


def _date(date: re.Match[str]) -> CompoundNumber:
    """Return a date in digits, whose month may be its first or second number, or a fraction."""
    numbers = int(date[1]), int(date[3] or date[5])
    one, other = sorted(numbers)
    year = _year(date[4] or "")
    is_fraction = not year and one < other <= _GREATEST and numbers[0] == one
    readings = [frozenset({*year, str(one), str(other)})]
    for month, day in ((one, other), (other, one)):
        readings.append(_by_name(year, month, day))
    if is_fraction:
        readings.append(frozenset({f"{one / other:.4g}"}))
    name = "/".join(map(str, [one, other, *year]))
    return CompoundNumber(name, tuple(readings), is_clear=bool(year) or is_fraction)


def _year(digits: str) -> list[str]:
    """Return a year in full, in a list; an empty one for no year."""
    if len(digits) == 2:
        return [f"{19 + (int(digits) < _SHORT_YEARS)}{digits}"]
    if not digits:
        return []
    return [digits]


def _short(number: re.Match[str]) -> CompoundNumber:
    """Return a number with a multiplier of one letter, which may be a unit."""
    digits = number[1].replace(" ", "").replace(",", ".")
    value = round(float(digits) * _FACTORS[number[2].lower()])
    readings: list[frozenset[str]] = []
    if not number.string[: number.start()].rstrip().endswith(_MONEY):
        readings.append(frozenset({digits}))
    return CompoundNumber(str(value), tuple(readings))


def _by_name(year: list[str], month: int, day: int) -> frozenset[str]:
    """Return the numbers of a date whose month is a word."""
    return frozenset({*year, str(MONTH + month), str(day)})


def _decimal(number: re.Match[str]) -> CompoundNumber:
    """Return a number with decimals, which may be two numbers, or percent: `1.5` hours are 90 minutes."""
    readings = [frozenset(digit_runs(f"{number[1]} {number[2]}"))]
    if not number[2].strip("0"):
        readings.append(frozenset(digit_runs(number[1])))
    readings += _in_smaller_units(int(number[1]), number[2].rstrip("0"))
    if number[1] == "0":
        part = Fraction(f"0.{number[2]}").limit_denominator(_GREATEST)
        readings.append(frozenset({str(part.numerator), str(part.denominator)}))
        readings.append(frozenset({number[2].ljust(2, "0").lstrip("0")}))
    return CompoundNumber(_point(number[1], number[2]), tuple(readings))


def _in_smaller_units(whole: int, part: str) -> list[frozenset[str]]:
    """Return quarters of hours in hours and minutes, and in minutes; halves of years in months."""
    if part not in _QUARTERS:
        return []
    minutes = _QUARTERS[part]
    readings = [frozenset({str(whole), str(minutes)}), frozenset({str(60 * whole + minutes)})]
    if part == "5":
        readings.append(frozenset({str(12 * whole + 6)}))
    return readings


def _point(whole: str, part: str) -> str:
    """Return a decimal without needless zeros.

    >>> _point("03", "50"), _point("2", "00")
    ('3.5', '2.0')
    """
    return f"{int(whole)}.{part.rstrip('0') or '0'}"
