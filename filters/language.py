"""Reject sentences that were left, wholly or partly, in another language.

This filter is not in the BiSECT paper. A language identifier judges a text as a whole. Counting function words (section
`function_words` of each language's data file) also finds a sentence of which only the beginning was translated.
"""

import functools
from collections import Counter
from collections.abc import Sequence, Set
from typing import ClassVar

from pydantic import Field

from bitext_pivot.core.languages import digest, languages_with, section
from bitext_pivot.core.settings import key
from bitext_pivot.filters import view
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View

_WITHOUT_SPACES = frozenset({"ja", "ko", "zh"})
_EAST_ASIAN = "\u1100"  # first letter of the scripts that are written without spaces


class LanguageFilter(RuleFilter):
    """The share of words that are function words of another language, in the worst sentence."""

    VERSION: ClassVar[int] = 2
    LANGUAGE_SECTION: ClassVar[str] = "function_words"

    max_foreign: float = Field(default=0.08, title="Maximum share", ge=0, le=1)
    """Maximum share of words in a sentence that may be function words (such as *the*) of one other language. The
    first such word is not counted, because it usually belongs to a name."""

    def measure(self, pair: View) -> float:
        """Return the largest share of the three sentences, or 0 for a language without a word list."""
        return max(
            foreign_share(parse.tokens, distinct, pair.language)
            for parse, distinct in zip(pair.parses, pair.tokens, strict=True)
        )


def foreign_share(tokens: Sequence[str], distinct: Set[str], language: str) -> float:
    """Return the share of a sentence's words that are function words of one other language.

    The first such word is not counted. The share is 0 if fewer than two distinct lower-case words are function words of
    other languages, unless the sentence contains an East Asian script.
    """
    others = other_languages(language)
    may_be_east_asian = language not in _WITHOUT_SPACES and max(distinct, default="") >= _EAST_ASIAN
    is_east_asian = may_be_east_asian and any(map(_is_east_asian, distinct))
    if not others or (len(others.keys() & distinct) < 2 and not is_east_asian):
        return 0.0
    counts = Counter(name for token in tokens for name in others.get(token.lower(), ()))
    if is_east_asian:
        counts["without spaces"] = sum(map(_is_east_asian, tokens))
    foreign = max(counts.values(), default=0) - 1
    if foreign < sum(token.lower() in _unchecked_words(language) for token in tokens):
        return 0.0
    return foreign / max(1, sum(map(str.isalpha, tokens))) if foreign > 0 else 0.0


def _is_east_asian(token: str) -> bool:
    # Quotation marks and dashes also have code points above _EAST_ASIAN.
    return token[:1] >= _EAST_ASIAN and token[0].isalpha()


@functools.cache
def _unchecked_words(language: str) -> frozenset[str]:
    """Return the function words of a language whose list was never checked against a treebank.

    Such a list may be incomplete, so a sentence counts as being in this language if it has more of these words than
    function words of another language. For a checked list, return an empty set.
    """
    lists = section(language, "function_words")
    if "own" in lists:
        return frozenset()
    return frozenset(lists.get("words", ()))


@functools.cache
def other_languages(language: str) -> dict[str, tuple[str, ...]]:
    """Map each function word that `language` lacks to the other languages that have it.

    Return {} if `language` has no word list.
    """
    lists = section(language, "function_words")
    others: dict[str, tuple[str, ...]] = {}
    if not lists:
        return others
    own = frozenset([*lists["words"], *lists.get("own", ())])
    for name in languages_with("function_words"):
        for word in frozenset(section(name, "function_words")["words"]) - own:
            others[word] = (*others.get(word, ()), name)
    return others


def data_signature(language: str) -> str:
    """Return a digest of the language data that filters use.

    It is part of the keys of shards, so that changed data are noticed. It covers the data file of the language, the
    function words of all languages, and the version of `View`.
    """
    function_words = [digest(name, "function_words") for name in languages_with("function_words")]
    return key(digest(language), function_words, view.VERSION)
