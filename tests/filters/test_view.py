"""Words as filters compare them: one form for each way to write the same letters."""

import unicodedata

import pytest
from factories import unparsed

from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.content_overlap import ContentOverlapFilter
from bitext_pivot.filters.copies import CopiesFilter
from bitext_pivot.filters.language import LanguageFilter
from bitext_pivot.filters.numbers import NumbersFilter
from bitext_pivot.filters.overlap import OverlapFilter
from bitext_pivot.filters.repetition import RepetitionFilter
from bitext_pivot.filters.untranslated import UntranslatedFilter
from bitext_pivot.filters.view import View

LONG = "The first officer of our café in Berlin met 12 men , and they walked home ."
HALVES = "The first officer of our café in Berlin met 12 men .", "They walked home ."
FULL_WIDTH = str.maketrans(
    {chr(code): chr(code + 0xFEE0) for code in range(ord("0"), ord("z") + 1) if chr(code).isalnum()}
)
FORMS = {
    "full width": LONG.translate(FULL_WIDTH),
    "ligatures": LONG.replace("ffi", "ﬃ").replace("fi", "ﬁ"),
    "letters and accents": unicodedata.normalize("NFD", LONG),
    "mathematical letters": LONG.replace("officer", "𝐨𝐟𝐟𝐢𝐜𝐞𝐫"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "rule",
    [
        LanguageFilter(),
        OverlapFilter(),
        ContentOverlapFilter(),
        CopiesFilter(),
        RepetitionFilter(),
        UntranslatedFilter(),
        NumbersFilter(),
    ],
    ids=lambda rule: type(rule).__name__,
)
def test_another_form_of_the_same_letters_changes_no_score(rule: RuleFilter, form: str) -> None:
    usual = rule.score([unparsed(LONG, *HALVES)])
    assert rule.score([unparsed(FORMS[form], *HALVES)]) == usual
    assert rule.score([unparsed(FORMS[form], FORMS[form], HALVES[1])]) == rule.score(
        [unparsed(LONG, LONG, HALVES[1])]
    )


@pytest.mark.parametrize("text", ["la 1ª casa", "2½ cakes … 5 m²", "№ 5 ™"])
def test_characters_with_a_meaning_of_their_own_stay(text: str) -> None:
    assert View(unparsed(text, text, text)).texts == [text] * 3


def test_offsets_of_tokens_are_those_of_the_compared_text() -> None:
    view = View(unparsed(*[FORMS["ligatures"]] * 3))
    long = view.parses[0]
    assert [
        view.texts[0].startswith(t, n) for t, n in zip(long.tokens, long.starts, strict=True)
    ] == [True] * len(long.tokens)
