"""Codes of a file format that stand for a line break, a tab or a new block, and so for white space in a sentence."""

import html
import re

BREAKING = frozenset({"br", "cb", "hr", "lb", "pb", "tab"})
"""Names of elements without content that break a line."""
_BLOCKS = "blockquote|dd|div|dl|dt|h[1-6]|li|ol|p|table|td|th|tr|ul"
_TAG = rf"</?(?:\w+:)?(?:{'|'.join(sorted(BREAKING))}|{_BLOCKS})\b[^<>]*>"
_ESCAPE = r"\{?\\(?:n|r|t|line|par|tab|u000[9ad])\b ?\}?"
_CODE = re.compile(rf"(?:{_TAG}|{_ESCAPE}|\s)+", re.IGNORECASE)


def is_break(code: str) -> bool:
    r"""Return True if a code of HTML, of TMX's programs or of RTF is nothing but white space.

    >>> is_break("<br/>"), is_break("</p>"), is_break(r"\n"), is_break("<b>")
    (True, True, True, False)
    """
    return _CODE.fullmatch(html.unescape(code)) is not None
