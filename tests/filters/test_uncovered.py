"""Content words at the end of `long` that the halves lack, counted by hand."""

import pytest
from factories import flat, parsed

from bitext_pivot.filters.uncovered import Uncovered

START = "cats/NOUN slept/VERB and/CCONJ dogs/NOUN ran/VERB"
FIRST, SECOND = "cats/NOUN slept/VERB", "dogs/NOUN ran/VERB"
TAIL = "while/SCONJ old/ADJ birds/NOUN sang/VERB"
CASES = {
    "all there": (START, FIRST, SECOND, 0),
    "three missing": (f"{START} {TAIL} ./PUNCT", FIRST, SECOND, 3),
    "one of them said otherwise": (f"{START} {TAIL}", FIRST, f"{SECOND} cheerfully/ADV", 2),
    "all said otherwise": (f"{START} {TAIL}", FIRST, f"{SECOND} aged/ADJ crows/NOUN cawed/VERB", 0),
    "in the middle": (f"{TAIL} {START}", FIRST, SECOND, 0),
    "function words": (f"{START} with/ADP it/PRON", FIRST, SECOND, 0),
    "no content words": ("it/PRON is/AUX", "it/PRON is/AUX", "it/PRON is/AUX", 0),
    "nothing in common": ("old/ADJ birds/NOUN sang/VERB", "it/PRON is/AUX", "it/PRON is/AUX", 3),
}


@pytest.mark.parametrize("case", CASES)
def test_words_that_are_missing_and_not_replaced_count(case: str) -> None:
    *sides, expected = CASES[case]
    assert Uncovered().score([parsed(*map(flat, sides))]) == [expected]
