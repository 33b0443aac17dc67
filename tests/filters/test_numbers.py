"""Numbers exchanged, counted by hand."""

import csv
from decimal import Decimal
from pathlib import Path

import pytest
from factories import unparsed
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.filters.numbers import NumbersFilter

CASES = {
    "the same": ("In 1996 we bought 3.", "In 1996.", "We bought 3.", "en", 0),
    "another year": ("In 1996 we bought 3.", "In 1969.", "We bought 3.", "en", 1),
    "two others": ("From 4 to 6.", "From 5.", "To 7.", "en", 2),
    "one left out": ("In 1996 we bought 3.", "In 1996.", "We bought some.", "en", 0),
    "two put in": ("We bought some.", "In 1996.", "We bought 3.", "en", 2),
    "a small number put in": ("We bought some dogs.", "We bought 25 dogs.", "Some bark.", "en", 1),
    "a number word put in": ("Both bark.", "The two bark.", "They bite.", "en", 0),
    "a list mark put in": ("We left, and it rained.", "(11) We left.", "2. It rained.", "en", 0),
    "the number of a page": ("We left, and it rained.", "56 We left.", "It rained.", "en", 1),
    "that of a page which long has": (
        "56 We left, and it rained.",
        "56 We left.",
        "It rained.",
        "en",
        0,
    ),
    "a number of a half that long spells out": (
        "We bought twenty-five dogs.",
        "We bought 25.",
        "They bark.",
        "en",
        0,
    ),
    "thousands by comma, stop, blank": ("1,000 and 20.000", "1 000", "20000", "en", 0),
    "thousands by no-break spaces": ("1\u00a0000 or 2\u202f000 km", "1,000", "2000 km", "fr", 0),
    "four digits behind a comma": ("1,0000 or 1,000,00", "1 and 0", "10000 and 0", "en", 1),
    "thousands between blanks": ("1 , 000 km", "1.000", "km", "en", 0),
    "decimals between blanks": ("4 . 5 mg", "4.5", "mg", "en", 0),
    "leading zeros": ("on 07 May", "on 7", "May", "en", 0),
    "spelled out": ("three dogs and 2 cats", "3 dogs", "two cats", "en", 0),
    "spelled out in the halves alone": ("3 dogs and 9 cats", "three dogs", "8 cats", "en", 1),
    "spelled out in full": ("two hundred and five houses", "205", "houses", "en", 0),
    "a part of it": ("two hundred houses", "two", "houses", "en", 1),
    "hyphen": ("twenty-five of 26 men", "25", "26 men", "en", 0),
    "one and a second are no numbers": ("one came, 3 left", "a second came", "three left", "en", 0),
    "but equal the number": ("1 dog, 7 cats", "one dog", "seven cats and 4 birds", "en", 1),
    "1 exchanged": ("1 tablet", "4", "tablets", "en", 1),
    "a time of day": ("from 10am to 8.30 p.m.", "from 10:00", "to 20:30", "en", 0),
    "another time of day": ("at 3 p.m. we left 7", "at 14:00", "7 left", "en", 1),
    "the hour without the half of the day": (
        "at 8 in the evening of 7 May",
        "at 8 p.m.",
        "7 May",
        "en",
        0,
    ),
    "a thousand million": ("23 thousand million of 4", "23 billion", "4", "en", 0),
    "multiplied": ("30 thousand of 2.5 million", "30,000", "2,500,000", "en", 0),
    "multiplied otherwise": ("2.5 million", "2.5 billion", "", "en", 1),
    "both of a range multiplied": ("2 to 3 million", "2 million", "to 3 million", "en", 0),
    "ordinals": ("the third and the 21st", "the 3rd", "the twenty-first", "en", 0),
    "another ordinal": ("the third", "the fourth", "", "en", 1),
    "decades": ("in the 1990s and the '80s", "in the nineties", "and eighties", "en", 0),
    "another decade": ("in the 1990s", "in the eighties", "", "en", 1),
    "one of two equal numbers": ("see 4.4 and 4.4", "see 4.4", "and 4.7", "en", 1),
    "one of two equal numbers put in": ("from 10 to 40 min", "from 40", "to 40 min", "en", 1),
    "one of two equal numbers left out": ("see 4.4 and 4.4", "see 4.4", "", "en", 0),
    "one of two equal numbers left out, another put in": (
        "in 5 of 5 towns",
        "in 5 towns",
        "on 7 lakes",
        "en",
        1,
    ),
    "a number said again, another left out": (
        "5 men left 3 towns",
        "5 men left towns",
        "The 5 left.",
        "en",
        1,
    ),
    "a number said again, none left out": ("5 men left", "5 men left", "The 5 left.", "en", 0),
    "a year of two digits": ("from 2000/2001", "from 2000/01", "", "en", 0),
    "month": ("on 12 March 1999", "on 12/3/1999", "12.03.1999", "en", 0),
    "abbreviated month": ("on Sept. 5", "on September 5", "05/09", "en", 0),
    "a month is no number of something": ("( 7 ) from 1 July", "( 6 ) from 1 July", "", "en", 1),
    "month of nothing": ("In March we left", "In April", "we left", "en", 1),
    "a month that only a half has": (
        "we left in 1999",
        "we left in July 1999",
        "it rained",
        "en",
        1,
    ),
    "a formula that only a half has": (
        "less sulphur dioxide fell",
        "less sulphur dioxide ( SO2 ) fell",
        "it rained",
        "en",
        0,
    ),
    "a name with digits": ("the plane left", "the A380 left", "it rained", "en", 0),
    "a year that long shortens": (
        "the rules of ESA 95 apply",
        "the rules of ESA 1995 apply",
        "it rained",
        "en",
        0,
    ),
    "another year than the short one": (
        "the rules of ESA 95 apply",
        "the rules of ESA 1996 apply",
        "it rained",
        "en",
        1,
    ),
    "two of them": ("the paths are open", "from May to October", "they are open", "en", 2),
    "an abbreviated one": ("we left then", "we left on Sept. the first", "it rained", "en", 1),
    "a month that the halves leave out": ("we left in July", "we left", "it rained", "en", 0),
    "a month in digits": ("we left on 12/7/1999", "we left in July", "it was 12 , 1999", "en", 0),
    "a French month": ("elle est ouverte", "elle est ouverte en mai", "il pleut", "fr", 1),
    "a German month": ("wir gehen", "wir gehen im Juli", "es regnet", "de", 1),
    "a verb like a month": ("they may march", "they may march", "we may go", "en", 0),
    "another month": ("on 12 March 1999", "on 12 April 1999", "", "en", 1),
    "verbs are no months": ("they may march to 3", "they march", "to 4", "en", 1),
    "half an hour": ("within 1 . 5 hours", "after 1 hour 30 minutes", "it fell", "en", 0),
    "in minutes": ("after 90 minutes", "after 1.5 hours", "it fell", "en", 0),
    "a quarter of an hour": (
        "after 2.25 hours",
        "after 2 hours and 15 minutes",
        "it fell",
        "en",
        0,
    ),
    "years in months": ("after 2.5 years", "after 30 months", "it fell", "en", 0),
    "other minutes": ("after 1.5 hours", "after 1 hour 20 minutes", "it fell", "en", 1),
    "another part of an hour": ("after 1.2 hours", "after 1 hour 30 minutes", "it fell", "en", 1),
    "percent": ("50 % or 1.5 per cent", "50 percent", "1,5 %", "en", 0),
    "French": (
        "vingt-cinq chiens, trois cents chats et 1,5 million",
        "25",
        "300 et 1 500 000",
        "fr",
        0,
    ),
    "French decade": (
        "dans les années 1990",
        "dans les années quatre-vingt-dix",
        "années 90",
        "fr",
        0,
    ),
    "French date": ("le 12 août, 3e", "le 12/08", "troisième", "fr", 0),
    "another French number": ("vingt-cinq chiens", "trente-cinq", "chiens", "fr", 1),
    "another French month": ("le 12 août", "le 12 mai", "", "fr", 1),
    "German": ("fünfundzwanzig Hunde, 1,5 Mio. Katzen", "25", "1.500.000", "de", 0),
    "German decade": ("die 1990er und 80er", "die neunziger Jahre", "die Achtziger", "de", 0),
    "German date": ("am 3. März", "am dritten März", "3.3.", "de", 0),
    "another German number": ("fünfundzwanzig", "fünfzig", "", "de", 1),
    "ein is an article": ("ein Hund und 3 Katzen", "Hund", "drei Katzen, 4", "de", 1),
    "Spanish": ("treinta y cinco perros, 3 mil millones", "35", "3.000 millones", "es", 0),
    "Spanish decade": ("la década de 1990", "los años noventa", "años 90", "es", 0),
    "Spanish date": ("el 12 de marzo", "el 12/3", "", "es", 0),
    "another Spanish ordinal": ("el tercero", "el cuarto", "", "es", 1),
    "Czech": ("pět psů a 3 kočky", "5 psů", "tři kočky", "cs", 0),
    "spelled out in a language without a list": (
        "tres gossos i 2 gats",
        "3 gossos",
        "dos gats",
        "ca",
        1,
    ),
    "exchanged in a language without a list": ("4 gossos i 2 gats", "3 gossos", "2 gats", "ca", 1),
    "Arabic digits": ("في ١٩٩٦", "في ١٩٦٩", "في", "ar", 1),
    "four digits and three between spaces": (
        "In 1940 there were 256,000",
        "In 1940 , 256,000",
        "men",
        "en",
        0,
    ),
    "another weekday": (
        "We left on Monday, and it rained.",
        "We left on Tuesday.",
        "It rained.",
        "en",
        1,
    ),
    "a weekday left out": ("We left on Monday, and it rained.", "We left.", "It rained.", "en", 0),
    "a weekday put in": ("We left, and it rained.", "We left on Monday.", "It rained.", "en", 0),
    "a weekday of two said twice": (
        "Monday or Friday, we left.",
        "Monday.",
        "On Mondays we left.",
        "en",
        0,
    ),
    "facts of two kinds": (
        "We left on Monday for the north.",
        "We left for the north.",
        "It was dawn.",
        "en",
        0,
    ),
    "a weekday for a direction": (
        "We left on Monday, and it rained.",
        "We went north.",
        "It rained.",
        "en",
        0,
    ),
    "two other weekdays": ("Not Monday or Friday.", "Not Tuesday.", "Not Sunday.", "en", 2),
    "morning and evening": (
        "It rained in the morning.",
        "It rained in the evening.",
        "We left.",
        "en",
        1,
    ),
    "night and evening": ("It rained at night.", "It rained in the evening.", "We left.", "en", 0),
    "another direction": ("the eastern coast", "the coast in the west", "It rained.", "en", 1),
    "a direction between two": (
        "the northwestern coast",
        "the coast",
        "in the north - west",
        "en",
        0,
    ),
    "another direction between two": (
        "the north-west",
        "the northeastern coast",
        "It rained.",
        "en",
        1,
    ),
    "another currency": ("It cost $4 a day.", "It cost 4 euros.", "It was late.", "en", 1),
    "another currency of one name": (
        "It cost 4 pesos.",
        "It cost 4 pesetas.",
        "It was late.",
        "en",
        1,
    ),
    "roubles in two spellings": (
        "It cost 4 roubles.",
        "It cost 4 rubles.",
        "It was late.",
        "en",
        0,
    ),
    "French: another currency": (
        "Cela coûte 4 roubles.",
        "Cela coûte 4 lires.",
        "Il est tard.",
        "fr",
        1,
    ),
    "German: another currency": (
        "Es kostet 4 Rubel.",
        "Es kostet 4 Gulden.",
        "Es ist spät.",
        "de",
        1,
    ),
    "a currency by its sign": ("It cost £4 a day.", "It cost 4 pounds.", "It was late.", "en", 0),
    "the other gender": ("She lost her keys and left.", "He lost his keys.", "They left.", "en", 1),
    "both genders": ("She met him and left.", "She met him.", "She left.", "en", 0),
    "another weekday in German": (
        "Wir gingen am Montag.",
        "Wir gingen am Dienstag.",
        "Es war kalt.",
        "de",
        1,
    ),
    "tens of thousands": ("450 thousands of flats", "450,000 flats", "", "en", 0),
}
EQUAL = [
    "3.50 = 3.5", "0.50 = 0.5", "2.0 = 2", "3,5 = 3.5", "3 . 5 mg = 3.50 mg", "0.125 = 0,1250", "1,234.50 = 1234.5",
    "1.234,50 = 1,234.5", "1 234,50 = 1234.5", "2.50 million = 2.5 million", "$1.2 bn = 1.20 billion",
    "It cost 3.5. = 3.50", "2.5-3.5 % = from 2.5 to 3.5 %", "pages 4,5 = 4 and 5", "three point five = 3.5",
    "5.3 of 3.5 = 3.5 of 5.30",
    "10 a.m. = 10am", "10:30 a.m. = 10.30am", "10 a.m. = 10 in the morning", "3 p.m. = 15:00", "3 p.m. = 15.00",
    "3.30 p.m. = 15:30", "12 a.m. = 0:00", "12 p.m. = 12:00", "3 to 5 p.m. = 3 p.m. to 5 p.m.",
    "1999/03/12 = 12.03.1999", "1999-03-12 = 12/3/1999",
    "12/3/1999 = 3/12/1999", "12/3/1999 = in 1999", "24/7 = 24 hours", "12/3 = 12 March",
    "٣ cats = 3 cats", "۱۲ cats = 12 cats", "१२ cats = 12 cats", "１２ cats = 12 cats", "১২ cats = 12 cats",
    "๑๒ cats = 12 cats", "٣٫٥ kg = 3.5 kg", "١٬٠٠٠ kg = 1000 kg", "３．５ kg = 3.5 kg", "１，０００ kg = 1000 kg",
    "1999年3月12日 = 1999-03-12", "١٩٩٩-٠٣-١٢ = 1999-03-12",
]  # fmt: skip
DIFFERENT = [
    "10 a.m. = 10 p.m.", "3:30 a.m. = 3:30 p.m.", "10am = 10pm", "10 AM = 10 PM", "10 a . m . = 10 p . m .",
    "12 a.m. = 12 p.m.", "10-11 a.m. = 10-11 p.m.", "3 a.m. = 15:00",
    "3.5 metres = 5.3 metres", "10.4 points = 4.10 points", "3 . 5 mg = 5 . 3 mg", "2.0 = 2.5", "0.4 = 4.0",
    "3,5 = 5,3", "1,234.50 = 1,234.05", "2.5–3.5 % = 2.5–5.3 %", "3.5 of 3.5 = 3.5 of 5.3", "2.5 million = 5.2 million",
    "1999-03-12 = 13/3/1999",
    "12/3/1999 = 13/3/1999", "٣ cats = 4 cats", "٣٫٥ kg = 5.3 kg",
]  # fmt: skip
with Path(__file__).with_name("numbers.tsv").open(encoding="utf-8", newline="") as table:
    PHRASES = [*csv.reader(table, delimiter="\t", quoting=csv.QUOTE_NONE)][1:]


