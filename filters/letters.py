"""The characters of many texts as numbers: what stands beside marks and digits is asked of all texts at once.

Such questions only choose the texts that a filter then looks at one by one; they may choose too many, never too few.
"""

import functools
import re
import string
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pairs.columns import Counts

Mask = NDArray[np.bool_]
MARKS = string.punctuation + "…“”‘’«»"
FINALS = ".?!…؟。！？"
LETTER, DIGIT, BLANK = r"[^\W\d_]", r"\d", r"[\s\0]"
"""Patterns of one character; a blank is also what stands between two texts."""
_BETWEEN = "\0"  # stands in no text that was parsed
_PADDING = 8  # so that neighbours may be asked for without a check
_MARK, _DIGIT, _FINAL = 1, 2, 4
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
        return self._of_kind(_MARK)

    @functools.cached_property
    def digits(self) -> Counts:
        """The places of all digits, in order."""
        return self._of_kind(_DIGIT)

    @functools.cached_property
    def finals(self) -> Counts:
        """The places of all marks that end a sentence, in order."""
        return self._of_kind(_FINAL)

    @functools.cached_property
    def _listed(self) -> tuple[Counts, NDArray[np.uint8]]:
        """The places that hold a mark or a digit, and what each holds, as bits."""
        kinds = _kinds().take(self.codes, mode="clip")
        places = np.flatnonzero(kinds > 0)
        return places, kinds[places]

    def _of_kind(self, kind: int) -> Counts:
        places, kinds = self._listed
        return places[(kinds & kind) > 0]

    def match(self, pattern: str, places: Counts) -> Mask:
        """Tell for each of these places whether a pattern matches its character."""
        return _matching(pattern).take(self.codes[places], mode="clip")


@functools.cache
def _kinds() -> NDArray[np.uint8]:
    kinds = np.zeros(_LISTED + 1, np.uint8)
    for kind, pattern in {_MARK: f"[{re.escape(MARKS)}]", _DIGIT: DIGIT, _FINAL: f"[{FINALS}]"}.items():
        kinds |= _matching(pattern).astype(np.uint8) * np.uint8(kind)
    return kinds


@functools.cache
def _matching(pattern: str) -> Mask:
    """Return for each code point up to `_LISTED` whether it matches: the regular expression itself says so, once."""
    found = np.zeros(_LISTED + 1, bool)
    for match in re.finditer(f"(?:{pattern})+", "".join(map(chr, range(_LISTED)))):
        found[match.start() : match.end()] = True
    found[_LISTED] = True
    return found
