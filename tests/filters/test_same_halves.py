"""The share of content words that both halves have, counted by hand."""

import pytest
from factories import flat, parsed

from bitext_pivot.filters.same_halves import SameHalves

ONE = "the/DET old/ADJ firm/NOUN closed/VERB"
CASES = {
    "nothing in common": (ONE, "many/ADJ people/NOUN left/VERB", 0),
    "the same": (ONE, ONE, 1),
    "the same and more": (ONE, f"{ONE} and/CCONJ many/ADJ people/NOUN left/VERB", 1),
    "the subject": (ONE, "the/DET old/ADJ firm/NOUN was/AUX large/ADJ", 2 / 3),
    "function words": (
        "the/DET old/ADJ firm/NOUN closed/VERB",
        "the/DET new/ADJ shop/NOUN opened/VERB",
        0,
    ),
    "few content words": ("firm/NOUN closed/VERB", "firm/NOUN closed/VERB", 0),
}


@pytest.mark.parametrize("case", CASES)
def test_the_shorter_half_is_compared(case: str) -> None:
    first, second, expected = CASES[case]
    sides = flat("x/X"), flat(first), flat(second)
    assert SameHalves().score([parsed(*sides)]) == [pytest.approx(expected)]
