"""More bad pairs made of good ones: sentences that say something else than before, or are cut or joined wrongly.

The functions are like those of bad_pairs.py.
"""

import calendar
import itertools
import random
import re
from collections.abc import Callable

from bad_pairs import GoodPair, Kind, Sentences

_MONTHS = calendar.month_name[1:]
_DATE = re.compile(rf"\b(?P<month>{'|'.join(_MONTHS)})\b|\b(?P<year>(?:19|20)\d\d)\b")
_DAY = re.compile(
    rf"\b\d{{1,2}}(?=(?:st|nd|rd|th)? (?:of )?(?:{'|'.join(_MONTHS)})\b)|(?<=[a-z] )\d{{1,2}}(?= ?, (?:19|20)\d\d)"
)
_NUMBER = re.compile(r"\d+")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+)*")
_WORD = re.compile(r"\b[a-z]{4,}\b")
_ABBREVIATIONS = ("Mr.", "Dr.", "Prof.", "Gen.", "Sen.", "Ing.", "St.", "J.")
_BEFORE_NUMBERS = ("No.", "Sept.", "est.", "approx.", "Art.", "vol.")
_CLAUSE = 4  # spaces
_FINAL = " .?!;:…\"'”»)"


def _on_a_half(change: Callable[[str, GoodPair, GoodPair, random.Random], str | None]) -> Kind:
    """Return the kind that changes one of the halves, or the other one if the first cannot be changed."""

    def kind(source: GoodPair, donor: GoodPair, dice: random.Random) -> Sentences | None:
        first = dice.randrange(2)
        for place in (first, 1 - first):
            text = change(source.split[place], source, donor, dice)
            if text is not None and text != source.split[place]:
                halves = [*source.split]
                halves[place] = text
                return source.long, halves[0], halves[1]
        return None

    return kind


def _digit_changed(text: str, source: GoodPair, __: GoodPair, dice: random.Random) -> str | None:
    """Change a digit of a number that `long` has too."""
    numbers = [
        number for number in _NUMBER.finditer(text) if number[0] in _NUMBER.findall(source.long)
    ]
    if not numbers:
        return None
    place = dice.choice([place for number in numbers for place in range(*number.span())])
    return text[:place] + dice.choice("123456789".replace(text[place], "")) + text[place + 1 :]


def _date_changed(text: str, source: GoodPair, __: GoodPair, dice: random.Random) -> str | None:
    """Change the day, the month or the year of a date if `long` has it too."""
    dates = [
        date for date in (*_DATE.finditer(text), *_DAY.finditer(text)) if date[0] in source.long
    ]
    if not dates:
        return None
    date = dice.choice(dates)
    if date[0] in _MONTHS:
        new = dice.choice([month for month in _MONTHS if month != date[0]])
    else:
        new = str(int(date[0]) + dice.randint(1, 9))
    return text[: date.start()] + new + text[date.end() :]


def _names_replaced(source: GoodPair, donor: GoodPair, _: random.Random) -> Sentences | None:
    """Replace all capitalised words inside the halves by those of the other pair."""
    names = [name for half in donor.split for name in _NAME.findall(half)]
    if not names or not any(map(_NAME.search, source.split)):
        return None
    following = itertools.cycle(names)
    first, second = (_NAME.sub(lambda _: next(following), half) for half in source.split)
    return source.long, first, second


def _cut_behind_abbreviation(
    source: GoodPair, _: GoodPair, dice: random.Random
) -> Sentences | None:
    """Put an abbreviation before a name or number in the middle of `long`, and cut `long` behind it into halves."""
    words = source.long.split()
    middle = range(max(1, len(words) // 4), 3 * len(words) // 4)
    places = [n for n in middle if words[n][0].isupper() or words[n].isdigit()]
    if not places:
        return None
    place = dice.choice(places)
    word = dice.choice(_BEFORE_NUMBERS if words[place].isdigit() else _ABBREVIATIONS)
    before, after = f"{' '.join(words[:place])} {word}", " ".join(words[place:])
    return f"{before} {after}", before, after


def _joined(first: str, second: str) -> str:
    return f"{first.rstrip(_FINAL)}, and {second[0].lower()}{second[1:]}"


def _seam_without_mark(source: GoodPair, _: GoodPair, __: random.Random) -> Sentences:
    return f"{source.split[0].rstrip(_FINAL)} {source.split[1]}", *source.split


def _clause_made_up(source: GoodPair, donor: GoodPair, __: random.Random) -> Sentences:
    """Join the other pair's shorter half to `long`, up to its comma unless that is too short for a clause."""
    half = min(donor.split, key=len)
    clause, _, _ = half.partition(",")
    clause = clause if clause.count(" ") >= _CLAUSE else half
    return f"{_joined(source.long, clause).rstrip(_FINAL)} .", *source.split


def _half_covers(source: GoodPair, dice: random.Random, text: str | None) -> Sentences | None:
    if not text:
        return None
    return (
        (source.long, text, source.split[1])
        if dice.randrange(2)
        else (source.long, source.split[0], text)
    )


def _words_untranslated(
    text: str, source: GoodPair, _: GoodPair, dice: random.Random
) -> str | None:
    """Replace two words that stand together by two of the source."""
    foreign = (source.foreign_long or " ".join(source.foreign_split or ())).split()
    words = text.split()
    if len(foreign) < 2 or len(words) < 4:
        return None
    start, place = dice.randrange(len(foreign) - 1), dice.randrange(1, len(words) - 2)
    return " ".join([*words[:place], *foreign[start : start + 2], *words[place + 2 :]])


def _words_wrong(text: str, _: GoodPair, donor: GoodPair, dice: random.Random) -> str | None:
    """Replace two thirds of the lower-case words of four letters or more by such words of the other pair."""
    words, others = [*_WORD.finditer(text)], _WORD.findall(donor.long)
    if len(words) < 3 or not others:
        return None
    for word in sorted(
        dice.sample(words, round(2 * len(words) / 3)), key=re.Match.start, reverse=True
    ):
        text = text[: word.start()] + dice.choice(others) + text[word.end() :]
    return text


CHANGED: dict[str, Kind] = {
    "digit changed": _on_a_half(_digit_changed),
    "date changed": _on_a_half(_date_changed),
    "names replaced": _names_replaced,
    "neighbour": _on_a_half(lambda _, source, __, ___: source.neighbour),
    "cut behind abbreviation": _cut_behind_abbreviation,
    "first twice": lambda source, _, __: (source.long, source.split[0], source.split[0]),
    "first in other words": lambda source, _, __: (
        (source.long, source.split[0], source.variant_first) if source.variant_first else None
    ),
    "half says both": lambda source, _, dice: _half_covers(source, dice, _joined(*source.split)),
    "half covers long": lambda source, _, dice: _half_covers(source, dice, source.variant_long),
    "clause made up": _clause_made_up,
    "seam without mark": _seam_without_mark,
    "two words untranslated": _on_a_half(_words_untranslated),
    "two thirds wrong": _on_a_half(_words_wrong),
}
