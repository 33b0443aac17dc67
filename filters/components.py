"""Reject pairs in which the long sentence or a half of the split is several sentences.

This follows BiSECT, section 3.1.

The paper counts the roots in the parse of `long`. But a small parser divides long sentences too often: with our small
parser, this count rejects 12 % of the pairs that the paper itself published. By default, therefore, a tree counts as a
sentence only if it begins with a capital letter right after a full stop, question mark or exclamation mark. This
rejects no published pair (300 of the test set, 800 of EMEA and JRC). When the halves of the test set are joined with a
space, it finds 99 % of them, and it finds 98 % of 402 joined sentences of machine-translated news. Counting roots finds
100 % and 99 %.

The full stop of an abbreviation does not end a sentence, even if a capitalised name follows: `Dr. Weiss`, `J. Weiss`.
An abbreviation has at most four letters, of which only the first is a capital, or full stops inside (`U.S.`), and comes
before a name: `etc. Then` and `for EU . Members` are sentence boundaries. A list mark (core/list_marks.py) is not a
sentence.

In a half, a sentence boundary counts only if it is outside quotation marks and brackets, and if the sentence splitter
(core/splitting.py) and the parser agree on it. The paper measures `long` only.
"""

import unicodedata
from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import Field

from bitext_pivot.core.list_marks import is_list_mark
from bitext_pivot.core.records import Parse
from bitext_pivot.core.splitting import sentence_starts
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import View
from bitext_pivot.syntax.dependency_tree import DependencyTree

_FINAL = frozenset(".?!…؟。！？")
_WRAPPING = frozenset({"Pi", "Pf", "Ps", "Pe", "Pd"})


class ComponentsFilter(RuleFilter):
    """The number of sentences in `long` or in a half of the split, whichever has the most."""

    VERSION: ClassVar[int] = 3
    IN_PAPER: ClassVar = True

    count: Literal["sentences", "roots"] = Field(default="sentences", title="Unit counted")
    """`sentences`: count the first parse tree, and each further tree that begins with a capital letter after final
    punctuation. `roots`: count all parse trees of the long sentence, as in the paper, which needs a parser that is
    good at long sentences."""
    max_components: int = Field(default=1, title="Maximum components", ge=1, le=100)
    """Maximum number of sentences, or of trees with `roots`, in the long sentence or a half of the split."""

    def as_in_paper(self) -> "ComponentsFilter":
        """Return the filter that measures only the long sentence."""
        return _LongComponentsFilter(count=self.count, max_components=self.max_components)

    def measure(self, pair: View) -> float:
        """Return the largest number of sentences in a text of the pair, or of parse trees in `long`.

        The result is at least 1, even if the parse contains a cycle and therefore no root.
        """
        if self.count == "roots":
            return max(1, len(DependencyTree(pair.parses[0], pair.language).roots))
        return max(
            _count_sentences_in_long(pair.parses[0], pair.language), *self._count_in_halves(pair)
        )

    def _count_in_halves(self, pair: View) -> list[int]:
        """Return the number of sentences in each half of the split."""
        halves = zip(pair.parses[1:], pair.texts[1:], strict=True)
        return [_count_sentences_in_half(parse, text, pair.language) for parse, text in halves]


class _LongComponentsFilter(ComponentsFilter):
    """The number of sentences in the long sentence alone, for the preset `paper`."""

    # This version differs from all versions of the base class, so that stored scores are not confused.
    VERSION: ClassVar[int] = 1000 + ComponentsFilter.VERSION

    def _count_in_halves(self, pair: View) -> list[int]:
        return [1, 1]


def _count_sentences_in_long(parse: Parse, language: str) -> int:
    """Return the number of sentences that the parser finds in the long sentence."""
    if not any(token[-1] in _FINAL for token in parse.tokens[:-1]):
        return 1  # as in most pairs, which saves building a tree
    return 1 + len(_find_sentence_starts(DependencyTree(parse, language)))


