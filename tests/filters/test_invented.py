"""Words that exist nowhere, counted by hand; the words are the project's own."""

import unicodedata
from dataclasses import replace
from typing import Literal

import pytest
import wordfreq
from factories import alignment, unparsed

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.records import ParsedPair, Side
from bitext_pivot.filters import invented
from bitext_pivot.filters.invented import InventedFilter, invented_words
from bitext_pivot.filters.view import View

HALVES = ("The house is old.", "We left.")
CASES = {
    "none": ("The house is old and we left.", "", []),
    "a word and a name": ("The dishruption of Neilnock.", "", ["dishruption", "Neilnock"]),
    "twice": ("The infancery, our infancery!", "", ["infancery"]),
    "in the source": ("We saw Neilnock.", "Neilnock était là", []),
    "a cognate": ("the pollicitant", "le pollicité", []),
    "a transliteration": ("We saw Jrushtchov.", "Jruschow war da", []),
    "a word of the source's language": ("the boulangerie", "", []),
    "other endings": ("an uncorrectableness, suretyships", "", []),
    "behind a prefix": ("a counterboycott thereout", "", []),
    "compounds": ("our bicyclehouses", "", []),
    "too short": ("the xqz", "", []),
    "acronyms, hyphens, digits": ("NXQZT, xqzvt-house, xqzvt7, XqzvT x@xqzvt xqzvt.org", "", []),
    "headings": ("THE DISHRUPTION OF ALL", "", []),
    "quoted": ("«dishruption», (“infancery”).", "", ["dishruption", "infancery"]),
    "mixed scripts": ("the hоusеs", "", ["hоusеs"]),  # o and e are Cyrillic
}


@pytest.mark.parametrize("name", CASES)
def test_words_that_exist_nowhere(name: str) -> None:
    text, source, expected = CASES[name]
    assert invented_words(text, source, ("en", "fr")) == expected


@pytest.mark.parametrize("apostrophe", "'’ʼ")
def test_articles_and_possessives_are_no_part_of_a_word(apostrophe: str) -> None:
    assert invented_words(f"Neilnock{apostrophe}s house", "", ("en", "fr")) == ["Neilnock"]
    assert invented_words(f"l{apostrophe}infancerie", "", ("fr", "en")) == ["infancerie"]
    assert invented_words(f"l{apostrophe}église n{apostrophe}est pas", "", ("fr", "en")) == []


AUXILIARIES = "can't could may might must shan't should won't would need dare ought used do does is was has".split()


@pytest.mark.parametrize("apostrophe", "'’ʼ")
def test_no_auxiliary_with_not_is_invented(apostrophe: str) -> None:
    forms = [word if "'" in word else f"{word}n't" for word in AUXILIARIES]
    text = " ".join([*forms, *map(str.capitalize, forms), *map(str.upper, forms)])
    assert invented_words(text.replace("'", apostrophe), "", ("en", "fr")) == []
    assert invented_words(f"He grownln{apostrophe}t.", "", ("en", "fr")) == ["grownl"]


def test_decomposed_letters_are_those_of_the_composed_word() -> None:
    text = unicodedata.normalize("NFD", "Les élèves préfèrent l'été, où naît le garçon.")
    assert invented_words(text, "", ("fr", "en")) == []


def test_german_and_dutch_compounds_and_old_spelling() -> None:
    german = "Der Kompaktleuchtstoffbirnenhändler muß große Fußballsammelbilder kaufen."
    assert invented_words(german, "", ("de", "en")) == []
    assert invented_words("De fietsenstallingsbeheerder", "", ("nl", "en")) == []
    assert invented_words("Die Grumbelfäng", "", ("de", "en")) == ["Grumbelfäng"]


def translated(long: str, side: Side = "long", language: str = "en") -> ParsedPair:
    """A pair of which one side was translated from French; its link has other texts."""
    parsed = unparsed(long, *HALVES, language=language)
    link = alignment("La maison.", "Infancery.", "On part.")
    return replace(parsed, pair=replace(parsed.pair, translated=side, pivot="fr", alignment=link))


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_pair_is_measured_on_its_translated_side_alone(form: Literal["NFC", "NFD"]) -> None:
    long = unicodedata.normalize(form, "The dishruptiön and the infancery are old.")
    assert InventedFilter().measure(View(translated(long))) == 2
    assert InventedFilter().measure(View(translated(long, side="split"))) == 0


def test_pairs_without_source_or_list_are_not_measured() -> None:
    long = "The dishruption is old."
    assert InventedFilter().measure(View(unparsed(long, *HALVES))) is None
    assert InventedFilter().measure(View(translated(long, language="fi"))) is None
    assert not InventedFilter().supports_language("fi") and InventedFilter().supports_language("de")


@pytest.mark.parametrize("text", ["qx" * 500_000, "!" * 1_000_000, "a'" * 500_000])
def test_a_megabyte_without_spaces_is_one_word(text: str) -> None:
    assert len(invented_words(text, text[:-1], ("de", "en"))) <= 1


def test_a_list_that_cannot_be_loaded_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str, wordlist: str) -> None:
        raise LookupError(f"No wordlist {wordlist!r} available for language {name!r}")

    monkeypatch.setattr(wordfreq, "get_frequency_dict", missing)
    invented._load_word_list.cache_clear()
    with pytest.raises(SettingsError, match="package wordfreq cannot load the word list"):
        InventedFilter().measure(View(translated("The garden.")))
    invented._load_word_list.cache_clear()
