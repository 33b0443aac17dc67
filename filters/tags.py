"""Marks that are no part of a sentence: who speaks in which language, and left-over markup.

No filter of the paper. A tenth of Europarl's 1-2 and 2-1 links carry such a tag, `- (DE)` before the speech, and an
engine translates it with the rest. The same code inside a sentence, `Finland (FI)`, is none.
"""

import re
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from pydantic import Field

from filters.base import Filter
from filters.batch import Batch
from filters.letters import Letters
from pairs.columns import Counts
from pairs.records import ParsedPair

_CODES = "BG|CS|DA|DE|EL|EN|ES|ET|FI|FR|GA|HR|HU|IT|LT|LV|MT|NL|PL|PT|RO|SK|SL|SV"
_CODED = np.array([ord(code[0]) << 8 | ord(code[1]) for code in _CODES.split("|")], np.uint32)
PATTERN = re.compile(
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
        batch = Batch.of(pairs)
        return batch.only(_suspects(batch.letters) // 3, _tagged)

    def accepts(self, score: float) -> bool:
        """Accept up to `max_sentences`."""
        return score <= self.max_sentences


def _tagged(pair: ParsedPair) -> int:
    return sum(PATTERN.search(text) is not None for text in (pair.pair.long, *pair.pair.split))


def _suspects(letters: Letters) -> Counts:
    """Return the texts with a mark that begins markup or a named character, or with a language behind a bracket."""
    places = letters.marks
    codes = letters.codes[places]
    brackets = places[(codes == ord("(")) | (codes == ord("["))]
    begins = brackets + 1 + letters.match(r"\s", brackets + 1)
    coded = np.isin(letters.codes[begins] << 8 | letters.codes[begins + 1], _CODED)
    others = places[(codes == ord("<")) | (codes == ord("&"))]
    return np.unique(letters.text_of(np.concatenate([brackets[coded], others])))
