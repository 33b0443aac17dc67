"""Names that were exchanged: each side has a name that the other side lacks, by mistranslation or misalignment.

Not a filter of the paper. A name is a word inside a sentence that is tagged as a proper noun and capitalised. Its first
letters are compared, so that `Europe` matches `European`. As with numbers, a name that is only left out is accepted.
"""

from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from filters.base import RuleFilter
from filters.view import View
from pairs.records import Parse

_STEM = 4  # letters: with fewer unrelated words match, with more a name no longer matches its adjective


class Names(RuleFilter):
    """The number of names of one side that the other side lacks; the side with fewer counts."""

    preset: ClassVar = "strict"
    thresholds: ClassVar = frozenset({"max_changed"})

    max_changed: int = Field(
        default=2,
        title="Maximum names",
        ge=0,
        le=1000,
        description="Maximum number of names that may differ between the two sides.",
    )

    def measure(self, pair: View) -> float:
        """Return the number of exchanged names."""
        long, *split = pair.parses
        names_long, names_split = _names([long]), _names(split)
        if not (names_long and names_split):
            return 0
        return min(len(names_long - _stems(split)), len(names_split - _stems([long])))

    def accepts(self, score: float) -> bool:
        """Return True up to `max_changed`."""
        return score <= self.max_changed


def _names(parses: Sequence[Parse]) -> set[str]:
    """Return the stems of capitalised proper nouns, without the first word of each sentence."""
    return {
        _stem(token)
        for parse in parses
        for token, pos in zip(parse.tokens[1:], parse.pos[1:], strict=True)
        if pos == "PROPN" and token[0].isupper() and token[1:].isalpha()
    }


def _stems(parses: Sequence[Parse]) -> set[str]:
    return {_stem(token) for parse in parses for token in parse.tokens}


def _stem(token: str) -> str:
    return token[:_STEM].lower()
