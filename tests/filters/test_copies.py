"""How much of `long` one half says, counted by hand."""

import pytest
from factories import flat, parsed

from bitext_pivot.filters.copies import CopiesFilter

LONG = "The/DET cat/NOUN slept/VERB and/CCONJ dogs/NOUN barked/VERB ./PUNCT"
CASES = {
    "each half says its part": ("The/DET cat/NOUN slept/VERB", "dogs/NOUN barked/VERB", 0.5),
    "a copy": (LONG, "dogs/NOUN barked/VERB", 1.0),
    "a copy without its small words": (
        "Cat/NOUN slept/VERB dogs/NOUN barked/VERB",
        "a/DET bird/NOUN",
        1.0,
    ),
    "three words of four": ("cat/NOUN slept/VERB dogs/NOUN", "barked/VERB", 0.75),
    "strange words": ("a/DET bird/NOUN", "sang/VERB", 0.0),
}


@pytest.mark.parametrize("case", CASES)
def test_the_half_that_says_more_counts(case: str) -> None:
    first, second, expected = CASES[case]
    assert CopiesFilter().score([parsed(*map(flat, (LONG, first, second)))]) == [expected]
    assert CopiesFilter().score([parsed(*map(flat, (LONG, second, first)))]) == [expected]


def test_a_long_sentence_without_content_is_no_copy() -> None:
    assert CopiesFilter().score([parsed(*map(flat, ("is/AUX it/PRON", "is/AUX", "it/PRON")))]) == [
        0.0
    ]
