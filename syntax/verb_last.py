"""Subordinate clauses of German that stand alone, found by the place of their verb.

A main clause has its finite verb in second place, a subordinate one at its end, and a comma stands
between the two. So a text is a fragment, whatever the parser made of it, if a conjunction opens it and
no part behind a comma can be a main clause; if it is one clause that ends in a participle or infinitive
with its auxiliary (`der gestern gekommen ist`); or if it is a noun phrase with relative clauses. The
words are in the data of the language, section `main_clauses`.
"""

from collections.abc import Sequence

from bitext_pivot.core.languages import word_list
from bitext_pivot.syntax.grammar import Grammar

_BORDERS = frozenset({",", ";", ":", "-", "–", "—", "--", "(", ")"})
_SHORTEST = 3
"""Words of a fragment."""
_NOMINAL = frozenset({"DET", "ADJ", "NOUN", "PROPN", "ADP", "NUM", "CCONJ", "ADV", "PRON", "PUNCT"})
_CAPITAL = frozenset({"NOUN", "PROPN"})
_INFLECTED = ("e", "em", "en", "er", "es")


def has_verb_last(language: str) -> bool:
    """Return True if the subordinate clauses of a language end in their verb."""
    return bool(_words(language, "conjunctions"))


def opens_with_conjunction(g: Grammar) -> bool:
    """Return True if a text begins with a word that is nothing but a conjunction of subordinate clauses."""
    inner = _inner(g)
    return bool(inner) and g.words[inner[0]] in _words(g.language, "conjunctions")


def is_lone_clause(g: Grammar, finite: Sequence[int]) -> bool:
    """Return True for subordinate clauses without a main clause; `finite`: the finite verbs of the text."""
    inner = _inner(g)
    if len(inner) < _SHORTEST:
        return False
    borders = [i for i in inner if g.words[i] in _BORDERS]
    if opens_with_conjunction(g):
        return all(_is_subordinate_behind(g, border, inner) for border in borders)
    if not borders:
        return _ends_in_verb(g, inner, finite)
    return _is_noun_with_relative(g, inner, borders, finite)


def ends_clauses(g: Grammar, finite: Sequence[int]) -> bool:
    """Return True if each finite verb may be the last word of its clause."""
    behind = _words(g.language, "coordinators") | _BORDERS
    last = _inner(g).stop - 1
    return all(i >= last or g.words[i + 1] in behind or i + 1 in finite for i in finite)


def _inner(g: Grammar) -> range:
    """Return the tokens without punctuation at both ends."""
    words = [i for i in range(len(g)) if not g.is_punctuation(i)]
    if not words:
        return range(0)
    return range(words[0], words[-1] + 1)


def _ends_in_verb(g: Grammar, inner: range, finite: Sequence[int]) -> bool:
    """Return True for one clause with its verb at the end, which no main clause has."""
    last = inner[-1]
    if g.words[inner[0]] in _words(g.language, "openers"):
        return list(finite) == [last]
    is_auxiliary = g.words[last] in _words(g.language, "auxiliaries")
    has_participle = bool(g.features(last - 1, "VerbForm") & {"Inf", "Part"})
    is_alone = all(i >= last - 1 for i in finite)
    return len(inner) > _SHORTEST and is_auxiliary and has_participle and is_alone


def _is_subordinate_behind(g: Grammar, border: int, inner: range) -> bool:
    """Return True if what follows a comma begins as a subordinate clause."""
    conjunctions = _words(g.language, "conjunctions") | _words(g.language, "behind_commas")
    return _opens(g, border, inner, conjunctions | _words(g.language, "relatives"))


def _is_relative_behind(g: Grammar, border: int, inner: range) -> bool:
    """Return True if what follows a comma begins as a relative clause."""
    relatives = _words(g.language, "relatives") | _words(g.language, "demonstrative")
    return _opens(g, border, inner, relatives)


def _opens(g: Grammar, border: int, inner: range, openers: frozenset[str]) -> bool:
    """Return True if one of these words follows a comma, or a preposition or conjunction behind it."""
    words = [g.words[i] for i in range(border + 1, min(border + 3, inner.stop))]
    if not words or words[0] in openers:
        return True
    is_led = words[0] in _words(g.language, "leading")
    return is_led and len(words) > 1 and words[1] in openers


def _is_noun_with_relative(
    g: Grammar, inner: range, borders: Sequence[int], finite: Sequence[int]
) -> bool:
    """Return True for a noun phrase, a comma, and relative clauses up to the end."""
    start, (comma, *others) = inner[0], borders
    if g.words[start] in _words(g.language, "openers") or inner[-1] not in finite:
        return False
    if not _is_relative_behind(g, comma, inner):
        return False
    if not all(_continues(g, border, inner) for border in others):
        return False
    return all(_may_be_nominal(g, i) for i in range(start, comma))


def _continues(g: Grammar, border: int, inner: range) -> bool:
    return _is_relative_behind(g, border, inner) or _is_subordinate_behind(g, border, inner)


def _may_be_nominal(g: Grammar, i: int) -> bool:
    """Return True for a word of a noun phrase: nouns have a capital, adjectives an ending."""
    pos, token = g.pos[i], g.tokens[i]
    if not token.islower():
        return pos in _NOMINAL
    if pos in {"ADJ", "ADV"} and g.pos[i + 1] in {"DET", "ADP"}:
        return False
    if pos == "ADJ":
        return token.endswith(_INFLECTED)
    return pos in _NOMINAL - _CAPITAL


def _words(language: str, kind: str) -> frozenset[str]:
    """Return a list of words of a language."""
    return word_list(language, "main_clauses", kind)
