"""Single words left untranslated: function words of another language, or words in letters that the language lacks.

Not a filter of the paper. `language` finds sentences with a share of foreign words; one or two of them show
only where the other side lacks them, because names and quoted words stand on both sides. Capitalised words
are not counted, nor words between two of them (`Ludwig van Beethoven`, `Cante de las Minas`), words before
a hyphen (`el-Gaddafi`), words that stand elsewhere with a capital (`da Vinci` and `Da Vinci`), and pieces
of a broken word that stands elsewhere or is frequent (`The se` for `These`). Loan words are data of
languages (section `untranslated`), or known by the other side's spelling (`purée` and `puree`).
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

_SHORTEST = 3  # letters of a word in foreign letters; `µg` is a unit


class UntranslatedFilter(RuleFilter):
    """The number of foreign words of one side that the other side lacks."""

    VERSION: ClassVar[int] = 2
    LANGUAGE_SECTION: ClassVar[str] = "untranslated"
    max_words: int = Field(default=0, title="Maximum words", ge=0, le=1000)
    """Maximum number of foreign words that only one side may have. Languages without data are not measured."""

    def measure(self, pair: View) -> float:
        """Return the number of different words; 0 for a language without data."""
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
        known = {token.lower() for token in tokens if not token.islower()} | _own_words(language)
        known |= tokens - set(words)
        return sum(not _is_known(word, pair.parses, known) for word in words)


def _is_known(word: str, parses: Sequence[Parse], known: Set[str]) -> bool:
    """Return True if a word is known with a capital, or is a piece of a known word wherever it stands."""
    if word in known:
        return True
    return all(_stands_in_pieces(parse.tokens, word, known) for parse in parses)


def _stands_in_pieces(tokens: Sequence[str], word: str, known: Set[str]) -> bool:
    """Return True if a word is a piece of a known word wherever it stands in a sentence."""
    places = [n for n, token in enumerate(tokens) if token == word]
    return all(_is_piece(tokens, n, known) for n in places)


def _is_piece(tokens: Sequence[str], n: int, known: Set[str]) -> bool:
    """Return True if a token and its neighbour, joined, are a known word, as in `The se`."""
    joined = ["".join(tokens[max(0, n - 1) : n + 1]), "".join(tokens[n : n + 2])]
    return any(word.lower() in known for word in joined if word != tokens[n])


def foreign_words(parse: Parse, tokens: set[str], text: str, language: str) -> set[str]:
    """Return the foreign words of a sentence in lower case, without those between capitalised words."""
    words = tokens & _function_words(language)
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
    """Return True for a word before a hyphen, and for function words between two capitalised words."""
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


def _own_words(language: str) -> frozenset[str]:
    """Return the function words of a language."""
    return word_list(language, "function_words", "words")


def _table_words(language: str, name: str) -> frozenset[str]:
    """Return a word list of a language, empty if it has none."""
    return word_list(language, "untranslated", name)
