"""Reject pairs with single untranslated words: foreign function words or foreign letters.

This filter is not in the BiSECT paper. The filter `language` finds sentences with many foreign words. One or two
foreign words count only if the other side lacks them, because names and quoted words occur on both sides. The following
words never count:

* capitalised words and the words between two of them (`Ludwig van Beethoven`, `Cante de las Minas`),
* words before a hyphen (`el-Gaddafi`),
* words that occur elsewhere in the pair with a capital (`da Vinci` and `Da Vinci`),
* the pieces of a broken word that is frequent or occurs elsewhere in the pair (`The se` for `These`),
* loan words, which are in the section `untranslated` of the language's data file or recognised by the spelling of the
  other side (`purée` and `puree`).
"""

import functools
from collections.abc import Sequence, Set
from typing import ClassVar

from pydantic import Field

from bitext_pivot.core.languages import section, word_list
from bitext_pivot.core.records import Parse
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.language import other_languages
from bitext_pivot.filters.view import View, strip_accents

_SHORTEST = 3  # minimum letters of a word in foreign letters, because `µg` is a unit


class UntranslatedFilter(RuleFilter):
    """The number of foreign words that occur on only one side of the pair."""

    VERSION: ClassVar[int] = 2
    LANGUAGE_SECTION: ClassVar[str] = "untranslated"
    max_words: int = Field(default=0, title="Maximum words", ge=0, le=1000)
    """Maximum number of foreign words that occur on only one side of the pair. Languages without a list of function
    words are not measured."""

    def measure(self, pair: View) -> float:
        """Return the number of distinct foreign words on one side only; 0 without language data."""
        language = pair.language
        if not section(language, "untranslated"):
            return 0
        long, first, second = (
            foreign_words(parse, tokens, text, language)
            for parse, tokens, text in zip(pair.parses, pair.tokens, pair.texts, strict=True)
        )
        tokens = set().union(*pair.tokens)
        words = [
            word for word in long ^ (first | second) if strip_accents(word) not in tokens - {word}
        ]
        if not words:
            return 0
        known = {token.lower() for token in tokens if not token.islower()} | word_list(
            language, "function_words", "words"
        )
        known |= tokens - set(words)
        return sum(not _is_known(word, pair.parses, known) for word in words)


def _is_known(word: str, parses: Sequence[Parse], known: Set[str]) -> bool:
    """Return True if `known` has a word, or if the word occurs only as a piece of known words."""
    if word in known:
        return True
    return all(_occurs_only_in_pieces(parse.tokens, word, known) for parse in parses)


def _occurs_only_in_pieces(tokens: Sequence[str], word: str, known: Set[str]) -> bool:
    """Return True if all occurrences of a word in a sentence are pieces of words in `known`."""
    indices = [index for index, token in enumerate(tokens) if token == word]
    return all(_is_piece(tokens, index, known) for index in indices)


def _is_piece(tokens: Sequence[str], n: int, known: Set[str]) -> bool:
    """Return True if token `n` and a neighbour form a word in `known`: `The se` for `These`."""
    joined = ["".join(tokens[max(0, n - 1) : n + 1]), "".join(tokens[n : n + 2])]
    return any(word.lower() in known for word in joined if word != tokens[n])


def foreign_words(parse: Parse, tokens: set[str], text: str, language: str) -> set[str]:
    """Return the lower-case foreign words in a sentence that are not part of a name."""
    words = tokens & _foreign_function_words(language)
    if not text.isascii():
        words |= {
            token
            for token in tokens
            if not token.isascii() and _has_foreign_letter(token, language)
        }
    if not words:
        return words
    return {
        word for word in words if not _is_in_name(parse.tokens, parse.tokens.index(word), language)
    }


def _is_in_name(tokens: Sequence[str], n: int, language: str) -> bool:
    """Return True if token `n` is before a hyphen, or between two capitalised words of a name."""
    if tokens[n + 1 : n + 2] == ("-",):
        return True
    foreign = other_languages(language)
    end = n + 1
    while end < len(tokens) and tokens[end] in foreign:
        end += 1
    if end == len(tokens) or not tokens[end][0].isupper():
        return False
    start = max(0, n - 1)
    while start > 0 and tokens[start] in foreign:
        start -= 1
    return tokens[start].istitle()


def _has_foreign_letter(word: str, language: str) -> bool:
    """Return True if a lower-case word has a non-ASCII letter that the language does not use."""
    letters = section(language, "untranslated")["letters"]
    is_word = (
        len(word) >= _SHORTEST
        and word.isalpha()
        and word.islower()
        and word not in _load_words(language, "loans")
    )
    return is_word and any(not letter.isascii() and letter not in letters for letter in word)


@functools.cache
def _foreign_function_words(language: str) -> frozenset[str]:
    """Return the function words of other languages that are not words of `language`.

    Words of one letter are left out.
    """
    words = frozenset(other_languages(language)) - _load_words(language, "ordinary")
    return frozenset(word for word in words if len(word) > 1)


def _load_words(language: str, name: str) -> frozenset[str]:
    """Return a word list in the section `untranslated` of a data file, or an empty set."""
    return word_list(language, "untranslated", name)