@pytest.mark.parametrize("case", CASES)
def test_a_number_in_another_ones_place_counts(case: str) -> None:
    *texts, language, expected = CASES[case]
    assert NumbersFilter().score([unparsed(*texts, language=language)]) == [expected]


def both_ways(one: str, other: str, language: str = "en") -> list[float | None]:
    """Return the scores of a pair whose sides differ in these texts, and of the pair turned round."""
    long, first = "The mayor saw {} there , and the crowd cheered .", "The mayor saw {} there ."
    sides = [(one, other), (other, one)]
    texts = [
        (long.format(before), first.format(after), "The crowd cheered .") for before, after in sides
    ]
    return NumbersFilter().score([unparsed(*text, language=language) for text in texts])


@pytest.mark.parametrize("case", EQUAL)
def test_the_way_a_number_is_written_does_not_count(case: str) -> None:
    assert both_ways(*case.split(" = ")) == [0, 0]


@pytest.mark.parametrize("case", DIFFERENT)
def test_another_number_of_the_same_digits_counts(case: str) -> None:
    assert both_ways(*case.split(" = ")) == [1, 1]


@pytest.mark.parametrize(("language", "verdict", "one", "other"), PHRASES)
def test_numbers_are_those_of_whole_phrases(
    language: str, verdict: str, one: str, other: str
) -> None:
    expected = verdict == "differ"
    assert [*map(bool, both_ways(one, other, language))] == [expected, expected]


