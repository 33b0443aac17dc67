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
_SEMICOLON = frozenset(";")
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
    tests = (_CODE if by_code else _PAPER).items()
    fired = (rule for rule, test in tests if not (is_barred and rule in _ON_BEGINNINGS) and test(s, parsed))
    return next(fired, fallback)


def _a1(s: Sentence, _: ParsedPair) -> bool:
    """Two full main clauses, joined by a word or a comma."""
    return clauses.joins_full_clauses(s) or clauses.is_spliced(s)


def _a2(_: Sentence, p: ParsedPair) -> bool:
    """Semicolons with something on both sides of each; clauses are not asked for, colons never count."""
    tokens = p.long.tokens
    is_mark = [True, *(token in _SEMICOLON for token in tokens), True]
    return any(is_mark[1:-1]) and not any(here and after for here, after in pairwise(is_mark))


def _b1(s: Sentence, _: ParsedPair) -> bool:
    """`SBAR ...`."""
    return clauses.opens_with_subordinate(s)


def _b2(s: Sentence, _: ParsedPair) -> bool:
    """`S , NP VP` or `... SBAR , NP VP`."""
    return clauses.opens_with_clause(s)


def _b3(s: Sentence, _: ParsedPair) -> bool:
    """`PP , NP VP` with a PP of more than ten tokens."""
    return clauses.opens_with_long_phrase(s)


def _b4(s: Sentence, _: ParsedPair) -> bool:
    """`NP VP` with a comma and a clause without subject at the end of the VP."""
    return clauses.ends_in_participle(s)


def _b5(s: Sentence, p: ParsedPair) -> bool:
    """`long` begins with a word of a list, the first half with another."""
    first = _token(p.long.tokens, s.start)
    tokens = p.split[0].tokens
    opening = clauses.words(p.pair.language, "opening")
    return first in opening and first != _token(tokens, clauses.number_end(tokens))


def _p1(_: Sentence, p: ParsedPair) -> bool:
    """Only the split differs: nothing else than punctuation and words such as "and" on either side."""
    old, new = _lower(p.long.tokens), _lower((*p.split[0].tokens, *p.split[1].tokens))
    start = shared_start(old, new)
    end = shared_start(old[start:][::-1], new[start:][::-1])
    rest = old[start : len(old) - end] + new[start : len(new) - end]
    return set(filter(is_word, rest)) <= clauses.words(p.pair.language, "joining")


def _p2(s: Sentence, p: ParsedPair) -> bool:
    """A colon or semicolon with a finite verb on both sides; the paper asks for no verb, which lists made necessary."""
    marks = (i for i, token in enumerate(p.long.tokens) if token in {";", ":"})
    return any(clauses.has_finite_sides(s, mark) for mark in marks)


def _p5(s: Sentence, _: ParsedPair) -> bool:
    """`VP CC VP`."""
    return clauses.joins_predicates(s)


def _p6(_: Sentence, p: ParsedPair) -> bool:
    """Five words are copied at both ends; case and punctuation do not count."""
    old = [token for token in _lower(p.long.tokens) if is_word(token)]
    new = [token for half in p.split for token in _lower(half.tokens) if is_word(token)]
    return min(shared_start(old, new), shared_start(old[::-1], new[::-1])) >= _COPIED_ENDS


def _token(tokens: Sequence[str], place: int) -> str:
    return tokens[place].lower().replace("’", "'") if place < len(tokens) else ""


def _lower(tokens: Sequence[str]) -> list[str]:
    return [token.lower() for token in tokens]


_ON_BEGINNINGS: frozenset[Rule] = frozenset({"B1", "B2", "B3", "B5"})
_CODE: dict[Rule, Test] = {"A1": _a1, "A2": _a2, "B1": _b1, "B2": _b2, "B3": _b3, "B4": _b4, "B5": _b5}
_PAPER: dict[Rule, Test] = {"P1": _p1, "A1": _a1, "P2": _p2, "B1": _b1, "B2": _b2, "P5": _p5, "P6": _p6}
