"""Split texts into words with offsets, and join or divide the sentences of a rewritten text."""

import re
from collections.abc import Iterable

from bitext_pivot.core.reading.row_files import SEPARATOR

_WORD = re.compile(rf"{SEPARATOR}|\w+|[^\w\s]")


def words(text: str) -> list[re.Match[str]]:
    """Return matches for the words, punctuation marks and separators (`<SEP>`) of a text."""
    return list(_WORD.finditer(text))


def is_spaced(text: str) -> bool:
    """Return True if a text has spaces before its punctuation, like a tokenized corpus."""
    return re.search(r"\w\s+[.,;!?]", text) is not None


def divided(text: str) -> list[str]:
    """Return the sentences of a text that are separated by `<SEP>`, stripped."""
    return [part.strip() for part in text.split(SEPARATOR)]


def joined(sentences: Iterable[str]) -> str:
    """Join the non-empty sentences with `<SEP>` between them."""
    return f" {SEPARATOR} ".join(sentence for sentence in sentences if sentence)
