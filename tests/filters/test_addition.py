"""What each half adds, counted by hand."""

import pytest
from factories import flat, parsed

from filters.addition import Addition

LONG = "The/DET cat/NOUN slept/VERB and/CCONJ two/NUM dogs/NOUN barked/VERB ./PUNCT"
CASES = {
    "each half has its own words": ("The/DET cat/NOUN slept/VERB", "two/NUM dogs/NOUN barked/VERB", 2),
    "one half is the whole source": (LONG, "A/DET bird/NOUN sang/VERB", 0),
    "one half is the whole source, the other repeats a part": (LONG, "dogs/NOUN barked/VERB", 0),
    "words of no content count nothing": ("The/DET cat/NOUN", "and/CCONJ the/DET ./PUNCT", 0),
    "words that long lacks count nothing": ("cat/NOUN", "bird/NOUN dogs/NOUN", 1),
}


@pytest.mark.parametrize("case", CASES)
def test_the_half_that_adds_least_counts(case: str) -> None:
    first, second, expected = CASES[case]
    assert Addition().score([parsed(*map(flat, (LONG, first, second)))]) == [expected]
    assert Addition().score([parsed(*map(flat, (LONG, second, first)))]) == [expected]


def test_it_is_off_until_a_word_is_asked_for() -> None:
    assert [Addition(min_words=number).is_on for number in (0, 1, 2)] == [False, True, True]


def test_the_threshold_itself_stays() -> None:
    assert [Addition(min_words=1).accepts(score) for score in (0, 1, 2)] == [False, True, True]
