"""Normalise whitespace and invisible characters. All code that reads texts uses `squeezed`.

Character properties come from the Unicode Character Database through Python's `regex`.
"""

import re

import regex  # type: ignore[import-untyped]

# Characters without ink that Unicode does not count as whitespace: braille blank, Hangul fillers, the placeholder of an
# embedded object.
_BLANKS = "\u2800\u3164\uffa0\ufffc"
# Most texts need no search, because Python counts whitespace and format characters as not printable, except these.
_PRINTABLE = re.compile(rf"[{_BLANKS}\u034f]")
_SPACES = regex.compile(rf"[\s\x1c-\x1f{_BLANKS}]+")
# On some web pages, a zero width space is the only separator between two sentences.
_BORDER = regex.compile(r"(?<=[.?!\u2026][\"')\]\p{Pf}\p{Pi}]*)\u200b+(?=\S)")
# Europarl uses soft hyphens as hyphens or dashes: between spaces, between a space and a comma, between digits, and
# before a capital (`Guinea\u00adBissau`). Between other letters, a soft hyphen marks where a word may be divided.
_HYPHEN = regex.compile(
    r"(?<=\s)\u00ad+(?=[\s\p{P}])|(?<=\d)\u00ad+(?=\d)|(?<=\p{Ll})\u00ad+(?=\p{Lu})"
)
# U+200C and U+200D shape the letters and emoji on both sides of them; elsewhere they are removed.
_JOINED = r"(?<=[\p{L}\p{M}\p{S}])[\u200c\u200d]+(?=[\p{L}\p{M}\p{S}])"
# Arabic number signs are visible, and tags are part of some flags.
_VISIBLE = r"\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
# Text of Windows that was read as Latin-1 has control characters for quotation marks and dashes: `world\x92s`. U+0085
# is not replaced, because it is a line break of Unicode.
_WINDOWS = {code: bytes([code]).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}
_OF_WINDOWS = {code: text for code, text in _WINDOWS.items() if text and code != ord("\x85")}
_INVISIBLE = regex.compile(
    rf"(?:{_JOINED})(*SKIP)(*FAIL)|[[\p{{Cf}}\u034f]--[{_VISIBLE}]]", flags=regex.VERSION1
)


def squeezed(text: str) -> str:
    """Return a text on one line, with single spaces for any whitespace and without invisible characters.

    Format characters (category Cf: soft hyphen, zero width space, byte order mark, direction marks ...) are deleted,
    with three exceptions. A soft hyphen that is used as a hyphen becomes a hyphen. U+200C and U+200D are kept between
    letters, marks or symbols. A zero width space after the end of a sentence becomes a space. Control characters that
    are quotation marks and dashes in Windows encodings are replaced by these.
    """
    if not text.isascii() and (not text.isprintable() or _PRINTABLE.search(text)):
        text = text.translate(_OF_WINDOWS)
        text = _BORDER.sub(" ", text)
        text = _HYPHEN.sub("-", text)
        text = _INVISIBLE.sub("", text)
        text = _SPACES.sub(" ", text)
    return " ".join(text.split())
