"""Single words left untranslated: function words of another language, or words in letters that the language lacks.

Not a filter of the paper. `language` finds sentences with a share of foreign words; one or two of them show only where
the other side lacks them, because names and quoted words stand on both sides. Capitalised words are not counted, nor
words between two of them (`Ludwig van Beethoven`) or before a hyphen (`el-Gaddafi`). Loan words are data of languages
(section `untranslated`), or known by the other side's spelling (`purée` and `puree`).
"""

import functools
from collections.abc import Sequence

from pydantic import Field

from bitext_pivot.core.languages import section
from bitext_pivot.core.records import Parse
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.language import other_languages
from bitext_pivot.filters.view import View, without_accents

_SHORTEST = 3  # letters of a word in foreign letters; `µg` is a unit


class Untranslated(RuleFilter):
    """The number of foreign words of one side that the other side lacks."""

    max_words: int = Field(default=0, title="Maximum words", ge=0, le=1000)
    """Maximum number of foreign words that only one side may have. Languages without data are not measured."""

    def measure(self, pair: View) -> float:
        """Return the number of different words; 0 for a language without data."""
        if not section(pair.language, "untranslated"):
            return 0
        long, first, second = map(
            foreign_words, pair.parses, pair.tokens, pair.texts, [pair.language] * 3
        )
        tokens = set().union(*pair.tokens)
        return sum(without_accents(word) not in tokens - {word} for word in long ^ (first | second))


def foreign_words(parse: Parse, tokens: set[str], text: str, language: str) -> set[str]:
    """Return the foreign words of a sentence in lower case, without those between capitalised words."""
    words = tokens & _function_words(language)
    if not text.isascii():
        words |= {
            token
            for token in tokens
            if not token.isascii() and _has_foreign_letter(token, language)
        }
    return (
        {word for word in words if not _is_in_name(parse.tokens, parse.tokens.index(word))}
        if words
        else words
    )


def _is_in_name(tokens: Sequence[str], n: int) -> bool:
    before, after = tokens[max(0, n - 1)], tokens[n + 1 : n + 2]
    return after == ("-",) or (n > 0 and before.istitle() and bool(after) and after[0].istitle())


def _has_foreign_letter(word: str, language: str) -> bool:
    """Return True if a lower-case word has a letter beyond ASCII that the language lacks."""
    letters = section(language, "untranslated")["letters"]
    is_word = (
        len(word) >= _SHORTEST
        and word.isalpha()
        and word.islower()
        and word not in _table_words(language, "loans")
    )
    return is_word and any(not letter.isascii() and letter not in letters for letter in word)


@functools.cache
def _function_words(language: str) -> frozenset[str]:
    """Return the function words of other languages, of two letters or more, that are no words of this one."""
    words = frozenset(other_languages(language)) - _table_words(language, "ordinary")
    return frozenset(word for word in words if len(word) > 1)


@functools.cache
def _table_words(language: str, name: str) -> frozenset[str]:
    """Return a word list of a language, empty if it has none."""
    return frozenset(section(language, "untranslated").get(name, "").split())
