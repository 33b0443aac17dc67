"""Labels of words: from two texts, back to a text, in a vocabulary, and decoded from logits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.research.models import tags
from bitext_pivot.research.models.tags import CUT, Label
from bitext_pivot.research.models.texts import finished, words

KEEP, DELETE = Label(True, ""), Label(False, "")
WORDS = st.lists(
    st.sampled_from(["the", "cat", "sat", "and", "dog", "ran", "it", "7"]), min_size=1, max_size=10
)


def tokens(text: str) -> list[str]:
    return [word[0] for word in words(text)]


def test_labels_of_the_worked_example() -> None:
    source, target = "Tom sings , and Ann plays .", "Tom sings . <SEP> Ann plays ."
    labels = tags.labels(tokens(source), tokens(target))
    assert labels == [KEEP, KEEP, Label(False, CUT), DELETE, KEEP, KEEP, KEEP, KEEP]
    assert tags.text(source, labels) == target


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("Tom, who sings, left.", "Tom left. <SEP> He sings."),
        (
            "My aunt lives alone, but my mother visits her.",
            "My aunt lives alone. <SEP> However, my mother visits her.",
        ),
        ("He came ( late ) and he left .", "He came ( late ) . <SEP> He left ."),
        ("one two", "Three one two four."),
    ],
)
def test_a_target_comes_back_from_its_labels(source: str, target: str) -> None:
    assert tags.text(source, tags.labels(tokens(source), tokens(target))) == target


@given(WORDS, WORDS, WORDS)
def test_any_words_come_back(source: list[str], first: list[str], second: list[str]) -> None:
    target = [*first, ".", "<SEP>", *second, "."]
    labels = tags.labels([*source, "."], target)
    text = tags.text(f"{' '.join(source)} .", labels)
    assert tokens(text.lower()) == tokens(" ".join(target).lower())


def test_a_text_without_words_is_never_the_result() -> None:
    assert tags.text("He left , at last .", [Label(False, "")] * 6) == "He left , at last ."


def test_words_without_a_label_stay() -> None:
    assert tags.text("Tom sings , and Ann plays .", [KEEP, KEEP, Label(False, CUT), DELETE]) == (
        "Tom sings . <SEP> Ann plays ."
    )


@pytest.mark.parametrize(
    ("sentence", "spaced", "expected"),
    [
        ("he left , .", True, "He left ."),
        ("he left,", False, "He left."),
        ("he left ;", True, "He left ."),
        ("\" is it ? '", True, "\" Is it ? '"),
        (", .", True, ""),
    ],
)
def test_a_sentence_ends_in_one_mark(sentence: str, spaced: bool, expected: str) -> None:
    assert finished(sentence, is_spaced=spaced) == expected


def test_a_vocabulary_has_what_is_seen_twice() -> None:
    he = Label(True, f"{CUT} He")
    rows = [
        [KEEP, he],
        [Label(False, f"{CUT} He also wrote it"), Label(True, "seldom")],
        [he, Label(False, f"{CUT} He")],
    ]
    labels = tags.vocabulary(rows, 300)
    assert labels[:4] == [KEEP, DELETE, Label(True, CUT), Label(False, CUT)]
    assert {*labels[4:]} == {he, Label(False, f"{CUT} He")}
    assert tags.vocabulary(rows, 2) == [KEEP, DELETE]
    assert tags.vocabulary([[KEEP, Label(True, "and")]], 300) == [KEEP, DELETE]


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        (f"{CUT} He wrote it", f"{CUT} He"),
        ("rare words . <SEP> He", f"{CUT} He"),
        (f"{CUT} She", CUT),
        ("rare", ""),
        ("", ""),
    ],
)
def test_the_longest_known_beginning_stands_for_an_unknown_phrase(
    phrase: str, expected: str
) -> None:
    vocabulary = [KEEP, DELETE, Label(True, CUT), Label(True, f"{CUT} He")]
    assert tags.known(Label(True, phrase), vocabulary) == Label(True, expected)


def test_one_split_is_decoded_where_it_gains_most() -> None:
    labels = [KEEP, DELETE, Label(True, CUT), Label(False, CUT)]
    logits = np.array([[2, 0, 1, 0], [0, 1, 0, 2.5], [3, 0, 0, 0]])
    assert tags.decode(logits, labels, "one") == [KEEP, Label(False, CUT), KEEP]
    last = np.array([[2, 0, 9, 0], [2, 0, 1, 0], [0, 0, 9, 0]])
    assert tags.decode(last, labels, "one") == [KEEP, Label(True, CUT), KEEP]
    assert tags.decode(last, labels, "any") == [Label(True, CUT), KEEP, Label(True, CUT)]
    assert tags.decode(logits[:, :2], labels[:2], "one") == [KEEP, DELETE, KEEP]


def test_names_of_labels_come_back() -> None:
    assert [Label.of(label.name) for label in (KEEP, DELETE, Label(False, f"{CUT} It"))] == [
        KEEP,
        DELETE,
        Label(False, f"{CUT} It"),
    ]
