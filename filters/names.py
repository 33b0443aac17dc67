"""Names must agree: a name that one side alone has, where the other has another, was exchanged or misaligned.

No filter of the paper. A name is what the parser calls one and what is written with a capital inside a sentence; its
first letters decide, so that `Europe` may become `European`. As with numbers, a name left out is no fault.
"""

from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np
from pydantic import Field

from filters.base import Filter
from filters.batch import Batch
from filters.words import FIRST, LONG, SECOND, Counts, Members
from pairs.records import Parse, ParsedPair

_STEM = 4
"""Letters by which two words are the same: fewer join strangers, more part a name and its adjective."""


class Names(Filter):
    """Counts the names that were exchanged: those of one side that the other lacks, for the side with fewer."""

    preset: ClassVar = "strict"
    thresholds: ClassVar = frozenset({"max_changed"})

    max_changed: int = Field(
        default=2, title="Most names", ge=0, le=1000, description="Names that may differ between the two sides."
    )

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return how many names stand in another's place."""
        batch = Batch.of(pairs)
        return batch.only(_suspects(batch), lambda pair: changed((pair.long,), pair.split))

    def accepts(self, score: float) -> bool:
        """Accept up to `max_changed`."""
        return score <= self.max_changed


def _suspects(batch: Batch) -> Counts:
    """Return the pairs both of whose sides have a proper noun that the other lacks as it stands."""
    places = batch.tagged("PROPN")
    places = places[batch.sentence[places] == batch.sentence[places - 1]]
    found = Members(batch.tokens[places], batch.sentence[places], len(batch)).counts()
    return np.flatnonzero((found[:, LONG] > 0) & (found[:, [FIRST, SECOND, FIRST | SECOND]] > 0).any(axis=1))


def changed(one: Sequence[Parse], two: Sequence[Parse]) -> int:
    """Return how many names of one side stand in another's place."""
    here, there = _names(one), _names(two)
    only_here, only_there = here - there, there - here
    if not (only_here and only_there):
        return 0
    return min(len(only_here - _stems(two)), len(only_there - _stems(one)))


def _names(sides: Iterable[Parse]) -> frozenset[str]:
    """Return the stems of the names: proper nouns of two letters or more with a capital, the first word left out."""
    return frozenset(
        token[:_STEM].lower()
        for side in sides
        if "PROPN" in side.pos
        for token, pos in zip(side.tokens[1:], side.pos[1:], strict=True)
        if pos == "PROPN" and token[0].isupper() and token[1:].isalpha()
    )


def _stems(sides: Iterable[Parse]) -> frozenset[str]:
    return frozenset(token[:_STEM].lower() for side in sides for token in side.tokens)
