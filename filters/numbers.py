"""Numbers must agree: a number that one side alone has, where the other has another, was mistranslated or misaligned.

No filter of the paper. How a number is written does not count: `1,000`, `1.000`, `1 000` and `1000` are one number,
`three` is 3, `07` is 7. A number left out is no fault either: only one that stands in another's place.
"""

import functools
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
from pydantic import Field

from filters.base import Filter
from filters.batch import Batch
from filters.letters import DIGIT, Letters, Mask
from filters.words import FIRST, LONG, SECOND, Members, folded
from pairs.columns import Counts
from pairs.records import Pair, ParsedPair

_DIGITS = re.compile(rf"{DIGIT}+")
_MARK, _MARK_OR_BLANK = "[.,'’]", r"[.,'’ \u00a0\u202f]"
_THOUSANDS = 3
_GROUPS = re.compile(rf"(?<=\d)(?: {_MARK} |{_MARK_OR_BLANK})(?=\d{{{_THOUSANDS}}}(?!\d))")
"""What parts groups of thousands, also in text with spaces around every mark."""


class Numbers(Filter):
    """Counts the numbers that were exchanged: those of one side that the other lacks, for the side with fewer."""

    preset: ClassVar = "strict"
    thresholds: ClassVar = frozenset({"max_changed"})

    max_changed: int = Field(
        default=1, title="Most numbers", ge=0, le=1000, description="Numbers that may differ between the two sides."
    )

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return how many numbers stand in another's place."""
        batch = Batch.of(pairs)
        return batch.only(_suspects(batch), lambda one: changed(one.pair))

    def accepts(self, score: float) -> bool:
        """Accept up to `max_changed`."""
        return score <= self.max_changed


def _suspects(batch: Batch) -> Counts:
    """Return the pairs both of whose sides have a number that the other lacks, and those with other digits than 0-9."""
    letters, digits = batch.letters, batch.letters.digits
    begins = np.flatnonzero(~_goes_on(letters))
    sizes = np.diff(np.append(begins, digits.size))
    texts = letters.text_of(digits[begins])
    codes = letters.codes[digits]
    while (zeros := (codes[begins] == ord("0")) & (sizes > 1)).any():
        begins, sizes = begins + zeros, sizes - zeros
    numbers = folded(codes.astype(np.uint8).tobytes(), begins, sizes)
    found = Members(np.unique(numbers, return_inverse=True)[1], texts, len(batch)).counts()
    differ = (found[:, LONG] > 0) & (found[:, [FIRST, SECOND, FIRST | SECOND]] > 0).any(axis=1)
    return np.union1d(np.flatnonzero(differ), letters.text_of(digits[codes > ord("9")]) // 3)


def _goes_on(letters: Letters) -> Mask:
    """Tell which digits belong to the number of the digit before, groups of thousands joined."""
    digits = letters.digits
    if not digits.size:
        return np.zeros(0, bool)
    gaps = np.append(0, np.diff(digits))
    begins = np.flatnonzero(gaps != 1)
    three = begins[np.diff(np.append(begins, digits.size)) == _THOUSANDS]
    places = digits[three]
    is_close = (gaps[three] == 2) & letters.match(_MARK_OR_BLANK, places - 1)
    is_apart = (
        (gaps[three] == 4) & letters.match(" ", places[:, None] - [1, 3]).all(axis=1) & letters.match(_MARK, places - 2)
    )
    goes_on: Mask = gaps == 1
    goes_on[three[is_close | is_apart]] = True
    return goes_on


def changed(pair: Pair) -> int:
    """Return how many numbers of one side stand in another's place."""
    long, split, language = pair.long, " ".join(pair.split), pair.language
    one, two = _numbers(long), _numbers(split)
    only_one, only_two = one - two, two - one
    if not (only_one and only_two):
        return 0
    return min(len(only_one - _spelled(split, language)), len(only_two - _spelled(long, language)))


def _numbers(text: str) -> frozenset[str]:
    """Return the numbers of a text, without what parts thousands and without leading zeros."""
    found = _DIGITS.findall(text)
    if not found:
        return frozenset()
    joined = _DIGITS.findall(_GROUPS.sub("", text)) if any(len(digits) == 3 for digits in found) else found
    return frozenset(digits.lstrip("0") or "0" for digits in joined)


def _spelled(text: str, language: str) -> frozenset[str]:
    """Return the numbers that a text spells out, as far as the language's list goes."""
    words = _table().get(language, {})
    return frozenset(words[word] for word in text.lower().split() if word in words)


@functools.cache
def _table() -> dict[str, dict[str, str]]:
    listed = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {
        language: {word: str(value) for value, forms in enumerate(words) for word in forms.split()}
        for language, words in listed.items()
    }
