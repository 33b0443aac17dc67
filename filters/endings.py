"""A text that stops in the middle: where the other side is closed by a mark and this one is not.

No filter of the paper. A translation that was cut off, by a limit of the engine or of a crawler, rarely ends in a full
stop. A first half that has none is a fault only where a new sentence begins behind it: OPUS also cuts inside sentences.
A `long` that has none is a fault only where the halves say more: titles and items of lists have none either.
"""

import re
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from pydantic import Field

from filters.base import Filter
from filters.batch import Batch
from pairs.records import ParsedPair

_CLOSED = re.compile(r"[.?!:;…؟。！？][\s\W]*\Z")
"""A closing mark, with quotation marks and brackets behind it."""
_STOP = "[.?!]"
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
        is_open = ~batch.letters.last(_STOP).reshape(len(batch), 3)
        return batch.only(np.flatnonzero(is_open.any(axis=1)), open_ends)

    def accepts(self, score: float) -> bool:
        """Accept up to `max_open`."""
        return score <= self.max_open


def open_ends(pair: ParsedPair) -> int:
    """Return how many sentences lack the closing mark that their counterpart has."""
    first, second = pair.pair.split
    if not _is_closed(pair.pair.long):
        tokens = len(pair.split[0].tokens) + len(pair.split[1].tokens)
        return int(_is_closed(second) and tokens > _SAY_MORE * len(pair.long.tokens))
    return (not _is_closed(second)) + (not _is_closed(first) and _begins_anew(second))


def _is_closed(text: str) -> bool:
    return bool(_CLOSED.search(text, max(0, len(text) - 12)))


def _begins_anew(text: str) -> bool:
    return next((letter.isupper() for letter in text if letter.isalpha()), False)
