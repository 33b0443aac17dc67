"""Find near-duplicates: texts that share most of their runs of three words, searched by their rarest runs.

Xiao et al., Efficient similarity joins for near duplicate detection (WWW 2008); docs/decisions/0030.
"""

import re
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property

import numpy as np
import regex  # type: ignore[import-untyped]
from numpy.typing import NDArray

SIMILARITY = 0.6
"""Jaccard similarity from which a text is a near-duplicate, unless a form says otherwise."""
_RUN = 3  # words of a shingle
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
    """A text by its words, with the runs that a search needs: computed once, and only when needed."""

    def __init__(self, words_of_text: Sequence[str]) -> None:
        self.words = words_of_text
        self.digest = hash("".join(words_of_text))
        """Of the letters and digits; another number in another process."""

    @cached_property
    def runs(self) -> set[int]:
        """Hashes of the shingles."""
        return set(map(hash, shingles(self.words)))


class HeldOut:
    """Texts of one set, in which others are found by their letters and digits, or by Jaccard similarity.

    `texts` come with the number that `find` returns for them. Memory: about 100 bytes per text, and 0.7 kB if
    near-duplicates are searched (a threshold below 1).
    """

    def __init__(self, threshold: float, texts: Iterable[tuple[Text, int]]) -> None:
        self._threshold = threshold
        positions: dict[int, int] = {}
        runs, sizes = array("q"), array("q")
        for text, position in texts:
            if text.words and text.digest not in positions:
                positions[text.digest] = position
                if threshold < 1:
                    runs.extend(text.runs)
                    sizes.append(len(text.runs))
        self._positions, self._numbers = positions, list(positions.values())
        self._index(np.array(runs), np.array(sizes))

    def _index(self, runs: NDArray[np.int64], sizes: NDArray[np.int64]) -> None:
        """Index the rarest runs of each text; a text of the threshold's similarity has one of them.

        Runs are numbered by rarity. Texts are grouped by a run, their size and its place among their runs: all texts
        of a group have the same upper bound of similarity.
        """
        self._hashes, inverse, counts = np.unique(runs, return_inverse=True, return_counts=True)
        self._ranks = np.empty(len(counts), np.int32)
        self._ranks[np.argsort(counts, kind="stable")] = np.arange(len(counts))
        text = np.repeat(np.arange(len(sizes)), sizes)
        keys = np.sort(text << 32 | self._ranks[inverse])
        ranks = (keys & 0xFFFFFFFF).astype(np.int32)
        ends = np.cumsum(sizes)
        place, size = np.arange(len(runs)) - np.repeat(ends - sizes, sizes), np.repeat(sizes, sizes)
        rare = np.flatnonzero(place <= size - np.ceil(self._threshold * size - 1e-9))
        rare = rare[np.lexsort((place[rare], size[rare], ranks[rare]))]  # stable: texts stay in their order
        entries = np.stack((ranks[rare], size[rare], place[rare]))
        starts = np.flatnonzero(np.any(np.diff(entries, prepend=-1), axis=0))
        self._runs, self._ends = ranks.data, ends.data
        self._texts = text[rare].astype(np.int32).data
        self._starts = np.append(starts, len(rare)).data
        self._sizes, self._places = (row[starts].astype(np.int32).data for row in entries[1:])
        self._groups = np.searchsorted(entries[0][starts], np.arange(len(counts) + 1)).data

    def find(self, text: Text) -> tuple[int, bool] | None:
        """Return the number of the same or else of the most similar text, and if it is only similar; None without."""
        if (position := self._positions.get(text.digest)) is not None:
            return position, False
        if not self._numbers or not text.words or self._threshold == 1:
            return None
        found = self._most_similar(text.runs)
        return (self._numbers[found], True) if found < len(self._numbers) else None

    def _most_similar(self, hashes_of_runs: set[int]) -> int:
        """Return the most similar text, of equals the first; the number of all texts if none has the similarity."""
        best, found, seen = self._threshold, len(self._numbers), set[int]()
        hashes = np.fromiter(hashes_of_runs, np.int64)
        at = np.searchsorted(self._hashes, hashes)
        ranks = sorted(self._ranks[at[self._hashes.take(at, mode="clip") == hashes]].tolist())
        runs, size = set(ranks), len(hashes)
        for left, rank in zip(range(len(ranks), 0, -1), ranks, strict=True):
            if left / size < best:  # no other text is more similar
                break
            first, end = self._groups[rank], self._groups[rank + 1]
            for group in range(bisect_left(self._sizes, best * size - 1e-9, first, end), end):
                other = self._sizes[group]
                if other > left and left / (size + other - left) < best:  # nor are longer texts
                    break
                # no text of the group that was not seen shares more than these
                shared = min(left, other - self._places[group])
                bound = shared / (size + other - shared)
                if bound < best:
                    continue
                for number in self._texts[self._starts[group] : self._starts[group + 1]]:
                    if bound == best and number >= found:
                        break
                    if number in seen:
                        continue
                    seen.add(number)
                    stop = self._ends[number]
                    shared = len(runs.intersection(self._runs[stop - other : stop]))
                    similarity = shared / (size + other - shared)
                    if similarity > best or (similarity == best and number < found):
                        best, found = similarity, number
        return found
