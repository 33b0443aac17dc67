"""Words of a text with their positions, and the finishing of sentences made of them."""

import re
from collections.abc import Iterable

from bitext_pivot.core.reading.row_files import SEPARATOR

_WORD = re.compile(rf"{SEPARATOR}|\w+|[^\w\s]")
_FINAL = re.compile(r"[.!?…。？！]\W*$")
_LOOSE = re.compile(r"[\s,;:–—-]+$")
_REPEATED = re.compile(r"([.!?…])(\s*[.,;:])+(?=\s*$)")


def words(text: str) -> list[re.Match[str]]:
    """Return the words and punctuation marks of a text, and its separators, with their positions."""
    return list(_WORD.finditer(text))


def is_spaced(text: str) -> bool:
    """Return True if the punctuation of a text is set apart by spaces, as in tokenised corpora."""
    return re.search(r"\w\s+[.,;!?]", text) is not None


def finished(sentence: str, *, is_spaced: bool) -> str:
    """Return a sentence that begins with a capital and ends in one final mark; an empty one for a text without words.

    >>> finished("he left , .", is_spaced=True)
    'He left .'
    >>> finished("he left,", is_spaced=False)
    'He left.'
    """
    text = _REPEATED.sub(r"\1", re.sub(r"([,;:]\s*)+(?=[.!?…]\s*$)", "", sentence.strip()))
    first = next((place for place, character in enumerate(text) if character.isalnum()), None)
    if first is None:
        return ""
    text = text[:first] + text[first].upper() + text[first + 1 :]
    if _FINAL.search(text):
        return text
    return f"{_LOOSE.sub('', text)}{' ' * is_spaced}."


def divided(text: str) -> list[str]:
    """Return the sentences between the separators of a text, without the spaces around them."""
    return [part.strip() for part in text.split(SEPARATOR)]


def joined(sentences: Iterable[str]) -> str:
    """Return sentences with separators between them; those without words are left out."""
    return f" {SEPARATOR} ".join(sentence for sentence in sentences if sentence)
