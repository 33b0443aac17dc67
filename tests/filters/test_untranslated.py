"""Foreign words of one side, counted by hand."""

import pytest
from factories import flat, parsed

from bitext_pivot.filters.untranslated import UntranslatedFilter

CASES = {
    "none": ("the dog ran and we left", "the dog ran", "we left", "en", 0),
    "a function word": ("the dog ran und we left", "the dog ran", "we left", "en", 1),
    "in a half": ("the dog ran and we left", "the dog ran dans it", "we werden left", "en", 2),
    "on both sides": ("the dog ran sur mer", "the dog ran sur mer", "we left", "en", 0),
    "capitalised": ("Und the dog ran", "the dog ran", "we left", "en", 0),
    "in a name": (
        "we met Ludwig van Beethoven and Karl von Weber",
        "we met Ludwig",
        "we left",
        "en",
        0,
    ),
    "two words in a name": ("we heard Cante de las Minas twice", "we heard it", "we left", "en", 0),
    "no name behind it": ("we heard Cante de las twice", "we heard it", "we left", "en", 1),
    "with a capital elsewhere": ("we saw da Vinci there", "Da Vinci left", "we left", "en", 0),
    "a piece of a frequent word": (
        "the se dogs ran and we left",
        "the dogs ran",
        "we left",
        "en",
        0,
    ),
    "its first piece": ("the dogs ran sin ce then", "since then", "we left", "en", 0),
    "a piece of a word elsewhere": ("the dogs con verse", "they converse", "we left", "en", 0),
    "a piece at the end": ("we saw un der", "we saw it under", "we left", "en", 0),
    "no piece": ("the sur dogs ran and we left", "the dogs ran", "we left", "en", 1),
    "a piece once and a word once": (
        "the se dogs ran se and left",
        "the dogs ran",
        "we left",
        "en",
        1,
    ),
    "after a name": ("we met Ludwig und we left", "we met Ludwig", "we left", "en", 1),
    "an English word": ("he met his son and did not die", "he left", "we see air", "en", 0),
    "single letters": ("a vitamin e", "vitamin y", "we left", "en", 0),
    "foreign letters": ("the présence of it", "it was there", "we left", "en", 1),
    "another script": ("the привет of it", "it was there", "we left", "en", 1),
    "pour": ("we pour it out and left", "we emptied it", "we left", "en", 0),
    "a loan word": ("the café closed and we left", "the bar closed", "we left", "en", 0),
    "a loan word by the other side": ("the purée was hot", "the puree was hot", "we left", "en", 0),
    "before a hyphen": ("the army of el - Gaddafi left", "it left", "we left", "en", 0),
    "units": ("two µg of it", "two of it", "we left", "en", 0),
    "French": ("le chien a dormi und puis", "le chien été", "il part", "fr", 1),
    "letters of French": ("été à la plage", "il est né", "il part", "fr", 0),
    "German": ("der Hund schlief pero gut", "der müde Hund", "er ging", "de", 1),
    "Spanish": ("el perro durmió with una niña", "el perro", "se fue", "es", 1),
    "a language without data": ("il cane dormiva und poi", "il cane", "poi", "it", 0),
}


@pytest.mark.parametrize("case", CASES)
def test_foreign_words_of_one_side_count(case: str) -> None:
    long, first, second, language, expected = CASES[case]
    assert UntranslatedFilter().score(
        [parsed(*map(flat, (long, first, second)), language=language)]
    ) == [expected]
