"""White space and invisible characters of texts from outside: every reader squeezes its texts with this function.

Character properties are those of the Unicode Character Database, as Python's `unicodedata` and `regex` have them.
"""

import re

import regex  # type: ignore[import-untyped]

# Letters, symbols and line breaks without ink that Unicode does not count as white space: braille blank, Hangul
# fillers, the place of an embedded object.
_BLANKS = "\u2800\u3164\uffa0\ufffc"
# Most texts need no search: Python counts white space and format characters as not printable, but not these.
_PRINTABLE = re.compile(rf"[{_BLANKS}\u034f]")
_SPACES = regex.compile(rf"[\s\x1c-\x1f{_BLANKS}]+")
# A zero width space between two sentences is the only border that some pages have.
_BORDER = regex.compile(r"(?<=[.?!\u2026][\"')\]\p{Pf}\p{Pi}]*)\u200b+(?=\S)")
# A soft hyphen that stands for a hyphen or a dash, as in Europarl: between spaces, between a space and a comma, between
# digits, before a capital (`Guinea\u00adBissau`). Between other letters it is where a word may be divided.
_HYPHEN = regex.compile(
    r"(?<=\s)\u00ad+(?=[\s\p{P}])|(?<=\d)\u00ad+(?=\d)|(?<=\p{Ll})\u00ad+(?=\p{Lu})"
)
# U+200C and U+200D shape the letters and the emoji on both sides of them; elsewhere they hide a border.
_JOINED = r"(?<=[\p{L}\p{M}\p{S}])[\u200c\u200d]+(?=[\p{L}\p{M}\p{S}])"
# Arabic number signs have ink; tags are part of some flags.
_VISIBLE = r"\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
# Control characters that are characters of Windows, read as Latin-1: `world\x92s`. U+0085 is a line break of Unicode.
_WINDOWS = {code: bytes([code]).decode("cp1252", "ignore") for code in range(0x80, 0xA0)}
_OF_WINDOWS = {code: text for code, text in _WINDOWS.items() if text and code != ord("\x85")}
_INVISIBLE = regex.compile(
    rf"(?:{_JOINED})(*SKIP)(*FAIL)|[[\p{{Cf}}\u034f]--[{_VISIBLE}]]", flags=regex.VERSION1
)


def squeezed(text: str) -> str:
    """Return a text on one line, with single spaces for any white space and without invisible characters.

    Format characters (category Cf: soft hyphen, zero width space, byte order mark, marks of direction ...) are deleted.
    A soft hyphen that is no division of a word becomes a hyphen. U+200C and U+200D stay between letters, marks or
    symbols. A zero width space behind the end of a sentence becomes a space. Control characters that Windows has as
    quotation marks and dashes become these.
    """
    if not text.isascii() and (not text.isprintable() or _PRINTABLE.search(text)):
        text = text.translate(_OF_WINDOWS)
        text = _BORDER.sub(" ", text)
        text = _HYPHEN.sub("-", text)
        text = _INVISIBLE.sub("", text)
        text = _SPACES.sub(" ", text)
    return " ".join(text.split())
