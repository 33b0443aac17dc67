"""Names exchanged, counted by hand."""

import pytest
from factories import flat, parsed

from bitext_pivot.filters.names import NamesFilter

CASES = {
    "the same": ("When Anna/PROPN met Paul/PROPN", "So Anna/PROPN left", "So Paul/PROPN stayed", 0),
    "another": ("When Anna/PROPN met Paul/PROPN", "So Maria/PROPN left", "So Paul/PROPN stayed", 1),
    "the only one, in other English words": (
        "See the Annex/PROPN",
        "See the Appendix/PROPN",
        "It is long",
        1,
    ),
    "the only one, an English word on one side": (
        "See the Annex/PROPN",
        "See the Ansgar/PROPN",
        "It is long",
        2,
    ),
    "the only one": ("When Anna/PROPN left", "So Maria/PROPN left", "She left", 2),
    "all": ("When Anna/PROPN met Paul/PROPN", "So Maria/PROPN left", "So Peter/PROPN stayed", 3),
    "all of the halves": ("When Anna/PROPN met Paul/PROPN", "So Maria/PROPN left", "She stayed", 2),
    "acronyms": (
        "When AIIRAs/PROPN and ACE/PROPN stopped",
        "So ARAII/PROPN stopped",
        "It passed",
        0,
    ),
    "one left out": ("When Anna/PROPN met Paul/PROPN", "So Anna/PROPN left", "He stayed", 0),
    "one put in": ("When they met", "So Anna/PROPN left", "He stayed", 0),
    "its adjective": ("When Paris/PROPN voted", "The Parisian/PROPN vote", "It passed", 0),
    "no capital": ("When anna/PROPN left", "So maria/PROPN left", "She left", 0),
    "a name that the tagger calls common": (
        "A Swiss/ADJ Court/NOUN met",
        "A Danish/ADJ Firm/NOUN met",
        "It left",
        3,
    ),
    "the plural of an acronym": (
        "When CTVs/NOUN and MRLs/NOUN rose",
        "So TVCs/NOUN rose",
        "It passed",
        0,
    ),
    "no noun": ("When Anna/VERB left", "So Maria/VERB left", "She left", 0),
    "the first word": ("Anna/PROPN left", "Maria/PROPN left", "She left", 0),
    "behind the number of a paragraph": (
        "( 63 ) Rebates/NOUN fell",
        "( 63 ) Prices/NOUN fell",
        "It ended",
        0,
    ),
    "behind a number with a stop": ("12. Rebates/NOUN fell", "12. Prices/NOUN fell", "It ended", 0),
    "behind a letter": ("( b ) Rebates/NOUN fell", "b ) Prices/NOUN fell", "It ended", 1),
    "behind a Roman number": ("IV . Rebates/NOUN fell", "iv ) Prices/NOUN fell", "It ended", 1),
    "behind a quotation mark": ('" Rebates/NOUN fell "', "' Prices/NOUN fell '", "It ended", 0),
    "behind a dash": ("- Rebates/NOUN fell", "– Prices/NOUN fell", "It ended", 0),
    "the second word behind a number": (
        "( 63 ) When Anna/PROPN left",
        "( 63 ) So Maria/PROPN left",
        "She left",
        2,
    ),
    "behind a word of one letter": ("I met Anna/PROPN", "I met Maria/PROPN", "She left", 2),
    "numbers alone": ("12 . 13", "12 .", "13 .", 0),
    "in other letters": (
        "When Gaddafi/PROPN met Alexei/PROPN",
        "So Kaddafi/PROPN left",
        "So Aleksei/PROPN stayed",
        0,
    ),
    "another country": ("When Iran/PROPN won", "So Iraq/PROPN won", "It passed", 2),
    "a country and its people": (
        "She met the president of France/PROPN",
        "She met the French/ADJ president",
        "It rained",
        0,
    ),
    "people of another country": (
        "She met the president of Spain/PROPN",
        "She met the French/ADJ president",
        "It rained",
        2,
    ),
    "a country of two words": (
        "A bank of the United/PROPN States/PROPN fell",
        "The American/ADJ bank fell",
        "It rained",
        0,
    ),
    "a full name that only a half has": (
        "She left",
        "So Anna/PROPN Weiss/PROPN left",
        "She stayed",
        2,
    ),
    "a longer one": ("She left", "She met Anna/PROPN Maria/PROPN Weiss/PROPN", "She stayed", 3),
    "beside names of long": (
        "When Anna/PROPN left",
        "So Anna/PROPN left",
        "She met Mark/PROPN Twain/PROPN in New/PROPN Denmark/PROPN",
        2,
    ),
    "a full name whose last word long has": (
        "When Weiss/PROPN left",
        "So Anna/PROPN Weiss/PROPN left",
        "She left",
        0,
    ),
    "that opens a half": ("She left", "Anna/PROPN Weiss/PROPN left", "She stayed", 2),
    "behind an English word that opens a half": (
        "She left",
        "Light/PROPN Weiss/PROPN left",
        "She stayed",
        0,
    ),
    "an ordinal and a noun": ("She left", "She left the Sixth/PROPN Form/PROPN", "She stayed", 0),
    "in brackets": ("She left", "She left ( near New/PROPN Denmark/PROPN )", "She stayed", 2),
    "two English words": ("We rest in May", "We rest on Labour/PROPN Day/PROPN", "It rained", 0),
    "an acronym of long": (
        "When the UK/PROPN left",
        "So the United/PROPN Kingdom/PROPN left",
        "It rained",
        0,
    ),
    "two names that do not touch": ("She left", "So Anna/PROPN met Weiss/PROPN", "She stayed", 0),
    "in other letters in full": (
        "When Muammar/PROPN Gaddafi/PROPN left",
        "So Moammar/PROPN Kaddafi/PROPN left",
        "He left",
        0,
    ),
    "with accents": ("When Émile/PROPN left", "So Zoë/PROPN left", "So Émile/PROPN left", 0),
    "without its accents": (
        "When Bayón/PROPN and Émile/PROPN left",
        "So Bayon/PROPN left",
        "So Emile/PROPN left",
        0,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_name_in_another_ones_place_counts(case: str) -> None:
    long, first, second, expected = CASES[case]
    assert NamesFilter().score([parsed(*map(flat, (long, first, second)))]) == [expected]


@pytest.mark.parametrize(("language", "expected"), [("en", 2), ("fr", 2), ("de", 0)])
def test_capitals_say_little_where_every_noun_has_one(language: str, expected: float) -> None:
    texts = ("als der Hund/NOUN ging", "da ging die Katze/NOUN", "sie blieb")
    assert NamesFilter().score([parsed(*map(flat, texts), language=language)]) == [expected]
