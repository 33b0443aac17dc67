from typing import get_args

import pytest
from factories import alignment as made

from bitext_pivot.alignments.screening.identify import (
    LanguageScreen,
    count_lowercase_word_letters,
    detect_other_language,
    has_function_words,
    odds_against,
    signature,
    warn_of_other_language,
)
from bitext_pivot.core.languages import LanguageCode, languages_with, section

TEXTS = {
    "en": "The children stayed at home because it had rained all night long.",
    "fr": "Les enfants sont restés à la maison parce qu'il avait plu toute la nuit.",
    "de": "Die Kinder blieben zu Hause, weil es die ganze Nacht geregnet hatte.",
    "es": "Los niños se quedaron en casa porque había llovido toda la noche.",
    "ru": "Дети остались дома, потому что всю ночь шёл дождь.",
    "zh": "孩子们留在家里，因为整夜都在下雨，街上到处都是水。",
    "ar": "بقي الأطفال في البيت لأن المطر هطل طوال الليل.",
}


@pytest.mark.parametrize("real", TEXTS)
def test_a_sentence_is_foreign_to_all_languages_but_its_own(real: str) -> None:
    assert [
        name for name in TEXTS if not LanguageScreen().is_in_other_language(TEXTS[real], name)
    ] == [real]


@pytest.mark.parametrize(
    ("text", "language", "enough"),
    [
        ("The rain fell for hours", "en", True),
        ("RAIN FELL ON THE VILLAGE", "en", True),
        ("Rain fell on the old village", "en", False),
        ("La pluie est tombée dans le village", "fr", True),
        ("The rain fell for hours", "fr", False),
        ("The rain fell for hours", "it", False),
        ("", "en", False),
    ],
)
def test_a_text_is_in_a_language_if_one_word_of_five_is_its_own(
    text: str, language: str, enough: bool
) -> None:
    assert has_function_words(text, language) is enough


def test_a_text_with_enough_function_words_is_not_identified() -> None:
    text = "We have the title: La peinture italienne depuis la renaissance florentine"
    assert odds_against(text, "en") > LanguageScreen().odds
    assert not LanguageScreen().is_in_other_language(text, "en")


@pytest.mark.parametrize("real", TEXTS)
@pytest.mark.parametrize("expected", ["en", "fr", "ru"])
def test_the_language_of_most_texts_is_named_if_it_is_another(real: str, expected: str) -> None:
    texts = [TEXTS[real]] * 6 + [TEXTS[expected]] * 5
    assert detect_other_language(texts, expected) == (None if real == expected else real)
    assert detect_other_language(texts[:4], expected) is None
    assert detect_other_language(["Yes.", *texts[5:]], expected) is None


def test_a_warning_names_both_languages_and_the_option() -> None:
    warning = warn_of_other_language("pairs.tsv", [TEXTS["fr"]] * 5, "en", "--language")
    assert (
        "pairs.tsv" in warning and "French, not English" in warning and "--language fr" in warning
    )
    assert warn_of_other_language("pairs.tsv", [TEXTS["en"]] * 5, "en") == ""


def test_the_signature_changes_with_the_function_words_of_its_languages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before, others = signature("en", "fr"), signature("de", "fr")
    monkeypatch.setitem(section("en", "identification"), "words", "the")
    assert signature("en", "fr") != before and signature("de", "fr") == others


def test_no_function_word_is_of_two_languages() -> None:
    languages = languages_with("identification")
    words = [
        word
        for language in languages
        for word in section(language, "identification")["words"].split()
    ]
    assert sorted(set(words)) == sorted(words)


@pytest.mark.parametrize("place", range(3))
def test_one_sentence_of_three_in_another_language_rejects(place: int) -> None:
    texts = [TEXTS["fr"], TEXTS["en"], "So they read a book and played with the cat."]
    assert LanguageScreen().skip_reason(made(*texts)) is None
    texts[place] = TEXTS["de"]
    assert LanguageScreen().skip_reason(made(*texts)) == "other language"
    assert LanguageScreen(enabled=False).skip_reason(made(*texts)) is None


@pytest.mark.parametrize(
    ("one", "first", "second"),
    [
        ("Rain. Snow and wind.", "Rain.", "Snow and wind."),
        ("RAIN, snow and wind", "Rain:", "snow and wind!"),
        ("Snow and wind.", "Rain.", "Snow and wind."),
        ("Rain 1.", "Rain 2.", "Snow and wind."),
    ],
)
def test_equal_text_on_both_sides_rejects_even_when_short(
    one: str, first: str, second: str
) -> None:
    assert LanguageScreen().skip_reason(made(one, first, second)) == "same text on both sides"


def test_sides_without_letters_are_not_the_same_text() -> None:
    assert LanguageScreen().skip_reason(made("12", "3", "4")) is None


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        ("Then it rained.", 8),
        ("Mrs Ashton met Mr Barroso.", 3),
        ("IT RAINED ALL NIGHT", 0),
        ("12 + 14 = 26", 0),
        ("B2 or not b2", 6),
        ("雨が降った", 5),
        ("l'État était là", 8),
    ],
)
def test_letters_outside_of_capitalized_words_are_what_can_be_judged(
    text: str, letters: int
) -> None:
    assert count_lowercase_word_letters(text) == letters


def test_the_fewest_letters_themselves_are_judged_and_one_less_passes() -> None:
    text = "les enfants sont restés"
    assert count_lowercase_word_letters(text) == 20
    assert LanguageScreen(min_letters=20).is_in_other_language(text, "en")
    assert not LanguageScreen(min_letters=21).is_in_other_language(text, "en")


def test_what_is_not_judged_is_told() -> None:
    judged = made(TEXTS["fr"], TEXTS["en"], "So they read a book and played.")
    short = made(TEXTS["fr"], TEXTS["en"], "Why not?")
    assert LanguageScreen().can_check(judged)
    assert not LanguageScreen().can_check(short)
    assert LanguageScreen(enabled=False).can_check(short)


def test_the_odds_decide() -> None:
    text, low = "El niño come pan con leche por la noche.", 2.0
    odds = odds_against(text, "pt")
    assert odds > low
    assert LanguageScreen(odds=odds).is_in_other_language(text, "pt")
    assert not LanguageScreen(odds=odds * 1.01).is_in_other_language(text, "pt")
    assert odds_against(text, "es") < 1


def test_croatian_and_serbian_do_not_speak_against_each_other() -> None:
    text = "Djeca su ostala kod kuće jer je cijelu noć padala kiša."
    assert odds_against(text, "hr") < 0.1
    assert odds_against(text, "sr") < 0.1
    assert LanguageScreen().is_in_other_language(text, "fr")


def test_every_language_of_a_form_is_known() -> None:
    assert all(odds_against("12 + 14", language) > 0 for language in get_args(LanguageCode))


def test_the_signature_names_the_library_and_its_version() -> None:
    assert signature().startswith("py3langid 0.")
