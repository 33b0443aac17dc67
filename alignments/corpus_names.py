"""Names of corpora that users supply: letters, marks and digits of any script, `_`, `.` and `-`.

A name is part of file names, of keys and of ids, and stands in cards. It is in Unicode's composed form (NFC), so that a
name from macOS is the same as from elsewhere, and has no characters that are invisible or change the direction of text.
"""

import unicodedata

import regex  # type: ignore[import-untyped]

MAX_BYTES = 120
"""Bytes of a name in UTF-8: a file name may have 255, and has other parts."""
_INVALID = regex.compile(r"[^\p{L}\p{M}\p{Nd}_.-]+")
_INVISIBLE = regex.compile(r"[\p{Cf}\p{Default_Ignorable_Code_Point}]+")
_INVALID_START = regex.compile(r"[\p{M}.-]+")
_DEFAULT_NAME = "own"


def name_from_stem(stem: str) -> str:
    """Return a name for the stem of a file name, with `-` for what a name cannot have."""
    name = unicodedata.normalize("NFC", _INVISIBLE.sub("", stem))
    name = _strip_invalid_start(_INVALID.sub("-", name))
    while len(name.encode()) > MAX_BYTES:
        name = name[:-1]
    return name or _DEFAULT_NAME


def check_name(name: str, longest: int = MAX_BYTES) -> str:
    """Return a name in its composed form; raises ValueError if it is none, or has more than `longest` bytes."""
    composed = unicodedata.normalize("NFC", name)
    is_plain = not _INVALID.search(composed) and not _INVISIBLE.search(composed)
    if not is_plain or not composed or _strip_invalid_start(composed) != composed:
        raise ValueError(
            f"{ascii(name)} is no name: expected letters, digits, '_', '.' and '-', beginning with a letter, a digit "
            "or '_'"
        )
    number = len(composed.encode())
    if number > longest:
        raise ValueError(
            f"the name {composed!r} has {number} bytes in UTF-8, expected at most {longest}: shorten it"
        )
    return composed


def _strip_invalid_start(name: str) -> str:
    return str(_INVALID_START.sub("", name, count=1)) if _INVALID_START.match(name) else name
