"""MediaWiki's rule for runs of apostrophes; expected values follow `Parser::doQuotes` step by step."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.discourse.reading.apostrophes import without_quotes


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("No markup, it's plain.", "No markup, it's plain."),
        ("''italics'' and '''bold'''", "italics and bold"),
        ("'''''both'''''", "both"),
        ("'''''both''' italics''", "both italics"),
        ("'''''both'' bold'''", "both bold"),
        ("''''four''''", "'four'"),
        ("''''''six''''''", "'six'"),
        ("'''''''seven'''''''", "''seven''"),
        ("'''open", "open"),
        ("''open", "open"),
        ("''open '''and open", "open 'and open"),
        ("''a''' b", "a' b"),
        (
            "The ''Eagle'''s stage left, and the '''crew''' waited.",
            "The Eagle's stage left, and the crew waited.",
        ),
        (
            "Some ''Britannica'''s pages by ''Nile'' authors.",
            "Some Britannica's pages by Nile authors.",
        ),
        ("L'''amour'' est '''beau'''", "L'amour est beau"),
        ("dans l'''herbe'' et l ''eau''", "dans l'herbe et l eau"),
        ("dans '''la''' ville, d'''Aix''", "dans la ville, d'Aix"),
        ("dans '''la''' ville, jusqu'''ici''", "dans la' ville, jusquici"),
        ("la '''ville d '''d'''Aix''", "la ville d d'Aix"),
        ("dans l'''herbe'' et l'''eau''", "dans lherbe et leau"),
        ("'''a''' '''b ''c", "'a b c"),
        ("", ""),
    ],
)
def test_cases(line: str, text: str) -> None:
    assert without_quotes(line) == text


@given(st.lists(st.sampled_from(["'", "''", "'''", "a", " ", "é", "ab"])).map("".join))
def test_only_apostrophes_are_deleted_and_single_ones_stay(line: str) -> None:
    text = without_quotes(line)
    assert text.replace("'", "") == line.replace("'", "")
    assert text.count("'") <= line.count("'")
    if "''" not in line:
        assert text == line
