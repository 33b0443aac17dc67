"""Validate the names that users give their corpora.

A name consists of letters, combining marks and digits of any script, `_`, `.` and `-`. The name of a corpus becomes
part of file names and of the ids of rows. Names are normalised to NFC, so that a name typed on macOS equals the same
name from another system. Characters that are invisible or change the direction of text are refused.
"""

import unicodedata

import regex  # type: ignore[import-untyped]

MAX_BYTES = 120
"""Maximum length of a name, in UTF-8 bytes. File names, which may have 255 bytes, also contain other parts."""
_INVALID = regex.compile(r"[^\p{L}\p{M}\p{Nd}_.-]+")
_INVISIBLE = regex.compile(r"[\p{Cf}\p{Default_Ignorable_Code_Point}]+")
_INVALID_START = regex.compile(r"[\p{M}.-]+")
_DEFAULT_NAME = "own"


def name_from_stem(stem: str) -> str:
    """Return a valid corpus name for the stem of a file name, with `-` in place of invalid characters."""
    name = unicodedata.normalize("NFC", _INVISIBLE.sub("", stem))
    name = _strip_invalid_start(_INVALID.sub("-", name))
    while len(name.encode()) > MAX_BYTES:
        name = name[:-1]
    return name or _DEFAULT_NAME


def check_name(name: str, longest: int = MAX_BYTES) -> str:
    """Return the name in NFC. Raises ValueError if it is invalid or has more than `longest` bytes."""
    composed = unicodedata.normalize("NFC", name)
    is_plain = not _INVALID.search(composed) and not _INVISIBLE.search(composed)
    if not is_plain or not composed or _strip_invalid_start(composed) != composed:
        raise ValueError(
            f"{ascii(name)} is not a valid name: expected letters, digits, '_', '.' and '-', beginning with a letter, "
            "a digit or '_'"
        )
    number = len(composed.encode())
    if number > longest:
        raise ValueError(
            f"the name {composed!r} has {number} bytes in UTF-8, expected at most {longest}: shorten it"
        )
    return composed


def _strip_invalid_start(name: str) -> str:
    return str(_INVALID_START.sub("", name, count=1)) if _INVALID_START.match(name) else name
