"""Read numbers in digits that mean more than their parts, such as decimals, dates and times.

`3.5` is not `5.3`, and `10 a.m.` is not `10 p.m.`, although their digits are the same. A number may have several
readings, because the other side of the pair may write it with plain numbers: `3,5` may be a list of 3 and 5, `8 p.m.`
may be `20` or `8`, and either number of `12/3` may be the month.
"""

import re
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

MONTH = 1_000_000  # added to the number of a month, so that July differs from any other 7
_DIGITS = re.compile(r"\d+")
_DECIMAL = re.compile(r"(\d(?<!\d\d)(?<!\d[.,:/]\d)\d*)(?: \. |[.,])(\d+)(?![.,:/]?\d)(?! \. \d)")
"""A decimal number. Neither a part of `4.4.1` matches, nor `4 , 5`, which is a list in tokenised text."""
_QUARTERS = {"25": 15, "5": 30, "75": 45}
"""Minutes by the decimals of an hour: `.25` is 15 minutes, `.5` is 30 and `.75` is 45."""
_DAY = r"(0?[1-9]|[12]\d|3[01])"
_DATE = re.compile(
    rf"(?<![./-])\b{_DAY}(?:([./-]){_DAY}\2((?:19|20)?\d\d)|/(0?[1-9]|1[0-2])(?!/))\b"
)
"""A date in digits. Either number may be the month; without a year, the date may also be a fraction."""
_CENTURY_PIVOT = 50
"""Two-digit years below this number are in the 21st century, the others in the 20th."""
_MAX_DENOMINATOR = 10
"""Greatest denominator of a fraction. `9/11` and `24/7` are not fractions."""
_MULTIPLIED = re.compile(r"(\d(?<![\w.,]\d)\d*(?: ?[.,] ?\d{1,2})?)([kmb])\b", re.IGNORECASE)
"""A number with `k`, `m` or `b`, such as `5m`. Unless the number is money, the letter may also be a unit."""
_MONEY = ("$", "€", "£", "¥")
_FACTORS = {"k": 1e3, "m": 1e6, "b": 1e9}
_CLOCK = re.compile(
    r"\b(0?[1-9]|1[0-2])(?: ?[.:] ?([0-5]\d))? ?([ap])(?: ?\. ?m\b|m\b)", re.IGNORECASE
)
"""A time of day with a.m. or p.m."""


class CompoundNumber(NamedTuple):
    """A decimal, a time of day, a date, or a number such as `10k`."""

    name: str
    """Normal form: equal for all ways to write the same number, time or date."""
    readings: tuple[frozenset[str], ...]
    """Other ways to write the same number, each as a set of plain numbers or `name`s of compound numbers."""
    is_clear: bool = True
    """False if the text may not be a number, as in `24/7`. The other side of the pair then need not contain it."""


def digit_runs(text: str) -> list[str]:
    """Return the runs of digits in a text, without leading zeros: `"07:30" -> ["7", "30"]`."""
    return [digits.lstrip("0") or "0" for digits in _DIGITS.findall(text)]


def extract_times_and_dates(text: str) -> tuple[list[CompoundNumber], str]:
    """Extract times, dates and numbers such as `10k`; return them and the remaining text."""
    times, text = _extract(_CLOCK, _read_time, text)
    dates, text = _extract(_DATE, _read_date, text)
    multiplied, text = _extract(_MULTIPLIED, _read_multiplied, text)
    return times + dates + multiplied, text


def extract_decimals(text: str) -> tuple[list[CompoundNumber], str]:
    """Extract the decimal numbers from a text; return them and the remaining text."""
    return _extract(_DECIMAL, _read_decimal, text)


def extract_compound_numbers(text: str) -> tuple[list[CompoundNumber], str]:
    """Extract all compound numbers from a text; return them and the remaining text."""
    times, text = extract_times_and_dates(text)
    with_point, text = extract_decimals(text)
    return times + with_point, text


def _extract(
    pattern: re.Pattern[str], read: Callable[[re.Match[str]], CompoundNumber], text: str
) -> tuple[list[CompoundNumber], str]:
    """Convert each match of `pattern` with `read`. Return the results and the remaining text."""
    compounds = [read(match) for match in pattern.finditer(text)]
    return compounds, pattern.sub(" ", text) if compounds else text


