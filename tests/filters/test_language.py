"""Function words of other languages, counted by hand."""

import pytest
from factories import flat, parsed

from bitext_pivot.core.languages import section
from bitext_pivot.filters.language import LanguageFilter, data_signature

ENGLISH = "we left early and it rained all day"
CASES = {
    "English": (ENGLISH, "en", 0.0),
    "French": ("nous sommes partis tôt et il a plu", "en", 2 / 8),  # nous, et, il
    # These are the words wir, sind, und, es.
    "German with capitals": (
        "Wir sind früh gegangen UND es hat geregnet",
        "en",
        3 / 8,
    ),
    "half German": ("we left early und es wird nicht besser", "en", 3 / 8),  # und, es, wird, nicht
    "one word is a name's": ("the tower of el greco", "en", 0.0),
    "English among German": (ENGLISH, "de", 2 / 8),  # we, and, it; `all` is German too
    "Russian": ("мы ушли рано и это не для него", "en", 3 / 8),  # и, это, не, для
    "Chinese": ("我们 走 了 下雨 了", "en", 4 / 5),
    "Chinese where it belongs": ("我们 走 了 下雨 了", "zh", 0.0),
    "a language without a list": ("nous sommes partis et il a plu", "xx", 0.0),
    "no words": ("1 2 3 .", "en", 0.0),
    "Swedish, whose list lacks words that Danish has": (
        "min bror skrev ett långt brev som han skickade till sin lärare",
        "sv",
        0.0,
    ),
    "Danish in place of Swedish": (
        "min bror skrev et brev som han ikke kunne sende til os",
        "sv",
        2 / 12,
    ),
    "letters that number items": ("( e ) and ( o ) and ( y )", "en", 0.0),
}


@pytest.mark.parametrize("case", CASES)
def test_the_words_of_one_other_language_count_but_the_first(case: str) -> None:
    text, language, expected = CASES[case]
    assert LanguageFilter().score([parsed(*[flat(text)] * 3, language=language)]) == pytest.approx(
        [expected]
    )


@pytest.mark.parametrize("place", range(3))
def test_the_sentence_that_has_most_of_them_counts(place: int) -> None:
    sides = [flat(ENGLISH)] * 3
    sides[place] = flat("das ist nicht gut")
    assert LanguageFilter().score([parsed(*sides)]) == [0.5]
    (score,) = LanguageFilter().score([parsed(*sides, language="de")])
    assert score is not None and score > 0


@pytest.mark.parametrize(
    ("language", "name", "is_changed"),
    [
        ("en", "numbers", True),
        ("de", "function_words", True),
        ("de", "numbers", False),
        ("nl", "numbers", False),
    ],
)
def test_scores_depend_on_the_data_of_their_language_and_on_the_function_words_of_all(
    monkeypatch: pytest.MonkeyPatch, language: str, name: str, is_changed: bool
) -> None:
    before = data_signature("en")
    monkeypatch.setitem(section(language, name), "added", ["word"])
    assert (data_signature("en") != before) is is_changed


def test_own_words_are_no_sign_of_their_language_elsewhere() -> None:
    """Portuguese `o` and `e` number items in English, and are listed for Romanian and Albanian."""
    portuguese = "o rei e o conde e o duque"
    assert LanguageFilter().score([parsed(*[flat(portuguese)] * 3, language="pt")]) == [0.0]
    assert "o" not in section("pt", "function_words")["words"]
