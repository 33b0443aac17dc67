"""Halves that are several sentences."""

import pytest
from factories import alignment

from bitext_pivot.alignments.screening.sentences import OneSentence

ONE = "Il pleuvait et nous sommes partis, mais il est resté."
FIRST, SECOND = "It rained all night.", "We stayed at home."
REASON = "several sentences in a half"
SEVERAL = [
    "It rained. We left.",
    "Did it rain? We left.",
    'He said: "Come." She came.',
    "It rained.\u00a0We left.",
    "- It rained. - We left.",
    "– Did it rain? – No.",
    "“It rained.” — We left.",
    "It rained… -We left.",
]
SINGLE = [
    "It rained.",
    "Mr. Brown met Dr.\u00a0Green.",
    "See No. 5 of Fig. 3.",
    "It ended... then it began.",
    "It rained.We left.",
    "- It rained.",
    "It rained - We mean it.",
    "It rained. - and then it snowed.",
    "",
]


@pytest.mark.parametrize("text", SEVERAL)
def test_a_half_of_several_sentences_rejects(text: str) -> None:
    for halves in (text, SECOND), (FIRST, text):
        assert OneSentence().skip_reason(alignment(ONE, *halves)) == REASON
        assert OneSentence(enabled=False).skip_reason(alignment(ONE, *halves)) is None
    assert OneSentence().skip_reason(alignment(text, FIRST, SECOND)) is None


@pytest.mark.parametrize("text", SINGLE)
def test_a_single_sentence_passes(text: str) -> None:
    assert OneSentence().skip_reason(alignment(ONE, FIRST, text)) is None


@pytest.mark.parametrize(
    ("text", "languages", "reason"),
    [
        ("Voir M. Martin et sa soeur.", "en fr", None),
        ("Das war am 3. Mai in Bonn.", "en de", None),
        ("Das war am 3. Mai in Bonn.", "de en", REASON),
        ("雨が降った。 私は帰った。", "en ja", None),
        ("בוא. לך.", "en he", None),
    ],
)
def test_abbreviations_are_those_of_the_language(
    text: str, languages: str, reason: str | None
) -> None:
    assert (
        OneSentence().skip_reason(alignment("It rains", FIRST, text, languages=languages)) == reason
    )
