"""Find near-duplicates: texts that share most of their runs of three words, searched by their rarest runs.

Xiao et al., Efficient similarity joins for near duplicate detection (WWW 2008); docs/decisions/0030.
"""

import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain

import regex  # type: ignore[import-untyped]

_RUN = 3  # words of a shingle
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_ASCII_WORD = re.compile("[a-z0-9]+")
_WORD = regex.compile(rf"[{_UNSPACED}]\p{{M}}*|[[\p{{L}}\p{{N}}\p{{M}}]--[{_UNSPACED}]]+", regex.V1)


def split_words(text: str) -> list[str]:
    """Return the words of a text in NFKC without differences of case: letters, digits and combining marks only.

    In scripts without spaces each character is a word. Marks stay because they are the vowels of Indic scripts.
    """
    if text.isascii():  # the same, faster
        return _ASCII_WORD.findall(text.lower())
    return list(
        _WORD.findall(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()))
    )


def shingles(words_of_text: Sequence[str]) -> list[str]:
    """Return all runs of three words, or all words as one run if there are fewer; [] for no words."""
    if len(words_of_text) < _RUN:
        return [" ".join(words_of_text)] if words_of_text else []
    return list(map(" ".join, zip(*(words_of_text[start:] for start in range(_RUN)), strict=False)))


class TokenizedText:
    """A text by its words, with the runs that a search needs: computed once, and only when needed."""

    def __init__(self, words_of_text: Sequence[str]) -> None:
        self.words = words_of_text
        self.digest = hash("".join(words_of_text))
        """Of the letters and digits; another number in another process."""

    @cached_property
    def runs(self) -> set[int]:
        """Hashes of the shingles."""
        return set(map(hash, shingles(self.words)))


class TextIndex:
    """Texts of one set, in which others are found by their letters and digits, or by Jaccard similarity.

    `texts` come with the number that `find` returns for them.

    A text is a set of runs, in the order of their rarity. The paper's example, with a threshold of 0.8: the
    text y = F B C D E, where F is in one text, the others in two.

    * What is similar enough to a text of n runs has one of its n - ceil(0.8 n) + 1 rarest runs: of y these are
      F and B. So y is in the groups of F (size 5, place 0) and of B (size 5, place 1).
    * The text x = A B C D E reads the groups of all its runs; of B there is that of y. Without F they share at
      most the 5 - 1 = 4 runs from B on, and the similarity is at most 4 / (5 + 5 - 4) = 0.67: the group is left
      out, with all texts in it. So the many texts of one template are not compared with each other.
    """

    def __init__(self, threshold: float, texts: Iterable[tuple[TokenizedText, int]]) -> None:
        self._threshold = threshold
        self._positions: dict[int, int] = {}
        self._texts: list[tuple[array[int], int]] = []
        for text, position in texts:
            if text.words and text.digest not in self._positions:
                self._positions[text.digest] = position
                if threshold < 1:
                    self._texts.append((array("q", text.runs), position))
        self._groups = self._grouped()

    def _grouped(self) -> dict[int, dict[tuple[int, int], list[int]]]:
        """Return the texts by each of their rarest runs, then by their size and the place of the run."""
        counts = Counter(chain.from_iterable(runs for runs, _ in self._texts))
        groups: dict[int, dict[tuple[int, int], list[int]]] = {}
        for number, (runs, _) in enumerate(self._texts):
            size = len(runs)
            for place, run in enumerate(sorted(runs, key=lambda run: (counts[run], run))):
                if _similarity(size - place, size, size - place) < self._threshold:
                    break
                groups.setdefault(run, {}).setdefault((size, place), []).append(number)
        return groups

    def find(self, text: TokenizedText) -> tuple[int, bool] | None:
        """Return the number of the same or else of the most similar text, and if it is only similar; None without."""
        if (position := self._positions.get(text.digest)) is not None:
            return position, False
        if not self._groups:
            return None
        best = (self._threshold, -len(self._texts))
        found: tuple[int, bool] | None = None
        seen: set[int] = set()
        for bound, numbers in self._similar_groups(text.runs):
            for number in numbers:
                if (bound, -number) <= best:  # nor are those that follow better
                    break
                if number in seen:
                    continue
                seen.add(number)
                runs, position = self._texts[number]
                shared = len(text.runs.intersection(runs))
                similarity = _similarity(shared, len(text.runs), len(runs))
                if (similarity, -number) > best:
                    best, found = (similarity, -number), (position, True)
        return found

    def _similar_groups(self, runs: set[int]) -> list[tuple[float, list[int]]]:
        """Return the groups that may have texts that are similar enough, the most similar first."""
        groups: list[tuple[float, list[int]]] = []
        for run in runs:
            for (size, place), numbers in self._groups.get(run, {}).items():
                shared = min(len(runs), size - place)
                bound = _similarity(shared, len(runs), size)
                if bound >= self._threshold:
                    groups.append((bound, numbers))
        return sorted(groups, reverse=True)


def _similarity(shared: int, size: int, other: int) -> float:
    """Return the Jaccard similarity of two sets of runs by their sizes."""
    return shared / (size + other - shared)
