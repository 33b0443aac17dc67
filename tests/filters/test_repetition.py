"""Repetitions, counted by hand."""

import pytest
from factories import flat, parsed
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.filters.repetition import RepetitionFilter, longest_repetition

CASES = {
    "we left early": 0,
    "very very very good": 0,
    "very very very very good": 3,
    "on and on and on": 3,
    "of the report of the report": 3,
    "of the report on the report": 0,
    "a b c d a b c d": 4,
    "a b c x a b c": 0,
    "x a b c a b c a b y": 5,
    "Go on . Go on .": 0,
    "Go right on . Go right on .": 3,
    ", , , , ,": 3,
    "has a hard life ; and a hard life and a": 0,
    "Straße für Straße für Straße für": 4,
    "": 0,
    "a": 0,
    "a a": 0,
}


@pytest.mark.parametrize("text", CASES)
def test_what_repeats_the_words_before_it_counts(text: str) -> None:
    assert longest_repetition(text.split()) == CASES[text]


@given(st.lists(st.sampled_from("abcdef"), min_size=3, max_size=12), st.integers(2, 4))
def test_what_is_said_again_is_found_in_full(words: list[str], times: int) -> None:
    assert longest_repetition(words * times) >= len(words) * (times - 1)


@given(st.lists(st.integers(), max_size=60, unique=True))
def test_words_that_all_differ_repeat_nothing(words: list[int]) -> None:
    assert longest_repetition([str(word) for word in words]) == 0


PLAIN, LOOP = "we left", "no no no no no"


@pytest.mark.parametrize(
    ("sides", "expected"),
    [
        ((LOOP, PLAIN, PLAIN), 4),
        ((PLAIN, LOOP, PLAIN), 4),
        ((PLAIN, PLAIN, LOOP), 4),
        ((LOOP, PLAIN, LOOP), 0),
        (("no no no no", LOOP, PLAIN), 1),
    ],
)
def test_a_repetition_that_both_sides_share_is_none(
    sides: tuple[str, str, str], expected: int
) -> None:
    assert RepetitionFilter().score([parsed(*map(flat, sides))]) == [expected]


SPLIT = "she/PRON left/VERB the/DET hall/NOUN"
DOUBLED = {
    "a noun": ("she/PRON left/VERB the/DET hall/NOUN hall/NOUN", 3),
    "an adjective": ("she/PRON saw/VERB wild/ADJ wild/ADJ birds/NOUN", 3),
    "a noun and a participle": ("a/DET disc/NOUN herniated/ADJ herniated/VERB", 3),
    "a phrase": ("she/PRON left/VERB the/DET hall/NOUN the/DET hall/NOUN", 3),
    "a phrase with a name": ("we/PRON met/VERB on/ADP Friday/PROPN on/ADP Friday/PROPN", 3),
    "an article": ("she/PRON left/VERB the/DET the/DET hall/NOUN", 0),
    "two uses of a function word": ("I/PRON know/VERB that/SCONJ that/PRON is/AUX so/ADV", 0),
    "had had": ("she/PRON had/AUX had/VERB it/PRON", 0),
    "two clauses that meet": ("who/PRON pays/VERB pays/VERB twice/ADV", 0),
    "particles": ("at/ADV at/ADP least/ADV", 0),
    "a phrase and its continuation": ("from/ADP time/NOUN to/ADP time/NOUN to/PART make/VERB", 0),
    "a comma": ("no/NOUN ,/PUNCT no/NOUN", 0),
    "an adverb": ("very/ADV very/ADV good/ADJ", 0),
    "a name": ("in/ADP Pago/PROPN Pago/PROPN", 0),
    "more and more": ("old/ADJ and/CCONJ more/ADJ and/CCONJ more/ADJ", 0),
}


@pytest.mark.parametrize("case", DOUBLED)
@pytest.mark.parametrize("place", range(3))
def test_a_word_or_phrase_that_only_one_side_doubles_counts(case: str, place: int) -> None:
    text, expected = DOUBLED[case]
    sides = [SPLIT] * 3
    sides[place] = text
    assert RepetitionFilter().score([parsed(*map(flat, sides))]) == [expected]


@pytest.mark.parametrize("case", DOUBLED)
def test_what_both_sides_double_does_not_count(case: str) -> None:
    text, _ = DOUBLED[case]
    assert RepetitionFilter().score([parsed(*map(flat, (text, text, SPLIT)))]) == [0]


@pytest.mark.parametrize(
    ("long", "half"),
    [
        ("She sang New York , New York , and we left .", "She sang New York , New York ."),
        ("She sang New York , New York and we left .", "She sang New York , New York !"),
        ("It is a home away from home , a home away from home ; we left .",
         "It is a home away from home , a home away from home ."),
        ('He said " go on now , go on now " and we left .', 'He said " go on now , go on now . "'),
        ("On other strong drugs : other strong drugs may add to it ; we left .",
         "On other strong drugs : they may add to it ."),
    ],
)  # fmt: skip
def test_a_half_may_end_with_the_repetition(long: str, half: str) -> None:
    assert RepetitionFilter().score([parsed(*map(flat, (long, half, "we left .")))]) == [0]
