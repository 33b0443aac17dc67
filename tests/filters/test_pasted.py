"""Sentences pasted without a space, counted by hand."""

import pytest
from factories import flat, parsed

from bitext_pivot.filters.pasted import PastedFilter

PASTED = [
    "We left.Then it rained.",
    "He asked:why not",
    "It ended;they went",
    "Stop!Go on",
    "one,two",
    'He left."Then it rained',
    "the team).The next day",
    "wait...What",
    "wait…What",
    "It ended.“Then it rained",
    "Straße.Über",
    "it (said.Then) ended",
    "It ended .Then it rained",
    "It ended in 1996.Then it rained",
    "It ended (in May).Then it rained",
    "It grew by 5 %.Then it fell",
    "It ended.A dog barked",
    "It ended .Éloïse left",
    "…And then it ended.They left",
    "he wrote to NATO.A dog barked",
    "Es kam.Es regnete",
    "Xiph.Org.Then it rained",
    "it ended.[Then it rained]",
    "in World War II.It rained",
    "It ended …And then it rained",
]
WHOLE = [
    "We left. Then it rained.",
    "long-term and/or short-term",
    "don't they're l'eau aujourd'hui don’t",
    "AT&T R&D snake_case",
    "e.g. U.S.A. Ph.D. U.S.-backed",
    "see www.example.org/a,b.",
    "see https://example.org/one,two",
    "write to me.too@example.org.",
    "Example.com, (setup.py) and last.fm.",
    "colour(ed) (co)operation employee(s)",
    "3.5mg 1,000,000 10:30am",
    "EE.UU. JJ.OO",
    "Lehrer:innen und Schüler*innen",
    '"Natur"-Artikel',
    "J.Smith and P.D.James wrote it",
    "the .NET and .Net platforms",
    "vit.B Ph.D No.I",
    "it grew .5 and .then fell",
    "a.b",
    "ab.c",
    "a.bc",
    "",
    "word ; word : word",
    "…And then it rained",
    "…And then it rained at example.org or ex.ample.org",
    "!Go on, to setup.py",
    "GOOGL.O (BMWG.DE), HSBA.L and AAPL.OQ fell",
    "Xiph.Org, Amazon.Com/books and Archive.Org's list",
    "ASP.NET, Last.FM, WWW.EXAMPLE.COM/A and README.TXT",
    "the work...[but] it went on",
    "over the past...five months, wait…what",
    "Mr.Smith, Mrs.Glass and (St.Vincent)",
    "the work…[but] it went on",
    "it said[...]that and (…)so [m]uch colo[u]r",
]


@pytest.mark.parametrize("text", PASTED)
def test_punctuation_between_letters_is_found(text: str) -> None:
    assert PastedFilter().count(text, "en") == 1


@pytest.mark.parametrize("text", WHOLE)
def test_whole_words_are_left_alone(text: str) -> None:
    assert PastedFilter().count(text, "en") == 0


def test_every_token_counts_once() -> None:
    assert PastedFilter().count("one.two,three four.five six", "en") == 2


def test_a_colon_inflects_in_finnish() -> None:
    assert [PastedFilter().count("EU:ssa", language) for language in ("fi", "en")] == [0, 1]


def test_the_exempt_marks_are_a_setting() -> None:
    assert PastedFilter(exempt="-/").count("they're short-term", "en") == 1
    assert PastedFilter(exempt="").count("they're short-term", "en") == 2


@pytest.mark.parametrize("place", [0, 1, 2])
def test_all_three_sentences_are_looked_at(place: int) -> None:
    sides = [flat("We left ."), flat("We ran ."), flat("They sat .")]
    sides[place] = flat("We left.Then it rained.Hard")
    assert PastedFilter().score([parsed(*sides)]) == [2]
