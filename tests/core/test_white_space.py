"""White space and invisible characters: what hides a border between sentences becomes a space or nothing."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core.white_space import squeezed

CHARACTERS = [chr(code) for code in range(sys.maxunicode + 1)]
SPACES = [*filter(str.isspace, CHARACTERS)]
FORMATS = [character for character in CHARACTERS if unicodedata.category(character) == "Cf"]
WITH_INK = {
    "\u06dd",
    "\u070f",
    "\u08e2",
    "\U000110bd",
    "\U000110cd",
    *map(chr, range(0x600, 0x606)),
    "\u0890",
    "\u0891",
}


@pytest.mark.parametrize("space", [*SPACES, "\u2800", "\u3164", "\uffa0", "\ufffc"], ids=ascii)
def test_space(space: str) -> None:
    assert squeezed(f"{space}It rained.{space}{space}We left.{space}") == "It rained. We left."


@pytest.mark.parametrize("character", sorted({*FORMATS} - WITH_INK), ids=ascii)
def test_invisible(character: str) -> None:
    assert squeezed(f"It rained. {character}We left.{character}") == "It rained. We left."


@pytest.mark.parametrize("character", sorted(WITH_INK), ids=ascii)
def test_number_signs_are_visible(character: str) -> None:
    assert squeezed(f"{character}12") == f"{character}12"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("b\u00aded", "bed"),
        ("may\u00ador", "mayor"),
        ("the report (A5\u00ad0307/2000)", "the report (A5-0307/2000)"),
        ("Guinea\u00adBissau", "Guinea-Bissau"),
        ("INTER\u00adNATIONAL", "INTERNATIONAL"),
        ("avant \u00ad et non \u00ad, dit-il", "avant - et non -, dit-il"),
        ("It rained.\u200bWe left.", "It rained. We left."),
        ("It rained!\u201d\u200bWe left.", "It rained!\u201d We left."),
        ("long\u200bword", "longword"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("می\u200c خواهم.\u200c", "می خواهم."),
        ("क्\u200dष", "क्\u200dष"),
        ("It rained.\u200d We left.", "It rained. We left."),
        ("👩\u200d🔬 left", "👩\u200d🔬 left"),
        ("12\u00a0123", "12 123"),
        ("the world\x92s \x93Nature\x94 \x96 \x84so\x93", "the world’s “Nature” – „so“"),
        ("one\x85two", "one two"),
        ("a\x81b", "a\x81b"),
        ("vrai\u202f?", "vrai ?"),
        ("猫が\u3000います", "猫が います"),
        ("\ufeffIt rained.", "It rained."),
        ("a\u2066b\u2069 \u202ec\u202c", "ab c"),
    ],
)
def test_cases(text: str, expected: str) -> None:
    assert squeezed(text) == expected


@given(st.text())
def test_laws(text: str) -> None:
    result = squeezed(text)
    assert squeezed(result) == result
    assert result.split() == result.split(" ") or not result
