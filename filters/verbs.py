"""A side without a verb: headings, lists and fragments (BiSECT, section 3.2: every sentence has a verb)."""

from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from filters.base import Filter
from pairs.grammar import Grammar
from pairs.records import Parse, ParsedPair


class Verbs(Filter):
    """Counts verbs and auxiliaries in the sentence that has fewest: `long`, the first half or the second."""

    thresholds: ClassVar = frozenset({"min_verbs"})

    min_verbs: int = Field(
        default=1, title="Fewest verbs", ge=0, le=100, description="Verbs or auxiliaries that each sentence must have."
    )

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return the number of verbs in the poorest of the three sentences."""
        return [float(min(verbs(side, pair.pair.language) for side in (pair.long, *pair.split))) for pair in pairs]

    def accepts(self, score: float) -> bool:
        """Accept from `min_verbs` on."""
        return score >= self.min_verbs


def verbs(parse: Parse, language: str) -> int:
    """Return how many verbs and auxiliaries a sentence has."""
    grammar = Grammar(parse, language)
    return sum(map(grammar.is_verb, range(len(grammar))))
