"""Words of a text with their positions, and texts of several sentences."""

import re
from collections.abc import Iterable

from bitext_pivot.core.reading.row_files import SEPARATOR

_WORD = re.compile(rf"{SEPARATOR}|\w+|[^\w\s]")


def words(text: str) -> list[re.Match[str]]:
    """Return the words and punctuation marks of a text, and its separators, with their positions."""
    return list(_WORD.finditer(text))


def is_spaced(text: str) -> bool:
    """Return True if the punctuation of a text is set apart by spaces, as in tokenised corpora."""
    return re.search(r"\w\s+[.,;!?]", text) is not None


def divided(text: str) -> list[str]:
    """Return the sentences between the separators of a text, without the spaces around them."""
    return [part.strip() for part in text.split(SEPARATOR)]


def joined(sentences: Iterable[str]) -> str:
    """Return sentences with separators between them; those without words are left out."""
    return f" {SEPARATOR} ".join(sentence for sentence in sentences if sentence)
