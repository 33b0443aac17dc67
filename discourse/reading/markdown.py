"""Read the paragraphs of Markdown: CommonMark, and what other dialects add to it.

Headings, code, tables, HTML, notes, pictures, struck text and front matter are dropped. Of a box (`!!! note`,
`::: tip`, `> [!NOTE]`) the text is read, of a task (`- [x] ...`) what follows its check box.
"""

import re
import textwrap
from itertools import pairwise
from typing import Any

from bitext_pivot.alignments.texts.breaks import DROPPED, is_break, without_dropped

_FRONT_MATTER = re.compile(
    r"\A(?:\+\+\+\n.*?\n\+\+\+|---\n(?=[\w-]+:).*?\n(?:---|\.\.\.))\s*$", re.S | re.M
)
_FENCE = re.compile(r"^ *:{3,}.*$", re.M)
"""Beginning and end of a box: `::: tip`, `:::`."""
_BOX = re.compile(r"^ *(?:!!!|\?\?\?\+?) .*\n((?:(?: {4}|\t).*(?:\n|\Z)|[ \t]*\n)*)", re.M)
"""The first line of a box, `!!! note`, and its indented text."""
_NOTE = re.compile(
    r"^ {0,3}\[\^[^\]\s]+\]:.*(?:\n.*\S.*)*(?:\n(?:[ \t]*\n)+(?: {4}|\t).*(?:\n.*\S.*)*)*", re.M
)
"""A note, `[^1]: See there.`, with the indented paragraphs behind it."""
_NUMBER = re.compile(r"\[\^[^\]\s]+\]|\^\[[^\]]*\]")
"""The number of a note, `[^1]`, or a note in its place, `^[See there.]`."""
_START = re.compile(r"\[(?:[ xX]|![A-Za-z]+)\]\s+")
"""The check box of a task, or the kind of a box."""


def paragraphs(text: str) -> list[str]:
    """Return the text of the paragraphs and list items of a Markdown file; `text` has LF as line ends."""
    from markdown_it import MarkdownIt  # not for settings

    text = _FRONT_MATTER.sub("", text)
    text = _FENCE.sub("", _NOTE.sub("", text))
    text = _BOX.sub(lambda box: "\n" + textwrap.dedent(box[1]) + "\n", text)
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    blocks = [after for token, after in pairwise(tokens) if token.type == "paragraph_open"]
    return [_START.sub("", _prose(block.children or ()), count=1) for block in blocks]


def _prose(children: Any) -> str:
    """Return the text of the children of a paragraph."""
    pieces: list[str] = []
    depth = 0
    for child in children:
        depth += {"s_open": 1, "s_close": -1}.get(child.type, 0)
        if depth:
            pieces.append(DROPPED)
        else:
            pieces.append(_inline(child))
    return without_dropped("".join(pieces))


def _inline(token: Any) -> str:
    match token.type:
        case "softbreak" | "hardbreak":
            return " "
        case "html_inline" if is_break(token.content):
            return " "
        case "html_inline":
            return ""
        case "image":
            return DROPPED
        case "text":
            return _NUMBER.sub(DROPPED, token.content)
    return str(token.content)
