"""What a half has of `long`, counted by hand."""

import pytest
from factories import flat, parse, parsed

from bitext_pivot.core.records import Parse
from bitext_pivot.filters.content_overlap import ContentOverlapFilter
from bitext_pivot.filters.overlap import OverlapFilter

LONG = "The/DET cat/NOUN slept/VERB and/CCONJ two/NUM dogs/NOUN barked/VERB ./PUNCT"
OTHER = "dogs/NOUN barked/VERB"
CASES = {
    "a part of long": ("The/DET cat/NOUN slept/VERB", 1.0),
    "a stranger": ("The/DET bird/NOUN sang/VERB ./PUNCT", 0.0),
    "a stranger with a word in common": (
        "The/DET cat/NOUN chased/VERB a/DET big/ADJ bird/NOUN",
        0.25,
    ),
    "another case": ("CAT/NOUN Slept/VERB", 1.0),
    "no content, nothing to compare": ("It/PRON is/AUX", 1.0),
}


def with_lemma(*words: str) -> Parse:
    """Build a parse of words given as `token lemma POS`."""
    fields = [word.split() for word in words]
    return parse("\n".join(f"{token} {lemma} {pos} {pos} dep 0" for token, lemma, pos in fields))


@pytest.mark.parametrize("case", CASES)
def test_the_half_that_has_less_of_long_counts(case: str) -> None:
    half, expected = CASES[case]
    assert ContentOverlapFilter().score([parsed(*map(flat, (LONG, half, OTHER)))]) == [expected]
    assert ContentOverlapFilter().score([parsed(*map(flat, (LONG, OTHER, half)))]) == [expected]


@pytest.mark.parametrize(("in_long", "in_half"), [
    ("rained rain VERB", "rained raine VERB"),
    ("Rained rain VERB", "rained rained VERB"),
    ("slept sleep VERB", "slept slept NOUN"),
    ("left left ADJ", "left leave VERB"),
    ("cut cut AUX", "cut cutt VERB"),
    ("पानी पानी NOUN", "पानी पान NOUN"),
])  # fmt: skip
def test_a_word_is_the_same_whatever_lemma_and_part_of_speech_it_gets(
    in_long: str, in_half: str
) -> None:
    long = with_lemma(in_long, "dogs dog NOUN")
    assert ContentOverlapFilter().score([parsed(long, with_lemma(in_half), flat("dogs/NOUN"))]) == [
        1
    ]


def test_lemmas_that_a_third_word_connects_are_one() -> None:
    long = with_lemma("saw see VERB", "left left ADJ", "leaves leave NOUN")
    first, second = with_lemma("saw saw NOUN", "left leave VERB"), with_lemma("leaving left VERB")
    assert ContentOverlapFilter().score([parsed(long, first, second)]) == [1]
    assert OverlapFilter().score([parsed(long, first, second)]) == [1]
