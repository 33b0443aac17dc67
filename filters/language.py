"""Text in another language than the pair's: not translated, in whole or in part.

Not a filter of the paper. A language identifier judges a whole text; counts of function words (section
`function_words` of every language) also find a sentence with only its beginning translated.
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
_EAST_ASIAN = "\u1100"  # first letter of the scripts of languages without spaces


class LanguageFilter(RuleFilter):
    """The share of function words of another language; the sentence with the largest share counts."""

    VERSION: ClassVar[int] = 2
    LANGUAGE_SECTION: ClassVar[str] = "function_words"

    max_foreign: float = Field(default=0.08, title="Maximum share", ge=0, le=1)
    """Maximum share of words that may be function words of one other language. The first such word is not counted,
    because it usually belongs to a name."""

    def measure(self, pair: View) -> float:
        """Return the largest share of the three sentences, from 0 to 1; 0 for a language without a word list."""
        return max(
            foreign_share(parse.tokens, different, pair.language)
            for parse, different in zip(pair.parses, pair.tokens, strict=True)
        )


def foreign_share(tokens: Sequence[str], different: Set[str], language: str) -> float:
    """Return the number of function words of one other language, minus one, per word of a sentence.

    0 if the sentence has fewer than two different ones in lower case, unless it is in an East Asian script.
    """
    others = other_languages(language)
    may_be_east_asian = (
        language not in _WITHOUT_SPACES and max(different, default="") >= _EAST_ASIAN
    )
    is_east_asian = may_be_east_asian and any(map(_is_east_asian, different))
    if not others or (len(others.keys() & different) < 2 and not is_east_asian):
        return 0.0
    counts = Counter(name for token in tokens for name in others.get(token.lower(), ()))
    if is_east_asian:
        counts["without spaces"] = sum(map(_is_east_asian, tokens))
    foreign = max(counts.values(), default=0) - 1
    if foreign < sum(token.lower() in _unmeasured(language) for token in tokens):
        return 0.0
    return foreign / max(1, sum(map(str.isalpha, tokens))) if foreign > 0 else 0.0


def _is_east_asian(token: str) -> bool:
    return (
        token[:1] >= _EAST_ASIAN and token[0].isalpha()
    )  # above _EAST_ASIAN are quotation marks and dashes too


@functools.cache
def _unmeasured(language: str) -> frozenset[str]:
    """Return the function words of a language whose list was not held against a treebank: words may be missing.

    A sentence that has more of these than of another language's is in this language.
    """
    lists = section(language, "function_words")
    if "own" in lists:
        return frozenset()
    return frozenset(lists.get("words", ()))


@functools.cache
def other_languages(language: str) -> dict[str, tuple[str, ...]]:
    """Return the languages of each function word that `language` lacks; {} for a language without a word list."""
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
    """Return digits that change with the words that filters compare, for shards' keys.

    These are the data of a language, the function words of any, and the form in which words are compared.
    """
    function_words = [digest(name, "function_words") for name in languages_with("function_words")]
    return key(digest(language), function_words, view.VERSION)
