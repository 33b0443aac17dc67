"""Near-duplicates: what counts as a word, Jaccard similarity, and what the index finds."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext_pivot.corpus.near_duplicates import TextIndex, TokenizedText, shingles, split_words

SENTENCE = list("abcdefghijklmnopqrst")


@pytest.mark.parametrize(("text", "expected"), [
    ("L’été, 12 €!", ["l", "été", "12"]),
    ("हिन्दी में", ["हिन्दी", "में"]),
    ("雨が降る Tokyo", ["雨", "が", "降", "る", "tokyo"]),
    ("ที่นี่", ["ที่", "นี่"]),
    ("…", []),
])  # fmt: skip
def test_words_are_letters_digits_and_marks_or_single_characters(
    text: str, expected: list[str]
) -> None:
    assert split_words(text) == expected


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
    held_out = index(0.7, (["nothing", "like", "the", "others"], 3), (SENTENCE, 7), ([], 9))
    assert held_out.find(TokenizedText([text] if isinstance(text, str) else text)) == expected


def test_a_threshold_of_one_finds_the_same_letters_only() -> None:
    held_out = index(1, (SENTENCE, 0))
    assert held_out.find(TokenizedText(SENTENCE)) == (0, False)
    assert held_out.find(TokenizedText([*SENTENCE, "x"])) is None


TEXTS = st.lists(st.sampled_from("abc"), max_size=16)
"""Of so few words that most texts share runs."""


@settings(max_examples=200)
@given(
    st.lists(TEXTS, max_size=30),
    st.lists(TEXTS, max_size=5),
    st.sampled_from([0.5, 0.55, 0.6, 0.7, 0.99]),
)
def test_the_search_finds_what_comparing_all_texts_finds(
    held_out: list[list[str]], texts: list[list[str]], threshold: float
) -> None:
    """The most similar text; of equals the one that was added first."""
    searched = index(threshold, *((text, number) for number, text in enumerate(held_out)))
    for text in texts:
        found = searched.find(TokenizedText(text))
        if "".join(text) in map("".join, held_out):
            assert found == (
                (["".join(other) for other in held_out].index("".join(text)), False)
                if text
                else None
            )
            continue
        similar = [
            (jaccard(text, other), -number)
            for number, other in enumerate(held_out)
            if text and other
        ]
        best = max(similar, default=(0.0, 0))
        assert found == ((-best[1], True) if best[0] >= threshold else None)


def index(threshold: float, *texts: tuple[Sequence[str], int]) -> TextIndex:
    return TextIndex(
        threshold, ((TokenizedText(words_of_text), number) for words_of_text, number in texts)
    )


def jaccard(left: list[str], right: list[str]) -> float:
    one, other = set(shingles(left)), set(shingles(right))
    return len(one & other) / len(one | other)
