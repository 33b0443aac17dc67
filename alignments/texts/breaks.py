"""Codes of a file format that stand for white space: line breaks, tabs, new blocks, what is dropped."""

import html
import re

import regex  # type: ignore[import-untyped]

BREAKING = frozenset({"br", "cb", "hr", "lb", "pb", "tab"})
"""Names of elements without content that break a line."""
_BLOCKS = "blockquote|dd|div|dl|dt|h[1-6]|li|ol|p|table|td|th|tr|ul"
_TAG = rf"</?(?:\w+:)?(?:{'|'.join(sorted(BREAKING))}|{_BLOCKS})\b[^<>]*>"
_ESCAPE = r"\{?\\(?:n|r|t|line|par|tab|u000[9ad])\b ?\}?"
_CODE = re.compile(rf"(?:{_TAG}|{_ESCAPE}|\s)+", re.IGNORECASE)

DROPPED = "\ufdd2"
"""What a reader writes, until `without_dropped`, for a template, note or picture that is no text."""
_END_OF_WORD, _START_OF_WORD = (
    r"[\p{L}\p{N}\p{Pe}\p{Pf}.,;:!?%]",
    r"[\p{L}\p{N}\p{Ps}\p{Pi}\p{Sc}%]",
)
_WITHOUT_SPACES = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]"
_GAP = regex.compile(rf"(?<={_END_OF_WORD})(?<!{_WITHOUT_SPACES}){DROPPED}+(?={_START_OF_WORD})")


def is_break(code: str) -> bool:
    r"""Return True if a code of HTML, of TMX's programs or of RTF is nothing but white space.

    >>> is_break("<br/>"), is_break("</p>"), is_break(r"\n"), is_break("<b>")
    (True, True, True, False)
    """
    return _CODE.fullmatch(html.unescape(code)) is not None


def without_dropped(text: str) -> str:
    """Return a text with a space for what was dropped between two words, nothing for the rest.

    >>> without_dropped(f"5{DROPPED}km{DROPPED}, or{DROPPED} more")
    '5 km, or more'
    """
    return str(_GAP.sub(" ", text)).replace(DROPPED, "")
