"""A text that stops in the middle: where the other side is closed by a mark and this one is not.

No filter of the paper. A translation that was cut off, by a limit of the engine or of a crawler, rarely ends in a full
stop. A first half that has none is a fault only where a new sentence begins behind it: OPUS also cuts inside sentences.
A `long` that has none is a fault only where the halves say more: titles and items of lists have none either.
"""

import re
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from filters.base import Filter
from filters.batch import Batch, as_scores
from pairs.records import ParsedPair

_MARK, _OTHER = "[.?!:;…؟。！？]", r"[^\w.?!:;…؟。！？]"
_CLOSED = re.compile(rf"{_MARK}[\s\W]*\Z")
"""A closing mark, with quotation marks and brackets behind it."""
_SAY_MORE = 1.1
"""Tokens of the halves for each token of `long` from which on it may have been cut off."""


class Endings(Filter):
    """Counts the sentences that lack the closing mark which their counterpart has."""

    preset: ClassVar = "strict"
    thresholds: ClassVar = frozenset({"max_open"})

    max_open: int = Field(
        default=0, title="Most open ends", ge=0, le=2, description="Sentences that may lack their closing mark."
    )

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return how many are open: 1 for `long` alone, else 0 to 2 for the halves."""
        batch = Batch.of(pairs)
        long, first, second = _closed(batch).reshape(len(batch), 3).T
        says_more = batch.sizes[:, 1:].sum(axis=1) > _SAY_MORE * batch.sizes[:, 0]
        scores = np.where(long, 1 - second, second & says_more)
        for n in np.flatnonzero(long & ~first).tolist():
            scores[n] += _begins_anew(batch[n].pair.split[1])
        return as_scores(scores)

    def accepts(self, score: float) -> bool:
        """Accept up to `max_open`."""
        return score <= self.max_open


def _closed(batch: Batch) -> NDArray[np.bool_]:
    """Tell which texts end in a closing mark; only those with other marks behind their last letter are looked at."""
    is_other = batch.letters.last(_OTHER)
    closed = batch.letters.last(_MARK) & ~is_other
    for n in np.flatnonzero(is_other).tolist():
        closed[n] = _is_closed(batch.texts[n])
    return closed


def _is_closed(text: str) -> bool:
    return bool(_CLOSED.search(text, max(0, len(text) - 12)))


def _begins_anew(text: str) -> bool:
    return next((letter.isupper() for letter in text if letter.isalpha()), False)
