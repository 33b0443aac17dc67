"""Determine the category of a pair as the released code of BiSECT did for its training data.

The original rules are patterns over constituency trees; syntax/clauses.py applies them to dependencies. Rules A1
and A2 give a Direct Insertion, B1 to B6 Changes Across Sentence, and C is the fallback (EMNLP 2021, section 4.2).
In the released code, B6 is a part of A1: that code finds no split position for B6, and returns Changes Across
Sentence after all. B4, a participle after the main clause, is omitted, because its version for dependencies is
wrong as often as right.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Literal

from bitext_pivot.core.records import Category, ParsedPair
from bitext_pivot.syntax import clauses
from bitext_pivot.syntax.clauses import ClauseStructure

ReleasedRule = Literal["A1", "A2", "B1", "B2", "B3", "B5", "B6", "C"]
Test = Callable[[ClauseStructure, ParsedPair], bool]
_CATEGORY: dict[str, Category] = {
    "A": "Direct Insertion",
    "B": "Changes Across Sentence",
    "C": "Changes Near Split",
}


def category_bisect(s: ClauseStructure | None, parsed: ParsedPair) -> Category:
    """Return the category of a pair by the rules of BiSECT's released code.

    `s` is the clause structure of `long`, or None if `long` contains no words.
    """
    return _CATEGORY[first_matching_rule(s, parsed)[0]]


def first_matching_rule(s: ClauseStructure | None, parsed: ParsedPair) -> ReleasedRule:
    """Return the first rule that matches a pair, in the order of the released code.

    Rules on the beginning of a sentence do not apply after a number such as `( 11 )` (docs/decisions/0008).
    """
    if s is None:
        return "C"
    rules = (rule for rule in _TESTS if not (s.start and rule in _ON_BEGINNINGS))
    return next((rule for rule in rules if _TESTS[rule](s, parsed)), "C")


def _has_inner_semicolon(parsed: ParsedPair) -> bool:
    """Rule A2: the long sentence contains semicolons, with other tokens before and after each.

    The parts need not be clauses, and colons never count.
    """
    is_border = [True, *(word == ";" for word in parsed.long.tokens), True]
    return any(is_border[1:-1]) and not any(left and right for left, right in pairwise(is_border))


def _changes_opening(parsed: ParsedPair) -> bool:
    """Rule B5: the long sentence, but not the first half, begins with a word such as "since"."""
    first = _first_word(parsed.long.tokens)
    return first in clauses.clause_words(parsed.pair.language, "opening") and first != _first_word(
        parsed.split[0].tokens
    )


def _first_word(tokens: Sequence[str]) -> str:
    return tokens[0].lower().replace("’", "'") if tokens else ""


_ON_BEGINNINGS: frozenset[ReleasedRule] = frozenset({"B1", "B2", "B3", "B5"})
_TESTS: dict[ReleasedRule, Test] = {
    "A1": lambda s, _: (
        clauses.joins_full_clauses(s)
        or (clauses.is_comma_splice(s) and not clauses.is_bare_comma_splice(s))
    ),
    "A2": lambda _, parsed: _has_inner_semicolon(parsed),
    "B1": lambda s, _: clauses.opens_with_subordinate(s),
    "B2": lambda s, _: clauses.has_fronted_clause(s),
    "B3": lambda s, _: clauses.opens_with_long_phrase(s),
    "B5": lambda _, parsed: _changes_opening(parsed),
    "B6": lambda s, _: clauses.is_bare_comma_splice(s),
}
