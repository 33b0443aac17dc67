"""Targets of the adaptive loss: worked pairs, and what never changes."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core.records import Category
from bitext_pivot.research.models.hybrid import Split, hybrid
from bitext_pivot.research.models.split_texts import words
from bitext_pivot.syntax.labelling.edits import find_edit_window

AUNT = "My aunt lives alone, but my mother often visits her."
WORDS = st.lists(
    st.sampled_from(["the", "cat", "Sat", ",", "and", "dog", "-", "ran", "it"]),
    min_size=1,
    max_size=12,
)


@pytest.mark.parametrize(
    ("split", "category", "split_at", "expected"),
    [
        (
            ("My aunt is alone.", "However, my mother often visits her home."),
            "Changes Near Split",
            None,
            ("My aunt lives alone.", "However, my mother often visits her."),
        ),
        (
            ("My aunt is alone.", "My mother visits her."),
            "Direct Insertion",
            AUNT.index("but"),
            ("My aunt lives alone.", "But my mother often visits her."),
        ),
        (
            ("She is alone.", "Mother comes."),
            "Changes Across Sentence",
            20,
            ("She is alone.", "Mother comes."),
        ),
        (("My aunt is alone.", "My mother visits her."), "Direct Insertion", None, None),
    ],
)
def test_the_source_is_edited_near_the_split_only(
    split: Split, category: Category, split_at: int | None, expected: Split | None
) -> None:
    assert hybrid(AUNT, split, category, split_at) == (expected or split)


def test_spaces_of_the_source_stay() -> None:
    long = "The  cat sat on\tthe mat , and the old dog ran to  the door ."
    result = hybrid(
        long,
        ("The cat sat on a mat .", "the old dog ran to the exit ."),
        "Changes Near Split",
        None,
    )
    assert result == ("The  cat sat on\tthe mat .", "the old dog ran to  the door .")


@given(WORDS, WORDS, WORDS)
def test_outside_the_window_the_text_is_that_of_the_source(
    long: list[str], first: list[str], second: list[str]
) -> None:
    text, split = " ".join(long), (" ".join(first), " ".join(second))
    window = find_edit_window(*([word[0] for word in words(side)] for side in (text, *split)))
    result = hybrid(text, split, "Changes Near Split", None)
    if window is None:
        assert result == split
        return
    assert result[0].startswith(" ".join(long[: window.old_start]))
    assert result[1].endswith(" ".join(long[window.old_end :]))


@given(WORDS, st.integers(0, 60), st.sampled_from(get_args(Category)))
def test_any_text_gives_two_texts(long: list[str], split_at: int, category: Category) -> None:
    assert (
        len(
            hybrid(" ".join(long), ("a b .", "c d ."), category, min(split_at, len(" ".join(long))))
        )
        == 2
    )
