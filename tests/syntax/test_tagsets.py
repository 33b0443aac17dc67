"""What tags and features say, looked up once each."""

import pytest

from bitext_pivot.syntax import tagsets


@pytest.mark.parametrize(
    ("tag", "morph", "expected"),
    [
        ("VBZ", "", True),
        ("NN", "", False),
        ("PRP_VBZ", "", True),
        ("X", "VerbForm=Fin", True),
        ("X", "Mood=Ind", True),
        ("X", "Mood=Ind|VerbForm=Part", False),
    ],
)
def test_a_finite_verb_is_told_by_tag_or_features(tag: str, morph: str, expected: bool) -> None:
    assert tagsets.is_finite_form(tag, morph) is expected


@pytest.mark.parametrize(
    ("tag", "morph", "expected"),
    [
        ("WP", "", True),
        ("X", "PronType=Int,Rel", True),
        ("X", "PronType=Prs", False),
        ("NN", "", False),
    ],
)
def test_a_relative_word_is_told_by_tag_or_features(tag: str, morph: str, expected: bool) -> None:
    assert tagsets.is_wh_form(tag, morph) is expected


def test_a_feature_may_have_several_values() -> None:
    assert tagsets.parse_features("PronType=Int,Rel|Case=Nom") == {
        "PronType": {"Int", "Rel"},
        "Case": {"Nom"},
    }
    assert tagsets.parse_features("").get("Case") is None


def test_a_language_without_a_list_has_no_words() -> None:
    assert [*tagsets.language_property("xx", "relative")] == []
