"""Near-duplicates: what counts as a word, Jaccard similarity, and what the index finds."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.corpus.near_duplicates import HeldOut, Text, jaccard, shingles, words

ALPHABET = "abcdefghijklmnopqrstuvwxyz"
SENTENCE = list("abcdefghijklmnopqrst")


@pytest.mark.parametrize(("text", "expected"), [
    ("L’été, 12 €!", ["l", "été", "12"]),
    ("हिन्दी में", ["हिन्दी", "में"]),
    ("雨が降る Tokyo", ["雨", "が", "降", "る", "tokyo"]),
    ("ที่นี่", ["ที่", "นี่"]),
    ("…", []),
])  # fmt: skip
def test_words_are_letters_digits_and_marks_or_single_characters(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("", []), ("a", ["a"]), ("a b", ["a b"]), ("a b c", ["a b c"]), ("a b c d", ["a b c", "b c d"]),
])  # fmt: skip
def test_shingles_are_runs_of_three_words(text: str, expected: list[str]) -> None:
    assert shingles(text.split()) == expected


@pytest.mark.parametrize(("text", "expected"), [
    (SENTENCE, (7, False)),
    ("".join(SENTENCE), (7, False)),  # other spaces
    ([*SENTENCE[:-1], "x"], (7, True)),  # 17 of 19
    ([*SENTENCE[:9], "x", *SENTENCE[10:]], (7, True)),  # 15 of 21, 0.71
    ([*SENTENCE[:5], "x", *SENTENCE[6:14], "y", *SENTENCE[15:]], None),  # 12 of 24
    (SENTENCE[::-1], None),
    ([], None),
])  # fmt: skip
def test_a_text_is_found_by_its_letters_or_its_similarity(
    text: str | list[str], expected: tuple[int, bool] | None
) -> None:
    held_out = HeldOut(0.7)
    held_out.add(Text(["nothing", "like", "the", "others"]), 3)
    held_out.add(Text(SENTENCE), 7)
    held_out.add(Text([]), 9)
    assert held_out.find(Text([text] if isinstance(text, str) else text)) == expected


def test_the_most_similar_text_is_found_first_of_equals() -> None:
    held_out = HeldOut(0.5)
    for number, text in enumerate(([*SENTENCE, "x", "y"], [*SENTENCE, "x"], [*SENTENCE, "z"])):
        held_out.add(Text(text), number)
    assert held_out.find(Text(SENTENCE)) == (1, True)


def test_a_threshold_of_one_finds_the_same_letters_only() -> None:
    held_out = HeldOut(1)
    held_out.add(Text(SENTENCE))
    assert held_out.find(Text(SENTENCE)) == (0, False)
    assert held_out.find(Text([*SENTENCE, "x"])) is None


@given(st.lists(st.sampled_from(ALPHABET), min_size=1), st.lists(st.sampled_from(ALPHABET), min_size=1))
def test_jaccard_is_symmetric_and_one_for_equal_sets(one: list[str], other: list[str]) -> None:
    assert jaccard(one, other) == jaccard(other, one) <= 1
    assert (jaccard(one, other) == 1) == (set(one) == set(other))


def test_nearly_all_texts_above_the_threshold_are_found() -> None:
    """Each text loses words at one end, so that its similarity is known: the index must find 95 %."""
    draw = random.Random(1)
    held_out, found = HeldOut(0.6), 0
    texts = [[f"w{draw.randrange(10**6)}" for _ in range(24)] for _ in range(300)]
    for number, text in enumerate(texts):
        held_out.add(Text(text), number)
    for number, text in enumerate(texts):
        found += held_out.find(Text(text[8:])) == (number, True)  # 14 of 22 runs, 0.64
        assert held_out.find(Text(text[9:])) is None  # 13 of 22, 0.59
    assert found >= 285
