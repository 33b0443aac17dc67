"""Two sentences pasted without a space: a punctuation mark between the letters of one token, as in `ended.Then`.

BiSECT (EMNLP 2021, section 3.2) drops sentences with punctuation inside a token. Its published data agree with this
reading: at least two letters stand right before and right after the marks; hyphens and slashes are exempt. Raw text
needs more exemptions than its authors' space-separated text: apostrophes, quotation marks, addresses, file names,
brackets as in word(s), EE.UU.

In text whose marks stand between blanks, as the paper's does, the seam of two sentences is `ended .Then`, and elsewhere
`in 1996.Then` or `ended.A dog`: a final mark right before a capital counts too. Before it must stand a blank, a number
or a bracket, or a word of four letters or more if behind it stands one letter alone: `J.Smith` and `vit.B` are whole.
"""

import functools
import re
import string
from collections.abc import Sequence
from typing import ClassVar

import numpy as np
from pydantic import Field

from filters.base import Filter
from filters.batch import Batch
from filters.letters import BLANK, LETTER, MARKS, Letters
from pairs.columns import Counts
from pairs.records import ParsedPair

_ENDINGS = (
    "com|org|net|edu|gov|int|info|biz|co|eu|fr|de|es|uk|nl|ch|ca|ru|cz|pl|io|tv|fm|"
    "js|py|txt|pdf|docx?|xlsx?|html?|xml|json|csv|jpe?g|png|gif|zip|exe|mp3|php"
)
_NAME = re.compile(
    rf"""(?: [a-z]+://\S* | www\.\S* | \S+@\S+\.\S+              # addresses
          | [\w-]+(?:\.[\w-]+)*\.(?:{_ENDINGS})(?:[/:?#]\S*)?     # hosts and files
          | \w+[:*]in(?:nen)?(?:-\w+)?                           # German gender forms
          | (?:[A-Z]{{2}}\.)+[A-Z]{{2}} )                           # Spanish plurals of initials
         [^\w\s]*""",
    re.VERBOSE,
)
_ASIDE = frozenset({".Net"})
_BRACKETED = re.compile(r"\((\w+)\)")  # word(s), (re)open
_COLON_INFLECTS = frozenset({"fi", "sv"})  # EU:ssa
_OPENING = "([{<\"'“‘«„¿¡"
_ANY = f"[{re.escape(MARKS)}]"
_FINAL = "[.?!…]"
_RUN = re.compile(rf"({_ANY}(?<={LETTER}{{2}}.){_ANY}*)({LETTER}{{2}})")  # begins with the mark: fast to search
"""Marks between two letters and two letters."""
_SEAM = re.compile(rf"{_FINAL}(?:(?<=[\s\d)\]»”\"%].)({LETTER})({LETTER})|(?<={LETTER}{{4}}.)({LETTER})(?=['’\s]|\Z))")
"""A final mark, behind a blank, a number or a bracket, and a word; or behind a word, and one of a letter, also `L’`."""


class Pasted(Filter):
    """Counts tokens with punctuation inside, in `long` and both halves; tokens are what stands between blanks.

    >>> Pasted().count("It ended.Then we left, didn't we?", "en")
    1
    """

    thresholds: ClassVar = frozenset({"max_tokens"})

    exempt: str = Field(
        default="-/'\"&_@",
        title="Exempt marks",
        max_length=32,
        description="ASCII marks that may stand inside a word. The paper's data ask for `-/`.",
    )
    max_tokens: int = Field(default=0, title="Most tokens", ge=0, le=1000, description="Such tokens a pair may have.")

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return how many tokens of the three sentences have punctuation inside."""
        batch = Batch.of(pairs)
        return batch.only(_suspects(batch.letters, self.exempt) // 3, self._counted)

    def accepts(self, score: float) -> bool:
        """Accept up to `max_tokens`."""
        return score <= self.max_tokens

    def _counted(self, pair: ParsedPair) -> int:
        return sum(self.count(text, pair.pair.language) for text in (pair.pair.long, *pair.pair.split))

    def count(self, text: str, language: str) -> int:
        """Return how many tokens of a text have punctuation inside."""
        text = _BRACKETED.sub(r"\1", text) if "(" in text else text
        if not (_RUN.search(text) or _SEAM.search(text)):
            return 0
        marks = _marks(self.exempt + (":" if language in _COLON_INFLECTS else ""))
        return sum(1 for token in text.split() if _is_pasted(token, marks))


def _suspects(letters: Letters, exempt: str) -> Counts:
    """Return the texts that may have a mark inside a word, a seam, or a bracket that parts letters."""
    places, letter = letters.marks, functools.partial(letters.match, LETTER)
    counted = f"[{re.escape(''.join(sorted(_marks(exempt))))}]"
    codes = letters.codes[places]
    runs = places[letter(places - 1) & letter(places - 2)]
    ends, counts = runs + 1, letters.match(counted, runs)
    while (goes_on := letters.match(_ANY, ends)).any():
        counts |= goes_on & letters.match(counted, ends)
        ends += goes_on
    final = places[letters.match(_FINAL, places)]
    blank = functools.partial(letters.match, BLANK)
    opening, closing = places[codes == ord("(")], places[codes == ord(")")]
    found = [
        runs[counts & letter(ends) & letter(ends + 1)],
        final[letter(final + 1)],
        opening[~blank(opening - 1)],
        closing[~blank(closing + 1) & ~blank(closing + 2)],
    ]
    return np.unique(letters.text_of(np.concatenate(found)))


def _is_pasted(token: str, marks: frozenset[str]) -> bool:
    runs = (run for run, _ in _RUN.findall(token))
    is_inside = any(not marks.isdisjoint(run) for run in runs)
    return (is_inside or _is_seam(token)) and not _NAME.fullmatch(token.lstrip(_OPENING))


def _is_seam(token: str) -> bool:
    """Tell whether a final mark is glued to the capital of the next sentence, and to no word or a whole one before."""
    found = _SEAM.search(f" {token}")
    if found is None or token in _ASIDE:
        return False
    return found[3].isupper() if found[3] else found[1].isupper() and found[2].islower()


@functools.cache
def _marks(exempt: str) -> frozenset[str]:
    return frozenset(string.punctuation + "…") - frozenset(exempt)
