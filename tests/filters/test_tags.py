"""Marks that are no part of a sentence."""

import pytest
from factories import unparsed

from bitext_pivot.filters.tags import TagsFilter

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
    "caf&eacute;",
    "caf&#xE9;",
    "It isn&rsquo;t.",
    "Run &kde; now.",
    "The caf\\u00e9 closed.",
    "The well @-@ known man left.",
    "The caf\ufffd closed.",
    "cafÃ©",
    "It isnâ€™t.",
]
PLAIN = [
    "In Helsinki (FI) we left.",
    "The levels ( see section 4 ) were < 1 . 3 and > 0 .",
    "( 11 ) Whereas we left;",
    "a < b and c > d",
    "Smith & Sons left; R&D stayed.",
    "AT&T; R&D; rock&roll; all left.",
    "“MAÇÔ and «IRMû left.",
    "We (the EU) left - (we hope) early.",
    "(es) we left",
    "x <y",
    "",
]


@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("text", TAGGED)
def test_a_tag_is_found_in_every_sentence(text: str, place: int) -> None:
    texts = ["We left."] * 3
    texts[place] = text
    assert TagsFilter().score([unparsed(*texts)]) == [1.0]


@pytest.mark.parametrize("text", PLAIN)
def test_a_sentence_is_left_alone(text: str) -> None:
    assert TagsFilter().score([unparsed(text, text, text)]) == [0.0]


def test_every_sentence_counts_once() -> None:
    assert TagsFilter().score([unparsed("(DE) <b> (FR)", "(DE) <b> (FR)", "a")]) == [2.0]
