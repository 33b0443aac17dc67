"""BiSECT's three categories of splits, by the rules of the released code or of the paper's text.

The originals are patterns over constituency trees; pairs/syntax/clauses.py has them over dependencies. A1 and A2 make
a Direct Insertion, B1 to B5 Changes Across Sentence, C is the code's fallback; P1 to P7 are what only the paper's text
has (EMNLP 2021, section 4.2 and appendix).
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Literal

from pydantic import Field

from pairs.labelling.constructions import construction
from pairs.labelling.diffs import is_word, shared_start, split_position
from pairs.labelling.split_positions import position_scores
from pairs.records import Category, ParsedPair
from pairs.settings import Settings
from pairs.syntax import clauses
from pairs.syntax.clauses import Sentence

Rule = Literal["A1", "A2", "B1", "B2", "B3", "B4", "B5", "C", "P1", "P2", "P5", "P6", "P7"]
Test = Callable[[Sentence, ParsedPair], bool]
_CATEGORY: dict[Rule, Category] = {
    **dict.fromkeys(("A1", "A2", "P1", "P2"), "Direct Insertion"),
    **dict.fromkeys(("C", "P5", "P6"), "Changes Near Split"),
    **dict.fromkeys(("B1", "B2", "B3", "B4", "B5", "P7"), "Changes Across Sentence"),
}
_COPIED_ENDS = 5  # words, "five words at both ends" of the paper


class Categories(Settings):
    """Settings of the category rules."""

    rules: Literal["code", "paper"] = Field(default="code", title="Rules")
    """code: as BiSECT's released code decides, fallback Changes Near Split; paper: as its text says, fallback Changes
    Across Sentence."""
    numbered: Literal["as code", "skip number"] = Field(default="as code", title="Numbered sentences")
    """A sentence that begins with a number, ( 11 ) If ... as code: no rule on how sentences begin applies to it, as
    measured on the released labels; skip number: the number is left out of account, as it always is by the rules of the
    paper."""


def categorize(parsed: ParsedPair, categories: Categories) -> tuple[Category, str, int]:
    """Return a pair's category, its construction (or `other`) and the token of `long` before which the split falls."""
    sentence = clauses.sentence(parsed.long, parsed.pair.language)
    first, second = parsed.split
    at = split_position(parsed.long.tokens, first.tokens, second.tokens, position_scores(sentence))
    return _CATEGORY[_fired(sentence, parsed, categories)], construction(sentence, at), at


def fired_rule(parsed: ParsedPair, categories: Categories) -> Rule:
    """Return the first rule that a pair meets, in the order of the code or in that of the paper's text."""
    return _fired(clauses.sentence(parsed.long, parsed.pair.language), parsed, categories)


def _fired(s: Sentence | None, parsed: ParsedPair, categories: Categories) -> Rule:
    by_code = categories.rules == "code"
    fallback: Rule = "C" if by_code else "P7"
    if s is None:
        return fallback
    is_barred = by_code and s.start > 0 and categories.numbered == "as code"
    rules = (rule for rule in (_CODE if by_code else _PAPER) if not (is_barred and rule in _ON_BEGINNINGS))
    return next((rule for rule in rules if _TESTS[rule](s, parsed)), fallback)


def _has_inner_semicolon(parsed: ParsedPair) -> bool:
    """A2: semicolons with something on both sides of each; clauses are not asked for, colons never count."""
    is_mark = [True, *(word == ";" for word in parsed.long.tokens), True]
    return any(is_mark[1:-1]) and not any(here and after for here, after in pairwise(is_mark))


def _changes_opening(s: Sentence, parsed: ParsedPair) -> bool:
    """B5: `long` begins with a word of a list, the first half with another."""
    first = _token(parsed.long.tokens, s.start)
    tokens = parsed.split[0].tokens
    opening = clauses.words(parsed.pair.language, "opening")
    return first in opening and first != _token(tokens, clauses.number_end(tokens))


def _changes_split_only(parsed: ParsedPair) -> bool:
    """P1: nothing else than punctuation and words such as "and" differs."""
    old, new = _lower(parsed.long.tokens), _lower((*parsed.split[0].tokens, *parsed.split[1].tokens))
    start = shared_start(old, new)
    end = shared_start(old[start:][::-1], new[start:][::-1])
    rest = old[start : len(old) - end] + new[start : len(new) - end]
    return set(filter(is_word, rest)) <= clauses.words(parsed.pair.language, "joining")


def _has_clauses_around_mark(s: Sentence) -> bool:
    """P2: a colon or semicolon with a finite verb on both sides; the paper asks for no verb, which lists need."""
    marks = (i for i, token in enumerate(s.grammar.parse.tokens) if token in {";", ":"})
    return any(clauses.has_finite_sides(s, mark) for mark in marks)


def _copies_ends(parsed: ParsedPair) -> bool:
    """P6: five words are copied at both ends; case and punctuation do not count."""
    old = [token for token in _lower(parsed.long.tokens) if is_word(token)]
    new = [token for half in parsed.split for token in _lower(half.tokens) if is_word(token)]
    return min(shared_start(old, new), shared_start(old[::-1], new[::-1])) >= _COPIED_ENDS


def _token(tokens: Sequence[str], place: int) -> str:
    return tokens[place].lower().replace("’", "'") if place < len(tokens) else ""


def _lower(tokens: Sequence[str]) -> list[str]:
    return [token.lower() for token in tokens]


_ON_BEGINNINGS: frozenset[Rule] = frozenset({"B1", "B2", "B3", "B5"})
_TESTS: dict[Rule, Test] = {
    "A1": lambda s, _: clauses.joins_full_clauses(s) or clauses.is_spliced(s),
    "A2": lambda _, parsed: _has_inner_semicolon(parsed),
    "B1": lambda s, _: clauses.opens_with_subordinate(s),
    "B2": lambda s, _: clauses.opens_with_clause(s),
    "B3": lambda s, _: clauses.opens_with_long_phrase(s),
    "B4": lambda s, _: clauses.ends_in_participle(s),
    "B5": _changes_opening,
    "P1": lambda _, parsed: _changes_split_only(parsed),
    "P2": lambda s, _: _has_clauses_around_mark(s),
    "P5": lambda s, _: clauses.joins_predicates(s),
    "P6": lambda _, parsed: _copies_ends(parsed),
}
_CODE: tuple[Rule, ...] = ("A1", "A2", "B1", "B2", "B3", "B4", "B5")
_PAPER: tuple[Rule, ...] = ("P1", "A1", "P2", "B1", "B2", "P5", "P6")
