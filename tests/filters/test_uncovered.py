"""Content words at the end of a sentence that the other side lacks, counted by hand."""

import pytest
from factories import flat, parsed

from bitext_pivot.filters.uncovered import UncoveredFilter

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
    "three only in the first half": (START, f"{FIRST} {TAIL} ./PUNCT", SECOND, 3),
    "three only in the second half": (START, FIRST, f"{SECOND} {TAIL}", 3),
    "in the middle of a half": (START, f"{TAIL} {FIRST}", SECOND, 0),
    "a half for what it leaves out": (f"{START} cheerfully/ADV", FIRST, f"{SECOND} {TAIL}", 2),
    "two in each half": (START, f"{FIRST} old/ADJ birds/NOUN", f"{SECOND} sang/VERB aloud/ADV", 2),
    "nothing in common": ("old/ADJ birds/NOUN sang/VERB", "it/PRON is/AUX", "it/PRON is/AUX", 3),
}


@pytest.mark.parametrize("case", CASES)
def test_words_that_are_missing_and_not_replaced_count(case: str) -> None:
    *sides, expected = CASES[case]
    assert UncoveredFilter().score([parsed(*map(flat, sides))]) == [expected]
