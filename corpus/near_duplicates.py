"""Find near-duplicates: texts that share most of their shingles (runs of three words).

The search starts from the rarest shingles of a text, after Xiao et al., "Efficient similarity joins for near duplicate
detection" (WWW 2008); see docs/decisions/0030.
"""

import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain

import regex  # type: ignore[import-untyped]

_SHINGLE_WORDS = 3
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_ASCII_WORD = re.compile("[a-z0-9]+")
_WORD = regex.compile(rf"[{_UNSPACED}]\p{{M}}*|[[\p{{L}}\p{{N}}\p{{M}}]--[{_UNSPACED}]]+", regex.V1)


def split_words(text: str) -> list[str]:
    """Return the words of a text, case-folded and normalised to NFKC.

    A word consists of letters, digits and combining marks (such as the vowels of Indic scripts). In scripts without
    spaces, each character is a word.
    """
    if text.isascii():  # the same result, faster
        return _ASCII_WORD.findall(text.lower())
    return list(
        _WORD.findall(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()))
    )


def shingles(words_of_text: Sequence[str]) -> list[str]:
    """Return the shingles of a text, which are all runs of three words.

    A text of one or two words is one shingle. A text without words has no shingle.
    """
    if len(words_of_text) < _SHINGLE_WORDS:
        return [" ".join(words_of_text)] if words_of_text else []
    return list(
        map(
            " ".join, zip(*(words_of_text[start:] for start in range(_SHINGLE_WORDS)), strict=False)
        )
    )


class TokenizedText:
    """The words of a text. The shingles (runs of three words) are computed at their first use."""

    def __init__(self, words_of_text: Sequence[str]) -> None:
        self.words = words_of_text
        self.digest = hash("".join(words_of_text))
        """Hash of the letters and digits. It differs between processes."""

    @cached_property
    def shingles(self) -> set[int]:
        """Hashes of the shingles."""
        return set(map(hash, shingles(self.words)))


class TextIndex:
    """An index of texts, which finds duplicates by letters and digits and near-duplicates by Jaccard similarity.

    `texts` contains each text with a number chosen by the caller, which `find` returns.

    A text is treated as a set of shingles, sorted from rare to frequent. The paper's example has a threshold of 0.8 and
    the indexed text y = F B C D E, where F occurs in one text and the other shingles in two.

    * A text that is similar enough to y contains at least one of the n - ceil(0.8 n) + 1 rarest of its n shingles,
      which are F and B. So y is listed in the groups of F (size 5, place 0) and of B (size 5, place 1).
    * To search for x = A B C D E, the groups of all its shingles are read. The group of B contains y. As x lacks F,
      both share at most the 5 - 1 = 4 shingles from B on, so their similarity is at most 4 / (5 + 5 - 4) = 0.67. The
      whole group is skipped: the many texts of one template are not compared with each other.
    """

    def __init__(self, threshold: float, texts: Iterable[tuple[TokenizedText, int]]) -> None:
        self._threshold = threshold
        self._positions: dict[int, int] = {}
        self._texts: list[tuple[array[int], int]] = []
        for text, position in texts:
            if text.words and text.digest not in self._positions:
                self._positions[text.digest] = position
                if threshold < 1:
                    self._texts.append((array("q", text.shingles), position))
        self._groups = self._build_groups()

    def _build_groups(self) -> dict[int, dict[tuple[int, int], list[int]]]:
        """Return the groups of texts that the class docstring describes, as indexes into `_texts`.

        They are given by a rare shingle, then by the number of shingles of a text and the place of the rare shingle
        among them.
        """
        counts = Counter(chain.from_iterable(shingles for shingles, _ in self._texts))
        groups: dict[int, dict[tuple[int, int], list[int]]] = {}
        for number, (hashes, _) in enumerate(self._texts):
            size = len(hashes)
            for place, run in enumerate(sorted(hashes, key=lambda run: (counts[run], run))):
                if _similarity(size - place, size, size - place) < self._threshold:
                    break
                groups.setdefault(run, {}).setdefault((size, place), []).append(number)
        return groups

    def find(self, text: TokenizedText) -> tuple[int, bool] | None:
        """Return the number of the most similar text, and whether it is similar but not equal.

        Returns None if no text is similar enough.
        """
        if (position := self._positions.get(text.digest)) is not None:
            return position, False
        if not self._groups:
            return None
        best = (self._threshold, -len(self._texts))
        found: tuple[int, bool] | None = None
        seen: set[int] = set()
        for bound, numbers in self._similar_groups(text.shingles):
            for number in numbers:
                if (bound, -number) <= best:  # the following texts are not more similar
                    break
                if number in seen:
                    continue
                seen.add(number)
                indexed, position = self._texts[number]
                shared = len(text.shingles.intersection(indexed))
                similarity = _similarity(shared, len(text.shingles), len(indexed))
                if (similarity, -number) > best:
                    best, found = (similarity, -number), (position, True)
        return found

    def _similar_groups(self, shingles: set[int]) -> list[tuple[float, list[int]]]:
        """Return groups that may contain similar texts, each with an upper bound of the similarity.

        The group with the highest bound comes first.
        """
        groups: list[tuple[float, list[int]]] = []
        for shingle in shingles:
            for (size, place), numbers in self._groups.get(shingle, {}).items():
                shared = min(len(shingles), size - place)
                bound = _similarity(shared, len(shingles), size)
                if bound >= self._threshold:
                    groups.append((bound, numbers))
        return sorted(groups, reverse=True)


def _similarity(shared: int, size: int, other: int) -> float:
    """Return the Jaccard similarity of two sets, given their sizes and `shared` elements."""
    return shared / (size + other - shared)
