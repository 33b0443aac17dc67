import pytest
from factories import alignment as made
from pydantic import ValidationError

from alignments.screening.lengths import Lengths, width, words


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Yes.", 1),
        ("On 3 May it rained.", 4),
        ("12.", 0),
        ("d'accord", 2),
        ("雨が降った。", 5),
        ("ฝนตก", 4),
        ("비가 왔다.", 2),
    ],
)
def test_words_are_counted_and_numbers_are_not(text: str, count: int) -> None:
    assert words(text) == count


@pytest.mark.parametrize(("text", "wide"), [("rain", 4), ("éà", 2), ("雨", 3), ("が", 2), ("비", 2), ("Ω", 1), ("", 0)])
def test_a_character_is_as_wide_as_what_it_spells(text: str, wide: int) -> None:
    assert width(text) == wide


@pytest.mark.parametrize("halves", [("Yes.", "We stayed home."), ("We stayed home.", "Yes.")])
def test_a_sentence_of_one_word_rejects_wherever_it_stands(halves: tuple[str, str]) -> None:
    assert Lengths().fault(made("Oui, nous sommes là.", *halves)) == "too few words"
    assert Lengths().fault(made("Oui", "Yes it is.", "It is so.")) == "too few words"
    assert Lengths(min_words=1).fault(made("Oui, nous sommes là.", *halves)) is None


@pytest.mark.parametrize("settings", [Lengths(max_ratio=2.0), Lengths()])
def test_the_ratio_itself_stays_and_one_more_character_goes(settings: Lengths) -> None:
    assert settings.fault(made("a b" + "c" * 17, "a bcd", "a bcd")) is None
    assert settings.fault(made("a b" + "c" * 18, "a bcd", "a bcd")) == "length ratio"
    assert settings.fault(made("a bcd", "a bcd", "a bcd")) is None
    assert settings.fault(made("a bcd", "a bcd", "a bcde")) == "length ratio"


def test_without_a_ratio_any_lengths_pass() -> None:
    assert Lengths(max_ratio=None).fault(made("a b", "a " * 100, "b " * 100)) is None


def test_chinese_is_not_short_for_its_characters() -> None:
    assert (
        Lengths().fault(made("昨天下了一整夜的雨所以我们留在家里。", "It rained all night.", "So we stayed home."))
        is None
    )


@pytest.mark.parametrize(("setting", "value"), [("min_words", -1), ("max_ratio", 0.9), ("min_word", 2)])
def test_a_setting_out_of_range_or_misspelt_is_refused(setting: str, value: float) -> None:
    with pytest.raises(ValidationError, match=setting):
        Lengths(**{setting: value})
