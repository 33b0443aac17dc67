"""What a half has of `long`, counted by hand."""

import pytest
from factories import flat, parsed

from bitext_pivot.filters.content_overlap import ContentOverlap

LONG = "The/DET cat/NOUN slept/VERB and/CCONJ two/NUM dogs/NOUN barked/VERB ./PUNCT"
OTHER = "dogs/NOUN barked/VERB"
CASES = {
    "a part of long": ("The/DET cat/NOUN slept/VERB", 1.0),
    "a stranger": ("The/DET bird/NOUN sang/VERB ./PUNCT", 0.0),
    "a stranger with a word in common": ("The/DET cat/NOUN chased/VERB a/DET big/ADJ bird/NOUN", 0.25),
    "another case": ("CAT/NOUN Slept/VERB", 1.0),
    "no content, nothing to compare": ("It/PRON is/AUX", 1.0),
}


@pytest.mark.parametrize("case", CASES)
def test_the_half_that_has_less_of_long_counts(case: str) -> None:
    half, expected = CASES[case]
    assert ContentOverlap().score([parsed(*map(flat, (LONG, half, OTHER)))]) == [expected]
    assert ContentOverlap().score([parsed(*map(flat, (LONG, OTHER, half)))]) == [expected]
