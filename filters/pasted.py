"""Reject pairs with two sentences joined without a space, as in `ended.Then`.

The filter looks for punctuation between the letters of a token.

BiSECT (EMNLP 2021, section 3.1) drops sentences with punctuation inside a token. Its published data agree with this
reading: punctuation counts if at least two letters come right before it and two right after it, except hyphens and
slashes. The authors' text has spaces between tokens; raw text needs more exemptions: apostrophes, quotation marks,
addresses, file names, brackets as in word(s), dots before brackets, `Xiph.Org`, `GOOGL.O`, `EE.UU.`

In text with spaces around punctuation, as in the paper's data, two joined sentences look like `ended .Then`. Elsewhere
they may look like `in 1996.Then` or `ended.A dog`. Final punctuation right before a capital therefore also counts after
a space, a number or a bracket. Before a single letter, it only counts after a word of four letters or more, so
`J.Smith` and `vit.B` pass. Also accepted are final punctuation at the start of a text (`…And then`), the full stop of a
title before a name (`Mr.Smith`), and an ellipsis before a small letter (`the past...five months`).
"""

import functools
import re
import string
from typing import ClassVar

from pydantic import Field

from bitext_pivot.core.false_boundaries import is_false_boundary
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View

_EXTENSIONS = (
    "com|org|net|edu|gov|int|info|biz|co|eu|fr|de|es|uk|nl|ch|ca|ru|cz|pl|io|tv|fm|"
    "js|py|txt|pdf|docx?|xlsx?|html?|xml|json|csv|jpe?g|png|gif|zip|exe|mp3|php"
)
_CAPITALISED_DOMAINS = "Com|Org|Net|Edu|Gov|Info"
"""Internet domains that are often capitalised, as in `Xiph.Org`. Other domains begin sentences in some languages:
`kam.Es regnete`."""
_NAME = re.compile(
    rf"""(?: [a-z]+://\S* | (?i:www)\.\S* | \S+@\S+\.\S+              # addresses
          | [\w-]+(?:\.[\w-]+)*\.(?:{_EXTENSIONS})(?:[/:?#]\S*)?     # hosts and files
          | [A-Z][\w-]*(?:\.[\w-]+)*\.(?:{_CAPITALISED_DOMAINS})(?:/\S*)?   # hosts as written in prose
          | [\w-]+(?:\.[\w-]+)*\.(?:{_EXTENSIONS.upper()})(?:/\S*)?  # the same in capitals
          | [A-Z]{{1,5}}\.(?![AI]\b)[A-Z]{{1,2}}                   # stock symbols
          | \w+[:*]in(?:nen)?(?:-\w+)?                           # gender-neutral German nouns
          | (?:[A-Z]{{2}}\.)+[A-Z]{{2}} )                           # Spanish initials in the plural
         (?:['’]s)?[^\w\s]*""",
    re.VERBOSE,
)
_EXCEPTIONS = frozenset({".Net"})
_BRACKETED = re.compile(r"\((\w+)\)|\[(\w+)\]")  # word(s), (re)open, [w]ord
_OMITTED = re.compile(r"(?:\.{2,}|…)[.]*(?=[\[(])|[\[(](?:\.{2,}|…)[\])]")
"""An omission in a quotation: dots before or inside brackets, as in `work...[but]` and `said[...]that`."""
_ELLIPSIS = re.compile(r"(?:\.\.\.|…)(?=[a-zß-ÿ])")
# Languages with a colon before inflectional endings, as in `EU:ssa`.
_COLON_INFLECTS = frozenset({"fi", "sv"})
_OPENING = "([{<\"'“‘«„¿¡"
_LETTER = r"[^\W\d_]"
_ANY = f"[{re.escape(string.punctuation + '…“”‘’«»')}]"
_FINAL = "[.?!…]"
_RUN = re.compile(rf"({_ANY}(?<={_LETTER}{{2}}.){_ANY}*)({_LETTER}{{2}})")
"""Punctuation with two letters on each side. The pattern begins with punctuation, which makes the search fast."""
_JOINT = re.compile(
    rf"{_FINAL}(?:(?<=[\s\d)\]»”\"%].)({_LETTER})({_LETTER})|(?<={_LETTER}{{4}}.)({_LETTER})(?=['’\s]|\Z))"
)
"""Final punctuation without a space after it, for cases in which `_RUN` does not match.

The punctuation comes after a space, number or bracket and before a word, or after a word and before a single letter
or `L’`."""


class PastedFilter(RuleFilter):
    """The number of tokens with punctuation inside, in the long sentence and both halves.

    Tokens are separated by spaces.

    >>> PastedFilter().count("It ended.Then we left, didn't we?", "en")
    1
    """

    IN_PAPER: ClassVar = True
    VERSION: ClassVar[int] = 3
    exempt: str = Field(default="-/'\"&_@", title="Exempt characters", max_length=32)
    """ASCII punctuation that is allowed inside a token. The data of the BiSECT paper need `-/`."""
    max_tokens: int = Field(default=0, title="Maximum tokens", ge=0, le=1000)
    """Maximum number of tokens with punctuation inside, in all three sentences of a pair."""

    def measure(self, pair: View) -> float:
        """Return the number of tokens with punctuation inside, in all three sentences of the pair."""
        return sum(self.count(text, pair.language) for text in pair.texts)

    def count(self, text: str, language: str) -> int:
        """Return the number of tokens in a text that have punctuation inside."""
        text = _ELLIPSIS.sub(" ", text.lstrip(".?!… "))
        if "(" in text or "[" in text:
            text = _BRACKETED.sub(r"\1\2", _OMITTED.sub(" ", text))
        punctuation = _punctuation(self.exempt + (":" if language in _COLON_INFLECTS else ""))
        if not (_has_inner_punctuation(text, punctuation) or _JOINT.search(text)):
            return 0
        return sum(
            not token.isalpha()
            and _is_pasted(token, punctuation)
            and not _is_title_with_name(token, language)
            for token in text.split()
        )


def _has_inner_punctuation(text: str, punctuation: frozenset[str]) -> bool:
    """Return True if a character in `punctuation` has two letters before it and two after it."""
    return any(not punctuation.isdisjoint(run) for run, _ in _RUN.findall(text))


def _is_pasted(token: str, punctuation: frozenset[str]) -> bool:
    return (
        _has_inner_punctuation(token, punctuation) or _joins_sentences(token)
    ) and not _NAME.fullmatch(token.lstrip(_OPENING))


def _is_title_with_name(token: str, language: str) -> bool:
    """Return True for a title or abbreviation followed by a name without a space: `Mr.Smith`."""
    title, stop, name = token.partition(".")
    # The word before the title prevents `is_false_boundary` from taking a number for a list mark.
    return is_false_boundary(f"by {title}{stop}", name, language)


def _joins_sentences(token: str) -> bool:
    """Return True if a capital follows final punctuation without a space, as in `1996.Then`."""
    match = _JOINT.search(f" {token}")
    if match is None or token in _EXCEPTIONS:
        return False
    return match[3].isupper() if match[3] else match[1].isupper() and match[2].islower()


@functools.cache
def _punctuation(exempt: str) -> frozenset[str]:
    return frozenset(string.punctuation + "…") - frozenset(exempt)
