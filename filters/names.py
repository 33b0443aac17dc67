"""Names must agree: a name that one side alone has, where the other has another, was exchanged or misaligned.

No filter of the paper. A name is what the parser calls one and what is written with a capital inside a sentence; its
first letters decide, so that `Europe` may become `European`. As with numbers, a name left out is no fault.
"""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from pydantic import Field

from filters.base import Filter
from filters.batch import Batch, as_scores
from filters.letters import Mask
from filters.words import FIRST, LONG, SECOND, Members
from pairs.columns import Counts
from pairs.records import ParsedPair

_PROPER = frozenset({"PROPN"})
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
        is_first = batch.sentence != np.roll(batch.sentence, 1)  # of its sentence: left out
        is_proper = batch.is_tagged(_PROPER) & ~is_first
        return as_scores(_changed(batch, is_proper, _suspects(batch, is_proper)))

    def accepts(self, score: float) -> bool:
        """Accept up to `max_changed`."""
        return score <= self.max_changed


def _suspects(batch: Batch, is_proper: Mask) -> Mask:
    """Tell of which pairs each side has a proper noun that the other does not call one."""
    names = np.flatnonzero(is_proper)
    long, split = _sides(Members(batch.tokens.numbers[names], batch.sentence[names], len(batch)))
    return (long > 0) & (split > 0)


def _changed(batch: Batch, is_proper: Mask, asked: Mask) -> Counts:
    """Return for the pairs that are asked about how many names of one side stand in another's place; 0 for others."""
    tokens = np.flatnonzero(asked[batch.sentence // 3])
    stems, sentence = batch.tokens.at(tokens).by(_stems), batch.sentence[tokens]
    standing = Members(stems, sentence, len(batch)).standing()
    lost = np.flatnonzero(is_proper[tokens] & ((standing == LONG) | (standing & LONG == 0)))
    words = (batch.tokens.listed[number] for number in batch.tokens.numbers[tokens[lost]].tolist())
    lost = lost[np.fromiter(map(_is_name, words), bool, lost.size)]
    return np.minimum(*_sides(Members(stems[lost], sentence[lost], len(batch))))


def _sides(members: Members) -> tuple[Counts, Counts]:
    """Return how many words stand in `long` alone, and how many in the halves alone."""
    found = members.counts()
    return found[:, LONG], found[:, [FIRST, SECOND, FIRST | SECOND]].sum(axis=1)


def _is_name(token: str) -> bool:
    """Tell whether a token has two letters or more and the first is a capital."""
    return token[0].isupper() and token[1:].isalpha()


def _stems(tokens: Sequence[str]) -> list[str]:
    return [token[:_STEM].lower() for token in tokens]
