"""Find near-duplicates: texts that share most of their runs of three words, searched by their rarest runs.

Xiao et al., Efficient similarity joins for near duplicate detection (WWW 2008); docs/decisions/0030.
"""

import re
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
import regex  # type: ignore[import-untyped]
from numpy.typing import NDArray

_RUN = 3  # words of a shingle
_ROUNDING = 1e-9  # of the product of a threshold and a number of runs
_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_ASCII_WORD = re.compile("[a-z0-9]+")
_WORD = regex.compile(rf"[{_UNSPACED}]\p{{M}}*|[[\p{{L}}\p{{N}}\p{{M}}]--[{_UNSPACED}]]+", regex.V1)


def words(text: str) -> list[str]:
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


@dataclass(slots=True)
class _Query:
    """A text that is looked up, and the most similar text so far."""

    runs: set[int]
    """Ranks of its runs, without those that no text has."""
    size: int
    """Number of its runs."""
    best: float
    """Similarity of the most similar text so far; before the first one the threshold."""
    found: int
    """Number of that text; before the first one the number of all texts."""
    seen: set[int] = field(default_factory=set)
    """Texts that were compared."""


class _Groups(NamedTuple):
    """Texts by one of their rarest runs, their size, and the place of the run among their runs, from 0.

    All texts of a group have the same upper bound of similarity to a query.
    """

    of_run: memoryview
    """First group of each run by its rank, and the number of all groups; small texts first."""
    sizes: memoryview
    places: memoryview
    starts: memoryview
    """Where the texts of each group begin in `texts`, and the number of all."""
    texts: memoryview


class HeldOut:
    """Texts of one set, in which others are found by their letters and digits, or by Jaccard similarity.

    `texts` come with the number that `find` returns for them. Memory: about 100 bytes per text, and 0.7 kB if
    near-duplicates are searched (a threshold below 1).

    A text is a set of runs, in the order of their rarity. The paper's example, with a threshold of 0.8: the
    texts x = A B C D E and y = F B C D E; A and F are in one text, the others in both.

    * What is similar enough to a text of n runs has one of its n - ceil(0.8 n) + 1 rarest runs: two of x and
      y, A B and F B. So y is in the groups of F (size 5, place 0) and of B (size 5, place 1).
    * The query x reads the groups of its runs, the rarest first: of A there is none, of B there is that of y.
    * From B on x has four runs left, and y has 5 - 1 = 4. They share at most four, and the similarity is at
      most 4 / (5 + 5 - 4) = 0.67: the group is left out, with all texts in it, before any is compared.
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
        """Store the runs of each text by rarity, and the groups of texts with the same rare run."""
        ranks = self._rank(runs)
        text = np.repeat(np.arange(len(sizes)), sizes)
        sorted_runs = np.sort(text << 32 | ranks)  # of each text by rarity
        ranks = (sorted_runs & 0xFFFFFFFF).astype(np.int32)
        ends = np.cumsum(sizes)
        self._runs, self._ends = ranks.data, ends.data
        place = np.arange(len(runs)) - np.repeat(ends - sizes, sizes)
        self._groups = self._group(text, ranks, np.repeat(sizes, sizes), place)

    def _rank(self, runs: NDArray[np.int64]) -> NDArray[np.int32]:
        """Number all runs by their rarity, and return the number of each."""
        self._hashes, inverse, counts = np.unique(runs, return_inverse=True, return_counts=True)
        self._ranks = np.empty(len(counts), np.int32)
        self._ranks[np.argsort(counts, kind="stable")] = np.arange(len(counts))
        return self._ranks[inverse]

    def _group(
        self,
        text: NDArray[np.int64],
        rank: NDArray[np.int32],
        size: NDArray[np.int64],
        place: NDArray[np.int64],
    ) -> _Groups:
        """Group the texts by their rarest runs; a row of the arrays is a run of a text."""
        rare = np.flatnonzero(place <= size - np.ceil(self._threshold * size - _ROUNDING))
        rare = rare[
            np.lexsort((place[rare], size[rare], rank[rare]))
        ]  # stable: texts stay in their order
        keys = np.stack((rank[rare], size[rare], place[rare]))
        starts = np.flatnonzero(np.any(np.diff(keys, prepend=-1), axis=0))
        ranks, sizes, places = (column[starts] for column in keys)
        return _Groups(
            of_run=np.searchsorted(ranks, np.arange(len(self._hashes) + 1)).data,
            sizes=sizes.astype(np.int32).data,
            places=places.astype(np.int32).data,
            starts=np.append(starts, len(rare)).data,
            texts=text[rare].astype(np.int32).data,
        )

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
        ranks = self._known(hashes_of_runs)
        size = len(hashes_of_runs)
        query = _Query(runs=set(ranks), size=size, best=self._threshold, found=len(self._numbers))
        of_run = self._groups.of_run
        for place, rank in enumerate(ranks):
            left = len(ranks) - place
            if left / size < query.best:  # no other text is more similar
                break
            self._search(range(of_run[rank], of_run[rank + 1]), left, query)
        return query.found

    def _known(self, hashes_of_runs: set[int]) -> list[int]:
        """Return the ranks of the runs that some text has, the rarest first."""
        hashes = np.fromiter(hashes_of_runs, np.int64)
        at = np.searchsorted(self._hashes, hashes)
        is_known = self._hashes.take(at, mode="clip") == hashes
        return sorted(self._ranks[at[is_known]].tolist())

    def _search(self, groups: range, left: int, query: _Query) -> None:
        """Compare a query with the texts of some of the groups of a run; `left` of its runs are not rarer."""
        sizes, places, size = self._groups.sizes, self._groups.places, query.size
        first = bisect_left(sizes, query.best * size - _ROUNDING, groups.start, groups.stop)
        for group in range(first, groups.stop):
            other = sizes[group]
            if (
                other > left and left / (size + other - left) < query.best
            ):  # nor are longer texts more similar
                break
            # no text of the group that was not seen shares more than these
            shared = min(left, other - places[group])
            bound = shared / (size + other - shared)
            if bound >= query.best:
                self._compare(group, bound, query)

    def _compare(self, group: int, bound: float, query: _Query) -> None:
        """Compare a query with the texts of a group, whose similarity is `bound` at most."""
        other, starts = self._groups.sizes[group], self._groups.starts
        for number in self._groups.texts[starts[group] : starts[group + 1]]:
            if (
                bound == query.best and number >= query.found
            ):  # only an earlier text would be better
                break
            if number in query.seen:
                continue
            query.seen.add(number)
            stop = self._ends[number]
            shared = len(query.runs.intersection(self._runs[stop - other : stop]))
            similarity = shared / (query.size + other - shared)
            if similarity > query.best or (similarity == query.best and number < query.found):
                query.best, query.found = similarity, number