@given(st.decimals(0, 99, places=2), st.decimals(0, 99, places=2))
def test_decimals_are_equal_by_their_value(one: Decimal, other: Decimal) -> None:
    assert bool(both_ways(f"{one:.4f} kg", f"{other:.2f} kg")[0]) == (one != other)


@given(st.integers(2, 99_999), st.sampled_from("٠۰०০๐０߀"))
def test_digits_of_all_scripts_are_digits(number: int, zero: str) -> None:
    written = "".join(chr(ord(zero) + int(digit)) for digit in str(number))
    assert both_ways(written, str(number)) == [0, 0]


@given(st.integers(2, 10**6), st.sampled_from(["", ",", ".", "\u00a0"]))
def test_thousands_separators_do_not_count(number: int, separator: str) -> None:
    written = f"{number:,}".replace(",", separator)
    assert NumbersFilter().score(
        [unparsed(f"we saw {number} dogs", f"we saw {written} dogs", "they ran")]
    ) == [0]


@given(st.integers(2, 99_999), st.integers(2, 99_999))
def test_a_number_in_digits_is_exchanged_for_each_other_one(one: int, other: int) -> None:
    expected = 0 if one == other else 1
    assert NumbersFilter().score(
        [unparsed(f"we saw {one} dogs", f"we saw {other} dogs", "they ran")]
    ) == [expected]
