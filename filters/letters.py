"""The characters of many texts as numbers: what stands beside marks and digits is asked of all texts at once.

Such questions only choose the texts that a filter then looks at one by one; they may choose too many, never too few.
"""

import functools
import re
import string
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from filters.words import Counts

Mask = NDArray[np.bool_]
MARKS = string.punctuation + "…“”‘’«»"
LETTER, DIGIT, BLANK = r"[^\W\d_]", r"\d", r"[\s\0]"
"""Patterns of one character; a blank is also what stands between two texts."""
_BETWEEN = "\0"  # stands in no text that was parsed
_PADDING = 8  # so that neighbours may be asked for without a check
_LISTED = 0x1_0000  # characters behind the basic plane count as everything


class Letters:
    """Texts joined to one array of code points, `codes`, with zeros between and around them. A place is its index.

    `ends` are the places behind the texts.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        joined = _BETWEEN.join(texts)
        if joined.count(_BETWEEN) != max(0, len(texts) - 1):
            joined = _BETWEEN.join([text.replace(_BETWEEN, " ") for text in texts])
        self.joined = _BETWEEN * _PADDING + joined + _BETWEEN * _PADDING
        self.codes = np.frombuffer(self.joined.encode("utf-32-le", "surrogatepass"), np.uint32)
        self._places = self.codes.astype(np.intp)
        self.ends = (np.flatnonzero(self.codes[_PADDING : 1 - _PADDING] == 0) + _PADDING)[: len(texts)]

    def last(self, pattern: str) -> Mask:
        """Tell for each text whether a pattern matches its last character."""
        return self.match(pattern, self.ends - 1)

    def text_of(self, places: Counts) -> Counts:
        """Return the number of the text in which each place lies."""
        return np.searchsorted(self.ends, places)

    @functools.cached_property
    def marks(self) -> Counts:
        """The places of all marks, in order."""
        return np.flatnonzero((self._kinds & 1) > 0)

    @functools.cached_property
    def digits(self) -> Counts:
        """The places of all digits, in order."""
        return np.flatnonzero(self._kinds > 1)

    @functools.cached_property
    def _kinds(self) -> NDArray[np.uint8]:
        """What each place holds: 1 for a mark, 2 for a digit, 3 for what may be either."""
        return _kinds().take(self._places, mode="clip")

    def match(self, pattern: str, places: Counts) -> Mask:
        """Tell for each of these places whether a pattern matches its character."""
        return _matching(pattern).take(self._places[places], mode="clip")


@functools.cache
def _kinds() -> NDArray[np.uint8]:
    marks, digits = _matching(f"[{re.escape(MARKS)}]"), _matching(DIGIT)
    kinds: NDArray[np.uint8] = marks.astype(np.uint8) + 2 * digits.astype(np.uint8)
    return kinds


@functools.cache
def _matching(pattern: str) -> Mask:
    """Return for each code point up to `_LISTED` whether it matches: the regular expression itself says so, once."""
    found = np.zeros(_LISTED + 1, bool)
    for match in re.finditer(f"(?:{pattern})+", "".join(map(chr, range(_LISTED)))):
        found[match.start() : match.end()] = True
    found[_LISTED] = True
    return found
