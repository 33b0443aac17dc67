"""Which of BiSECT's three kinds a split is, by the rules of the released code or by the text of the paper.

The originals are patterns over constituency trees; these are their counterparts over dependencies. Rules carry the
original's numbers: A1 and A2 make a Direct Insertion, B1 to B5 Changes Across Sentence, C is the fallback, and P1 to
P7 are what only the paper's text has (EMNLP 2021, section 4.2).
"""

import functools
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pairs.edits import split_position
from pairs.grammar import Grammar
from pairs.records import Category, Parse, ParsedPair
from pairs.settings import Settings

Rule = Literal["A1", "A2", "B1", "B2", "B3", "B4", "B5", "C", "P1", "P2", "P5", "P6", "P7"]
_LONG_PREPOSITIONAL = 10
_COPIED_ENDS = 5


class Categories(Settings):
    """How a pair's category is told."""

    rules: Literal["code", "paper"] = "code"
    """`code`: as BiSECT's released code decides, fallback Changes Near Split; `paper`: as its text says, fallback
    Changes Across Sentence."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """What the rules look at; indices are tokens of the parse.

    `first` is the first word behind a recital's number and a coordinator, `subject` the main clause's subject, or the
    main verb `root` where it has none.
    """

    grammar: Grammar
    first: int
    root: int
    subject: int


def sentence_of(parse: Parse, language: str) -> Sentence | None:
    """Return the view on a parse that the rules need; None when it has no word."""
    grammar = Grammar(parse, language)
    root = grammar.main_verb
    words = (i for i in range(_number_end(parse.tokens), len(grammar)) if not grammar.is_punctuation(i))
    first = next((i for i in words if parse.pos[i] != "CCONJ"), None)
    if root is None or first is None:
        return None
    subject = grammar.subject(root)
    return Sentence(grammar, first, root, root if subject is None else subject)


_NUMBER = re.compile(r"\(? ?[0-9]{1,3} ?\) ")


def _number_end(tokens: Sequence[str]) -> int:
    """Return where the sentence begins behind a number such as `( 11 )` or `11 )`, which recitals carry."""
    opening = 1 if tokens[:1] == ("(",) else 0
    is_number = [token.isdigit() for token in tokens[opening : opening + 1]] + [
        token == ")" for token in tokens[opening + 1 : opening + 2]
    ]
    return opening + 2 if is_number == [True, True] else 0


# -- Direct Insertion


def is_coordination(s: Sentence) -> bool:
    """A1 `S CC S`, `S , S`, `SBARQ CC SBARQ`: another finite clause with its own subject stands right of the main verb.

    It is a conjunct of the main verb, or a parataxis after a comma, or opened by a word such as "so" after a comma.
    """
    g = s.grammar
    if any(_is_full_clause(g, i) for i in g.conjuncts(s.root) if i > s.root):
        return True
    return any(
        i > s.root and _is_full_clause(g, i) and _after_comma(g, i) and (g.has_relation(i, "parataxis") or _opens_freely(g, i))
        for i in g.children(s.root)
    )


def _is_full_clause(g: Grammar, i: int) -> bool:
    return g.is_finite(i) and g.has_own_subject(i)


def _after_comma(g: Grammar, i: int) -> bool:
    start = g.subtree(i)[0]
    return start > 0 and g.parse.tokens[start - 1] == "," or g.parse.tokens[start] == ","


def _opens_freely(g: Grammar, i: int) -> bool:
    start = next((t for t in g.subtree(i) if not g.is_punctuation(t)), i)
    return g.parse.tokens[start].lower() in words(g.language)["loose"]


def has_semicolon(s: Sentence) -> bool:
    """A2: a semicolon with something on both sides of it, and of every other; clauses are not asked for."""
    tokens = s.grammar.parse.tokens
    if ";" not in tokens:
        return False
    return bool(tokens) and tokens[0] != ";" and tokens[-1] != ";" and not any(a == b == ";" for a, b in zip(tokens, tokens[1:]))


# -- Changes Across Sentence


def opens_with_subordinate(s: Sentence) -> bool:
    """B1 `SBAR ...`: the first word is in a subordinate clause before the subject, with a conjunction or a WH word."""
    g = s.grammar
    top = _below_root(s, s.first)
    if top is None:
        return False
    if top == s.first and g.has_relation(top, "marker"):
        return True
    if not _is_fronted(s, top) and top != g.subject(s.root):
        return False
    if top == g.subject(s.root):
        return g.is_clause(top) and g.parse.deps[top].startswith("csubj") and _is_introduced(g, top)
    return _is_fronted_clause(s, top) and _is_introduced(g, top)


def _below_root(s: Sentence, i: int) -> int | None:
    """Return the dependent of the main verb that a token is under, or is."""
    g = s.grammar
    below = i
    for above in g.ancestors(i):
        if above == s.root:
            return below
        below = above
    return None


def _is_fronted(s: Sentence, i: int) -> bool:
    return i < s.root and i < s.subject


def _is_fronted_clause(s: Sentence, i: int) -> bool:
    return _is_fronted(s, i) and s.grammar.is_adverbial_clause(i)


def _is_introduced(g: Grammar, i: int) -> bool:
    return g.marker(i) is not None or any(t < i and g.is_wh(t) for t in g.subtree(i))


def opens_with_clause(s: Sentence) -> bool:
    """B2 `S , NP VP`, `... SBAR , NP VP`: a clause before the subject, ending in a comma right before it.

    Sentence-initial it is a participle, an infinitive or quoted speech; further in, any adverbial clause.
    """
    g = s.grammar
    for i in g.children(s.root):
        if not _is_fronted(s, i):
            continue
        if g.has_relation(i, "clausal_complement") or g.is_adverbial_clause(i):
            if _ends_before_subject(s, i):
                return True
    return False


def _ends_before_subject(s: Sentence, i: int) -> bool:
    g = s.grammar
    tree = g.subtree(i)
    start = g.subtree(s.subject)[0] if s.subject != s.root else s.root
    end = tree[-1]
    between = range(end + 1, start)
    tokens = g.parse.tokens
    if tokens[end] == "," and end + 1 == start:
        return True
    return len(between) > 0 and any(tokens[t] == "," for t in between) and all(g.is_punctuation(t) for t in between)


def opens_with_long_phrase(s: Sentence) -> bool:
    """B3 `PP , NP VP`: a prepositional phrase of more than ten tokens opens the sentence, before the subject."""
    g = s.grammar
    top = _below_root(s, s.first)
    if top is None or not _is_fronted(s, top) or not g.has_relation(top, "prepositional"):
        return False
    return len(g.subtree(top)) > _LONG_PREPOSITIONAL


def ends_in_participle(s: Sentence) -> bool:
    """B4 `NP VP` with `, S` at the VP's end: a subjectless clause after a comma ends a clause without auxiliaries."""
    g = s.grammar
    if any(not g.parse.deps[i].startswith("cop") for i in g.auxiliaries(s.root)):
        return False
    right = [i for i in g.children(s.root) if i > s.root and not g.is_punctuation(i)]
    if len(right) < 2:
        return False
    tail = right[-1]
    is_tail = (g.is_adverbial_clause(tail) or g.has_relation(tail, "open_complement") or g.has_relation(tail, "participle_clause"))
    return is_tail and not g.has_own_subject(tail) and not g.is_finite(tail) and _after_comma(g, tail) and g.marker(tail) is None


def opens_with_word(s: Sentence, p: ParsedPair) -> bool:
    """B5: the first word is one of a list, and the first half begins otherwise."""
    first = s.grammar.parse.tokens[s.first].lower()
    tokens = p.split[0].tokens
    n = _number_end(tokens)
    return first in words(s.grammar.language)["opening"] and first != next(iter(tokens[n:n+1]), "").lower()


@functools.cache
def words(language: str) -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")).get(language, {})

RULES = {"A1": lambda s,p: is_coordination(s), "A2": lambda s,p: has_semicolon(s), "B1": lambda s,p: opens_with_subordinate(s), "B2": lambda s,p: opens_with_clause(s),
"B3": lambda s,p: opens_with_long_phrase(s), "B4": lambda s,p: ends_in_participle(s), "B5": opens_with_word}
