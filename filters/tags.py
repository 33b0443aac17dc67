"""Marks that are no part of a sentence: who speaks in which language, and left-over markup.

No filter of the paper. A tenth of Europarl's 1-2 and 2-1 links carry such a tag, `- (DE)` before the speech, and an
engine translates it with the rest. The same code inside a sentence, `Finland (FI)`, is none.
"""

import re
from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from filters.base import Filter
from pairs.records import ParsedPair

_CODES = "BG|CS|DA|DE|EL|EN|ES|ET|FI|FR|GA|HR|HU|IT|LT|LV|MT|NL|PL|PT|RO|SK|SL|SV"
_TAG = re.compile(
    rf"""(?: \A\W* | [.:!?…]\s*(?:[-–—]\s*)? | [-–—]\s* ) [(\[]\s?(?:{_CODES})\s?[)\]]   # speech held in this language
         | </?[A-Za-z][\w:-]*(?:\s[^<>]*)?/?>                                            # markup
         | &(?:[a-z]{{2,8}}|\#\d{{2,6}});                                                # named characters""",
    re.VERBOSE,
)


class Tags(Filter):
    """Counts the sentences with a speaker's language, an element of markup or a named character in them."""

    preset: ClassVar = "strict"
    thresholds: ClassVar = frozenset({"max_sentences"})

    max_sentences: int = Field(
        default=0, title="Most sentences", ge=0, le=3, description="Sentences of a pair that may have such a mark."
    )

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return 0 to 3."""
        return [float(sum(map(_is_tagged, (pair.pair.long, *pair.pair.split)))) for pair in pairs]

    def accepts(self, score: float) -> bool:
        """Accept up to `max_sentences`."""
        return score <= self.max_sentences


def _is_tagged(text: str) -> bool:
    # three marks that no tag is without: finding none of them is ten times faster than the search
    return ("(" in text or "<" in text or "&" in text or "[" in text) and _TAG.search(text) is not None
