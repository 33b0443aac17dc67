from typing import Any

import pytest
from factories import alignment as made

from bitext_pivot.alignments.screening.length_screen import (
    LengthScreen,
    count_words,
    weighted_length,
)


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
    assert count_words(text) == count


@pytest.mark.parametrize(
    ("text", "wide"), [("rain", 4), ("éà", 2), ("雨", 3), ("が", 2), ("비", 2), ("Ω", 1), ("", 0)]
)
def test_a_character_is_as_wide_as_what_it_spells(text: str, wide: int) -> None:
    assert weighted_length(text) == wide


@pytest.mark.parametrize(
    ("texts", "settings", "reason"),
    [
        (("Oui, nous sommes là.", "Yes.", "We stayed home."), {}, "too few words"),
        (("Oui, nous sommes là.", "We stayed home.", "Yes."), {}, "too few words"),
        (("Oui", "Yes it is.", "It is so."), {}, "too few words"),
        (("Oui, nous sommes là.", "Yes.", "We stayed home."), {"min_words": 1}, None),
        (("a b" + "c" * 17, "a bcd", "a bcd"), {}, None),
        (("a b" + "c" * 18, "a bcd", "a bcd"), {}, "length ratio"),
        (("a bcd", "a bcd", "a bcd"), {"max_ratio": 2.0}, None),
        (("a bcd", "a bcd", "a bcde"), {"max_ratio": 2.0}, "length ratio"),
        (("a b", "a " * 100, "b " * 100), {"max_ratio": None}, None),
        (
            ("昨天下了一整夜的雨所以我们留在家里。", "It rained all night.", "So we stayed home."),
            {},
            None,
        ),
    ],
)
def test_skip_reason(
    texts: tuple[str, str, str], settings: dict[str, Any], reason: str | None
) -> None:
    assert LengthScreen(**settings).skip_reason(made(*texts, languages="zh en")) == reason
