"""Numbers exchanged, counted by hand."""

import pytest
from factories import unparsed
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.filters.numbers import Numbers

CASES = {
    "the same": ("In 1996 we bought 3.", "In 1996.", "We bought 3.", "en", 0),
    "another year": ("In 1996 we bought 3.", "In 1969.", "We bought 3.", "en", 1),
    "two others": ("From 4 to 6.", "From 5.", "To 7.", "en", 2),
    "one left out": ("In 1996 we bought 3.", "In 1996.", "We bought some.", "en", 0),
    "one put in": ("We bought some.", "In 1996.", "We bought 3.", "en", 0),
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
    "but equal the number": ("1 dog, 7 cats", "one dog", "seven cats and 4 birds", "en", 0),
    "1 exchanged": ("1 tablet", "4", "tablets", "en", 1),
    "a time of day": ("from 10am to 8.30 p.m.", "from 10:00", "to 20:30", "en", 0),
    "another time of day": ("at 3 p.m. we left 7", "at 14:00", "7 left", "en", 1),
    "the hour without the half of the day": ("at 8 in the evening of 7 May", "at 8 p.m.", "7 May", "en", 0),
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
    "one of two equal numbers left out, another put in": ("in 5 of 5 towns", "in 5 towns", "on 7 May", "en", 1),
    "a number said again, another left out": ("5 men left 3 towns", "5 men left towns", "The 5 left.", "en", 1),
    "a number said again, none left out": ("5 men left", "5 men left", "The 5 left.", "en", 0),
    "the second year in full": ("5 of 5 over 1998-99", "5 over 1998", "and 1999", "en", 0),
    "a year of two digits": ("from 2000/2001", "from 2000/01", "", "en", 0),
    "month": ("on 12 March 1999", "on 12/3/1999", "12.03.1999", "en", 0),
    "abbreviated month": ("on Sept. 5", "on September 5", "05/09", "en", 0),
    "a month is no number of something": ("( 7 ) from 1 July", "( 6 ) from 1 July", "", "en", 1),
    "month of nothing": ("In March we left", "In April", "we left", "en", 1),
    "another month": ("on 12 March 1999", "on 12 April 1999", "", "en", 1),
    "verbs are no months": ("they may march to 3", "they march", "to 4", "en", 1),
    "percent": ("50 % or 1.5 per cent", "50 percent", "1,5 %", "en", 0),
    "French": ("vingt-cinq chiens, trois cents chats et 1,5 million", "25", "300 et 1 500 000", "fr", 0),
    "French decade": ("dans les années 1990", "dans les années quatre-vingt-dix", "années 90", "fr", 0),
    "French date": ("le 12 août, 3e", "le 12/08", "troisième", "fr", 0),
    "another French number": ("vingt-cinq chiens", "trente-cinq", "chiens", "fr", 1),
    "another French month": ("le 12 août", "le 12 mai", "", "fr", 1),
    "German": ("fünfundzwanzig Hunde, 1,5 Mio. Katzen", "25", "1.500.000", "de", 0),
    "German decade": ("die 1990er und 80er", "die neunziger Jahre", "die Achtziger", "de", 0),
    "German date": ("am 3. März", "am dritten März", "3.3.", "de", 0),
    "another German number": ("fünfundzwanzig", "fünfzig", "", "de", 1),
    "ein is an article": ("ein Hund und 3 Katzen", "Hund", "drei Katzen, 4", "de", 0),
    "Spanish": ("treinta y cinco perros, 3 mil millones", "35", "3.000 millones", "es", 0),
    "Spanish decade": ("la década de 1990", "los años noventa", "años 90", "es", 0),
    "Spanish date": ("el 12 de marzo", "el 12/3", "", "es", 0),
    "another Spanish ordinal": ("el tercero", "el cuarto", "", "es", 1),
    "Czech": ("pět psů a 3 kočky", "5 psů", "tři kočky", "cs", 0),
    "spelled out in a language without a list": ("tres gossos i 2 gats", "3 gossos", "dos gats", "ca", 1),
    "exchanged in a language without a list": ("4 gossos i 2 gats", "3 gossos", "2 gats", "ca", 1),
    "Arabic digits": ("في ١٩٩٦", "في ١٩٦٩", "في", "ar", 1),
}


@pytest.mark.parametrize("case", CASES)
def test_a_number_in_another_ones_place_counts(case: str) -> None:
    *texts, language, expected = CASES[case]
    assert Numbers().score([unparsed(*texts, language=language)]) == [expected]


@given(st.integers(2, 10**6), st.sampled_from(["", ",", ".", "\u00a0"]))
def test_thousands_separators_do_not_count(number: int, separator: str) -> None:
    written = f"{number:,}".replace(",", separator)
    assert Numbers().score([unparsed(f"we saw {number} dogs", f"we saw {written} dogs", "they ran")]) == [0]


@given(st.integers(2, 99_999), st.integers(2, 99_999))
def test_a_number_in_digits_is_exchanged_for_each_other_one(one: int, other: int) -> None:
    expected = 0 if one == other else 1
    assert Numbers().score([unparsed(f"we saw {one} dogs", f"we saw {other} dogs", "they ran")]) == [expected]
