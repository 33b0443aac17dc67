"""Two sentences joined without a space: punctuation between the letters of one token, as in `ended.Then`.

BiSECT (EMNLP 2021, section 3.1) drops sentences with punctuation inside a token. Its published data agree with this
reading: at least two letters right before and right after the punctuation; hyphens and slashes are exempt. Raw text
needs more exemptions than its authors' space-separated text: apostrophes, quotation marks, addresses, file names,
brackets as in word(s), dots before brackets, `Xiph.Org`, `GOOGL.O`, EE.UU.

In text with spaces around punctuation, as in the paper's data, two joined sentences look like `ended .Then`, and
elsewhere like `in 1996.Then` or `ended.A dog`: final punctuation right before a capital counts too, after a space, a
number or a bracket, or after a word of four letters or more if a single letter follows: `J.Smith` and `vit.B` pass.
Final punctuation at the start of a text joins nothing: `…And then` passes. Nor does the full stop of a title before a
name (`Mr.Smith`; core/cuts.py), or an ellipsis before a small letter (`the past...five months`).
"""

import functools
import re
import string
from typing import ClassVar

from pydantic import Field

from bitext_pivot.core.cuts import is_cut
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View

_ENDINGS = (
    "com|org|net|edu|gov|int|info|biz|co|eu|fr|de|es|uk|nl|ch|ca|ru|cz|pl|io|tv|fm|"
    "js|py|txt|pdf|docx?|xlsx?|html?|xml|json|csv|jpe?g|png|gif|zip|exe|mp3|php"
)
_LARGE_ENDINGS = "Com|Org|Net|Edu|Gov|Info"
"""Endings of `Xiph.Org`; others begin sentences in some language: `kam.Es regnete`."""
_NAME = re.compile(
    rf"""(?: [a-z]+://\S* | (?i:www)\.\S* | \S+@\S+\.\S+              # addresses
          | [\w-]+(?:\.[\w-]+)*\.(?:{_ENDINGS})(?:[/:?#]\S*)?     # hosts and files
          | [A-Z][\w-]*(?:\.[\w-]+)*\.(?:{_LARGE_ENDINGS})(?:/\S*)?   # hosts as they are written in prose
          | [\w-]+(?:\.[\w-]+)*\.(?:{_ENDINGS.upper()})(?:/\S*)?  # the same in capitals
          | [A-Z]{{1,5}}\.(?![AI]\b)[A-Z]{{1,2}}                   # symbols of stock exchanges
          | \w+[:*]in(?:nen)?(?:-\w+)?                           # German gender forms
          | (?:[A-Z]{{2}}\.)+[A-Z]{{2}} )                           # Spanish plurals of initials
         (?:['’]s)?[^\w\s]*""",
    re.VERBOSE,
)
_EXCEPTIONS = frozenset({".Net"})
_BRACKETED = re.compile(r"\((\w+)\)|\[(\w+)\]")  # word(s), (re)open, [w]ord
_OMITTED = re.compile(r"(?:\.{2,}|…)[.]*(?=[\[(])|[\[(](?:\.{2,}|…)[\])]")
"""Dots for what a quotation leaves out, before a bracket or in brackets: `work...[but]`, `said[...]that`."""
_ELLIPSIS = re.compile(r"(?:\.\.\.|…)(?=[a-zß-ÿ])")
_COLON_INFLECTS = frozenset({"fi", "sv"})  # EU:ssa
_OPENING = "([{<\"'“‘«„¿¡"
_LETTER = r"[^\W\d_]"
_ANY = f"[{re.escape(string.punctuation + '…“”‘’«»')}]"
_FINAL = "[.?!…]"
_RUN = re.compile(
    rf"({_ANY}(?<={_LETTER}{{2}}.){_ANY}*)({_LETTER}{{2}})"
)  # begins with punctuation: fast to search
"""Punctuation between two letters and two letters."""
_JOINT = re.compile(
    rf"{_FINAL}(?:(?<=[\s\d)\]»”\"%].)({_LETTER})({_LETTER})|(?<={_LETTER}{{4}}.)({_LETTER})(?=['’\s]|\Z))"
)
"""Final punctuation after a space, a number or a bracket before a word; or after a word before one letter or `L’`."""


class PastedFilter(RuleFilter):
    """The number of tokens with punctuation inside, in all three sentences; tokens are separated by spaces.

    >>> PastedFilter().count("It ended.Then we left, didn't we?", "en")
    1
    """

    IN_PAPER: ClassVar = True
    VERSION: ClassVar[int] = 3
    exempt: str = Field(default="-/'\"&_@", title="Exempt characters", max_length=32)
    """ASCII punctuation that is allowed inside a word. The paper's data need `-/`."""
    max_tokens: int = Field(default=0, title="Maximum tokens", ge=0, le=1000)
    """Maximum number of tokens with internal punctuation per pair."""

    def measure(self, pair: View) -> float:
        """Return the number of tokens with punctuation inside."""
        return sum(self.count(text, pair.language) for text in pair.texts)

    def count(self, text: str, language: str) -> int:
        """Return the number of tokens of a text with punctuation inside."""
        text = _ELLIPSIS.sub(" ", text.lstrip(".?!… "))
        if "(" in text or "[" in text:
            text = _BRACKETED.sub(r"\1\2", _OMITTED.sub(" ", text))
        punctuation = _punctuation(self.exempt + (":" if language in _COLON_INFLECTS else ""))
        if not (_is_inside(text, punctuation) or _JOINT.search(text)):
            return 0
        return sum(
            not token.isalpha()
            and _is_pasted(token, punctuation)
            and not _is_titled(token, language)
            for token in text.split()
        )


def _is_inside(text: str, punctuation: frozenset[str]) -> bool:
    """Return True if one of these characters is between two letters and two letters."""
    return any(not punctuation.isdisjoint(run) for run, _ in _RUN.findall(text))


def _is_pasted(token: str, punctuation: frozenset[str]) -> bool:
    return (_is_inside(token, punctuation) or _is_joint(token)) and not _NAME.fullmatch(
        token.lstrip(_OPENING)
    )


def _is_titled(token: str, language: str) -> bool:
    """Return True for a name right behind the full stop of a title or abbreviation: `Mr.Smith`."""
    title, stop, name = token.partition(".")
    # with a word before it, a number is no list mark
    return is_cut(f"by {title}{stop}", name, language)


def _is_joint(token: str) -> bool:
    """Return True if final punctuation is followed by the capital of the next sentence without a space."""
    match = _JOINT.search(f" {token}")
    if match is None or token in _EXCEPTIONS:
        return False
    return match[3].isupper() if match[3] else match[1].isupper() and match[2].islower()


@functools.cache
def _punctuation(exempt: str) -> frozenset[str]:
    return frozenset(string.punctuation + "…") - frozenset(exempt)