def _read_time(clock: re.Match[str]) -> CompoundNumber:
    """Return the compound number for a match of a time of day. Midnight, 12 a.m., is hour 0."""
    hour, minute = int(clock[1]), int(clock[2] or 0)
    hour_of_24 = hour % 12 + 12 * (clock[3].lower() == "p")
    hours = [str(hour_of_24), str(hour)]
    in_digits = [frozenset({hour, str(minute)}) for hour in hours]
    with_point = [frozenset({_normalise_decimal(hour, f"{minute:02}")}) for hour in hours]
    alone = [] if minute else [frozenset({hour}) for hour in hours]
    return CompoundNumber(f"{hour_of_24}:{minute:02}", (*in_digits, *with_point, *alone))


def _read_date(date: re.Match[str]) -> CompoundNumber:
    """Return the compound number for a match of a date in digits.

    Either number may be the month, and `1/2` may be a fraction.
    """
    numbers = int(date[1]), int(date[3] or date[5])
    low, high = sorted(numbers)
    year = _full_year(date[4] or "")
    is_fraction = not year and low < high <= _MAX_DENOMINATOR and numbers[0] == low
    readings = [frozenset({*year, str(low), str(high)})]
    for month, day in ((low, high), (high, low)):
        readings.append(_with_month_name(year, month, day))
    if is_fraction:
        readings.append(frozenset({f"{low / high:.4g}"}))
    name = "/".join(map(str, [low, high, *year]))
    return CompoundNumber(name, tuple(readings), is_clear=bool(year) or is_fraction)


def _full_year(digits: str) -> list[str]:
    """Return a list with the year in four digits, empty without a year: `"98" -> ["1998"]`."""
    if len(digits) == 2:
        return [f"{19 + (int(digits) < _CENTURY_PIVOT)}{digits}"]
    if not digits:
        return []
    return [digits]


def _read_multiplied(number: re.Match[str]) -> CompoundNumber:
    """Return the compound number for a match such as `10k`.

    Unless the number is money, the letter may also be a unit.
    """
    digits = number[1].replace(" ", "").replace(",", ".")
    value = round(float(digits) * _FACTORS[number[2].lower()])
    readings: list[frozenset[str]] = []
    if not number.string[: number.start()].rstrip().endswith(_MONEY):
        readings.append(frozenset({digits}))
    return CompoundNumber(str(value), tuple(readings))


def _with_month_name(year: list[str], month: int, day: int) -> frozenset[str]:
    """Return the plain numbers of a date whose month is written as a word: day, month and year."""
    return frozenset({*year, str(MONTH + month), str(day)})


def _read_decimal(number: re.Match[str]) -> CompoundNumber:
    """Return the compound number for a match of a decimal number, with its other readings.

    `3,5` may be two numbers, `2.0` may be 2, `1.5` hours are 90 minutes, and `0.25` may be a quarter or 25 percent.
    """
    readings = [frozenset(digit_runs(f"{number[1]} {number[2]}"))]
    if not number[2].strip("0"):
        readings.append(frozenset(digit_runs(number[1])))
    readings += _in_smaller_units(int(number[1]), number[2].rstrip("0"))
    if number[1] == "0":
        part = Fraction(f"0.{number[2]}").limit_denominator(_MAX_DENOMINATOR)
        readings.append(frozenset({str(part.numerator), str(part.denominator)}))
        readings.append(frozenset({number[2].ljust(2, "0").lstrip("0")}))
    return CompoundNumber(_normalise_decimal(number[1], number[2]), tuple(readings))


def _in_smaller_units(whole: int, part: str) -> list[frozenset[str]]:
    """Return a decimal in hours as minutes, and a decimal in years as months, if they are whole.

    `1.5` may be `1` hour and `30` minutes, `90` minutes, or `18` months.
    """
    if part not in _QUARTERS:
        return []
    minutes = _QUARTERS[part]
    readings = [frozenset({str(whole), str(minutes)}), frozenset({str(60 * whole + minutes)})]
    if part == "5":
        readings.append(frozenset({str(12 * whole + 6)}))
    return readings


def _normalise_decimal(whole: str, part: str) -> str:
    """Return a decimal number without superfluous zeros.

    >>> _normalise_decimal("03", "50"), _normalise_decimal("2", "00")
    ('3.5', '2.0')
    """
    return f"{int(whole)}.{part.rstrip('0') or '0'}"
