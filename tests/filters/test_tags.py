"""Marks that are no part of a sentence."""

import pytest
from factories import flat, pair, parsed

from filters.tags import Tags
from pairs.records import ParsedPair

TAGGED = [
    "(ES) Mr President, we left.",
    "- (DE) Mr President, we left.",
    "– (IT) Mr President, we left.",
    ". (PT) We left.",
    "( FR ) We left .",
    "[EL] We left.",
    "on behalf of my group. - (NL) Mr President, we left.",
    "in writing. (SV) We left.",
    "<SPEAKER ID=1> We left.",
    "We <b>left</b>.",
    "We left.<br/>",
    "cats &amp; dogs",
    "caf&#233;",
]
PLAIN = [
    "In Helsinki (FI) we left.",
    "The levels ( see section 4 ) were < 1 . 3 and > 0 .",
    "( 11 ) Whereas we left;",
    "a < b and c > d",
    "Smith & Sons left; R&D stayed.",
    "We (the EU) left - (we hope) early.",
    "(es) we left",
    "x <y",
    "",
]


@pytest.mark.parametrize("text", TAGGED)
def test_a_tag_is_found_on_every_side(text: str) -> None:
    side = flat("a")
    for place in range(3):
        texts = ["We left."] * 3
        texts[place] = text
        assert Tags().score([ParsedPair(pair=pair(*texts), long=side, split=(side, side))]) == [1.0]


@pytest.mark.parametrize("text", PLAIN)
def test_a_sentence_is_left_alone(text: str) -> None:
    side = flat("a")
    assert Tags().score([ParsedPair(pair=pair(text, text, text), long=side, split=(side, side))]) == [0.0]


def test_every_sentence_counts_once() -> None:
    tagged = flat("(DE) <b> (FR)")
    assert Tags().score([parsed(tagged, tagged, flat("a"))]) == [2.0]
