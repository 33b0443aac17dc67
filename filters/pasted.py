"""Two sentences pasted without a space: a punctuation mark between the letters of one token, as in `ended.Then`.

BiSECT (EMNLP 2021, section 3.2) drops sentences with punctuation inside a token. Its published data agree with this
reading: at least two letters stand right before and right after the marks; hyphens and slashes are exempt. Raw text
needs more exemptions than its authors' space-separated text: apostrophes, quotation marks, addresses, file names,
brackets as in word(s), EE.UU.
"""

import functools
import re
import string
from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field

from filters.base import Filter
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
_BRACKETED = re.compile(r"\((\w+)\)")  # word(s), (re)open
_COLON_INFLECTS = frozenset({"fi", "sv"})  # EU:ssa
_QUOTES = "'’”»“\")]"


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
        texts = (((pair.pair.long, *pair.pair.split), pair.pair.language) for pair in pairs)
        return [float(sum(self.count(side, language) for side in sides)) for sides, language in texts]

    def accepts(self, score: float) -> bool:
        """Accept up to `max_tokens`."""
        return score <= self.max_tokens

    def count(self, text: str, language: str) -> int:
        """Return how many tokens of a text have punctuation inside."""
        inside = _inside(self.exempt + (":" if language in _COLON_INFLECTS else ""))
        if not inside.search(text):
            return 0
        return sum(1 for token in text.split() if _is_pasted(token, inside))


def _is_pasted(token: str, inside: re.Pattern[str]) -> bool:
    bare = token.lstrip("([{<\"'“‘«„¿¡")
    return bool(inside.search(_BRACKETED.sub(r"\1", token))) and not _NAME.fullmatch(bare)


@functools.cache
def _inside(exempt: str) -> re.Pattern[str]:
    """Two letters, marks of which one at least is not exempt, two letters."""
    marks = re.escape("".join(set(string.punctuation + "…") - set(exempt)))
    letters, around = "[^\\W\\d_]{2}", f"[{re.escape(exempt + _QUOTES)}]*"
    return re.compile(f"{letters}{around}[{marks}][{marks}{re.escape(exempt + _QUOTES)}]*{letters}")
