"""Numbers exchanged, counted by hand."""

import pytest
from factories import unparsed

from filters.numbers import Numbers

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
    "one spelled out, one exchanged": ("3 dogs met", "three dogs", "met 8 cats", "en", 0),
    "spelled out in French": ("trois chiens et 2 chats", "3 chiens", "deux chats", "fr", 0),
    "spelled out in a language without a list": ("tres gossos i 2 gats", "3 gossos", "dos gats", "ca", 1),
    "exchanged in a language without a list": ("4 gossos i 2 gats", "3 gossos", "2 gats", "ca", 1),
    "Arabic digits": ("في ١٩٩٦", "في ١٩٦٩", "في", "ar", 1),
}


@pytest.mark.parametrize("case", CASES)
def test_a_number_in_another_ones_place_counts(case: str) -> None:
    *texts, language, expected = CASES[case]
    assert Numbers().score([unparsed(*texts, language=language)]) == [expected]
