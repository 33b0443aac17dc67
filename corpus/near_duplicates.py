"""Find near-duplicates: texts that share most of their runs of three words (MinHash LSH, then the exact Jaccard).

Broder, On the resemblance and containment of documents (SEQUENCES 1997); docs/decisions/0027.
"""

import re
import unicodedata
from collections.abc import Sequence

import regex  # type: ignore[import-untyped]
from rensa import RMinHash, RMinHashLSH

_RUN = 3  # words of a shingle
_BANDS, _ROWS = 16, 3
_SEED = 1
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_ASCII_WORD = re.compile("[a-z0-9]+")
_WORD = regex.compile(rf"[{_UNSPACED}]\p{{M}}*|[[\p{{L}}\p{{N}}\p{{M}}]--[{_UNSPACED}]]+", regex.V1)


def words(text: str) -> list[str]:
    """Return the words of a text in NFKC without differences of case: letters, digits and combining marks only.

    In scripts without spaces each character is a word. Marks stay because they are the vowels of Indic scripts.
    """
    if text.isascii():  # the same, faster
        return _ASCII_WORD.findall(text.lower())
    return list(_WORD.findall(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())))


def shingles(words_of_text: Sequence[str]) -> list[str]:
    """Return all runs of three words, or all words as one run if there are fewer; [] for no words."""
    if len(words_of_text) < _RUN:
        return [" ".join(words_of_text)] if words_of_text else []
    return list(map(" ".join, zip(*(words_of_text[start:] for start in range(_RUN)), strict=False)))


class Text:
    """A text by its words, with the MinHash that a search needs: computed once, and only when needed."""

    def __init__(self, words_of_text: Sequence[str]) -> None:
        self.words = words_of_text
        self.digest = hash("".join(words_of_text))
        """Of the letters and digits; another number in another process."""
        self._signature: RMinHash | None = None

    def signature(self) -> RMinHash:
        """Return the MinHash of the shingles."""
        if self._signature is None:
            self._signature = RMinHash(_BANDS * _ROWS, _SEED)
            self._signature.update(shingles(self.words))
        return self._signature


class HeldOut:
    """Texts of one set, in which others are found by their letters and digits, or by Jaccard similarity.

    The first kind is always found; of texts that are just as similar as the threshold 0.6, 98 in 100. Memory: about
    100 bytes per text, and 1.5 kB if near-duplicates are searched (a threshold below 1).
    """

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._positions: dict[int, int] = {}
        self._index = RMinHashLSH(threshold, _BANDS * _ROWS, _BANDS) if threshold < 1 else None
        self._indexed: list[tuple[int, str]] = []

    def add(self, text: Text, position: int = 0) -> None:
        """Add a text, with the number that `find` returns for it."""
        if not text.words or text.digest in self._positions:
            return
        self._positions[text.digest] = position
        if self._index is not None:
            self._index.insert(len(self._indexed), text.signature())
            self._indexed.append((position, " ".join(text.words)))

    def find(self, text: Text) -> tuple[int, bool] | None:
        """Return the number of the same or else of the most similar text, and if it is only similar; None without."""
        if (position := self._positions.get(text.digest)) is not None:
            return position, False
        if not text.words or not self._indexed or self._index is None:
            return None
        matches = self._index.query(text.signature())
        if not matches:  # of most texts
            return None
        runs, candidates = shingles(text.words), [self._indexed[n] for n in sorted(matches)]
        similar = [
            (jaccard(runs, shingles(candidate.split(" "))), -n, number)
            for n, (number, candidate) in enumerate(candidates)
        ]
        similarity, _, position = max(similar)
        return (position, True) if similarity >= self._threshold else None


def jaccard(left: Sequence[str], right: Sequence[str]) -> float:
    """Return the size of the intersection of two non-empty sets over that of their union."""
    intersection = len({*left} & {*right})
    return intersection / (len({*left}) + len({*right}) - intersection)