def _count_sentences_in_half(parse: Parse, text: str, language: str) -> int:
    """Count the sentences in a half that both the sentence splitter and the parser find.

    Boundaries inside quotation marks and brackets are not counted.
    """
    offsets = {_find_first_letter(text, offset) for offset in sentence_starts(text, language)}
    offsets -= {_find_first_letter(text, 0)}
    if not offsets:
        return 1
    starts = [
        parse.starts[start] for start in _find_sentence_starts(DependencyTree(parse, language))
    ]
    first = {_find_first_letter(text, start): start for start in sorted(starts, reverse=True)}
    return 1 + sum(
        not _ends_in_quotation(text[: first[offset]]) for offset in offsets & first.keys()
    )


def _find_first_letter(text: str, offset: int) -> int:
    """Return the offset of the first letter or digit at or after `offset`."""
    while offset < len(text) and not text[offset].isalnum():
        offset += 1
    return offset


def _find_sentence_starts(tree: DependencyTree) -> list[int]:
    """Return the index of the first token of every sentence after the first sentence."""
    starts = {tree.subtree(root)[0] for root in tree.roots} - {0}
    return [start for start in starts if _is_sentence_boundary(tree, start)]


def _ends_in_quotation(before: str) -> bool:
    """Return True if a text ends inside quotation marks or brackets, or right after them."""
    before = before.rstrip(" -–—")
    if not before or before[-1] not in _FINAL:
        return True
    pairs = [("“", "”"), ("«", "»"), ("(", ")"), ("[", "]")]
    if "„" in before:
        pairs[0] = ("„", "“")
    is_open = any(before.count(opening) != before.count(closing) for opening, closing in pairs)
    return is_open or before.count('"') % 2 == 1


def _is_sentence_boundary(tree: DependencyTree, start: int) -> bool:
    """Return True if one sentence ends before token `start` and another begins there.

    Quotation marks, brackets and dashes between the two sentences are ignored.
    """
    end, tokens = start - 1, tree.tokens
    while end > 0 and _is_wrapping(tokens[end]):
        end -= 1
    if tokens[end][-1] not in _FINAL or not _begins_with_capital(tokens, start):
        return False
    if is_list_mark(_text_before(tree, start)):
        return False
    is_name = tree.pos[_find_first_word(tokens, start)] == "PROPN"
    return not is_name or not _is_abbreviation(tokens[max(0, end - 1) : end + 1])


def _text_before(tree: DependencyTree, start: int) -> str:
    starts = tree.parse.starts[: start + 1]
    gaps = zip(tree.tokens, starts, starts[1:], strict=False)
    return "".join(token.ljust(after - before) for token, before, after in gaps)


def _begins_with_capital(tokens: Sequence[str], start: int) -> bool:
    """Return True if the first word from `start` on begins with a capital or a caseless letter."""
    letter = tokens[_find_first_word(tokens, start)][0]
    return letter.isalpha() and not letter.islower()


def _find_first_word(tokens: Sequence[str], start: int) -> int:
    """Return the index of the first word at or after token `start`.

    Quotation marks, brackets and dashes are not words. If no word follows, return the index of the last token.

    If there is none, return the index of the last token.
    """
    positions = range(start, len(tokens) - 1)
    return next((n for n in positions if not _is_wrapping(tokens[n])), len(tokens) - 1)


def _is_wrapping(token: str) -> bool:
    """Return True for quotation marks, brackets and dashes, which may be at a sentence boundary."""
    return all(
        character in "\"'`" or unicodedata.category(character) in _WRAPPING for character in token
    )


def _is_abbreviation(ending: Sequence[str]) -> bool:
    """Return True if one or two last tokens, such as `Dr.`, `J.` or `U.S.`, are an abbreviation."""
    word = ending[-1] if len(ending[-1]) > 1 else "".join(ending)
    stem = word.removesuffix(".")
    return word.endswith(".") and ("." in stem or (stem.istitle() and len(stem) <= 4))
