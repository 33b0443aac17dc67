"""The likely encodings of text that is not UTF-8, by the letters of the languages that use each."""

import re
from pathlib import Path
from typing import NamedTuple

from bitext_pivot.core.data import read_toml

_TABLE = Path(__file__).with_suffix(".toml")
_PUNCTUATION = frozenset("“”„‘’«»—–…€°§\u00a0")
_MIXED = re.compile(r"[A-Za-z]\w*[^\W\x00-\x7f]+|[^\W\x00-\x7f]+[A-Za-z]")
"""A word with letters of ASCII and others."""
_CLOSE = 0.9
"""Share of the best score from which another encoding is named, too."""
_SAMPLE = 20_000  # bytes


class _Reading(NamedTuple):
    """A text as an encoding gives it."""

    score: float
    encoding: str
    text: str


def likely_encodings(data: bytes) -> list[str]:
    """Return the likely encodings of lines that are not UTF-8, the best first: one, or two close ones.

    Score: the share of the characters beyond ASCII that are small letters of one language with this encoding.
    """
    readings = sorted(_readings(data[:_SAMPLE]), key=lambda reading: -reading.score)
    if not readings:
        return ["cp1252"]
    best = readings[0]
    others = [
        reading.encoding
        for reading in readings
        if reading.score >= _CLOSE * best.score and reading.text != best.text
    ]
    return [best.encoding, *others[:1]]


def _readings(data: bytes) -> list[_Reading]:
    """Return the text in each encoding that can read it, in the order of the table."""
    readings = []
    for row in read_toml(_TABLE)["languages"]:
        alphabets = [frozenset(alphabet) for alphabet in row["alphabets"]]
        for encoding in row["encodings"]:
            text = _decoded(data, encoding)
            if text is not None:
                scored = text
                if row.get("whole_words"):
                    scored = _MIXED.sub("\ufffd", text)
                score = max(_share(scored, alphabet) for alphabet in alphabets)
                readings.append(_Reading(score, encoding, text))
    return readings


def _decoded(data: bytes, encoding: str) -> str | None:
    """Return a text, None if it is not in this encoding; the last character may be incomplete."""
    for end in (len(data), len(data) - 1):
        try:
            return data[:end].decode(encoding)
        except UnicodeDecodeError:
            continue
    return None


def _share(text: str, alphabet: frozenset[str]) -> float:
    """Return the share of the characters beyond ASCII that are in an alphabet, from 0 to 1."""
    others = [character for character in text if not character.isascii()]
    known = sum(character in alphabet or character in _PUNCTUATION for character in others)
    return known / max(1, len(others))
