"""Find damage in text: mojibake (`cafÃ©`), character references (`caf&eacute;`) and markup.

The patterns of markup and escapes are in text_damage.toml. The screening of alignments (alignments/screening) and the
filter `tags` use the same patterns.
"""

import re
from html.entities import html5
from pathlib import Path

import regex  # type: ignore[import-untyped]

from bitext_pivot.core.data_files import read_toml

# ftfy can only report a text with two adjacent non-ASCII characters, or with one of these. This search is ten times as
# fast as ftfy.
_POSSIBLE = re.compile(r"[^\x00-\x7f]{2}|[\x80-\x9fÂÃŒœ]")
# Correct text that ftfy reports: quotation marks that other languages use before a word (`»Ähnlich`, `”Är`) or after a
# word in capitals (`“IRMÃ”`), and ordinals in quotation marks (`«la 1ª»`).
_GOOD = regex.compile(
    r"""
      (?<![\p{L}\p{N}\p{S}]) [«»‹›“”„‘’‚]+ (?=\p{L})
    | (?<=\p{Lu}{2}) [»›”“’‘…]+ (?!\p{L})
    | (?<=\d\.?) [ªº°]+
    """,
    regex.VERBOSE,
)
_REFERENCE = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|([A-Za-z][A-Za-z0-9.-]+));")
_TABLE = Path(__file__).with_suffix(".toml")
_MARKUP = regex.compile("|".join(read_toml(_TABLE)["markup"]))
_IN_TOKENS = re.compile(r"& ?(?:amp|lt|gt|quot|apos|nbsp|# ?x?\d+) ?;")


def is_mojibake(text: str) -> bool:
    """Return True if a text was decoded with the wrong encoding, like `cafÃ©` or `isnâ€™t`."""
    if text.isascii() or not _POSSIBLE.search(text):
        return False
    from ftfy.badness import is_bad  # takes 0.1 s

    return is_bad(text) and is_bad(_GOOD.sub('"', text))


def markup_start(text: str) -> int | None:
    """Return the offset of the first markup, escape or character reference in a text, or None."""
    starts = [match.start() for match in [_MARKUP.search(text)] if match]
    return min([*starts, *_reference_starts(text)], default=None)


def signature() -> str:
    """Return all patterns as text, which becomes part of shard keys."""
    return _TABLE.read_text(encoding="utf-8")


def _reference_starts(text: str) -> list[int]:
    """Return the offsets of the character references of HTML or XML in a text.

    A name counts if HTML defines it. An unknown name, as in the handbooks of KDE (`&kde;`), counts only in lower case
    and not directly after a word, so that `rock&roll;` and `Q&A;` pass. Tokenized text has references like `& amp ;`.
    """
    starts = [match.start() for match in _IN_TOKENS.finditer(text)]
    return starts + [match.start() for match in _REFERENCE.finditer(text) if _is_reference(match)]


def _is_reference(match: re.Match[str]) -> bool:
    name = match[1]
    if name is None or f"{name};" in html5:
        return True
    before = match.string[: match.start()][-1:]
    return name.islower() and not before.isalnum()
