"""Clauses that only punctuation divides: one view of them, whichever of the two a parser makes the main clause."""

from collections.abc import Collection
from dataclasses import replace

from bitext_pivot.syntax.grammar import Grammar
from bitext_pivot.syntax.tagsets import Relation

_COMPLEMENTS: tuple[Relation, ...] = ("object", "clausal_complement")


def unspliced(g: Grammar, reporting: Collection[str]) -> Grammar:
    """Return a parse in which the first of several clauses that only punctuation divides is the main one.

    Universal Dependencies have it so. CLEAR pipelines take it for a complement of the last one, as in "..., he said".
    """
    root = g.main_verb
    if g.parse.scheme != "clear" or root is None or reports(g, root, reporting):
        return g
    end = min(main_core(g, root), root)
    before = [
        i
        for i in g.related(root, "clausal_complement")
        if i < end and g.is_finite(i) and g.has_own_subject(i) and g.marker(i) is None
    ]
    if not before or not _is_divided(g, before[-1], end):
        return g
    heads, deps, first = [*g.parse.heads], [*g.parse.deps], before[0]
    for i in (*before, root):
        heads[i], deps[i] = first, "parataxis"
    deps[first] = g.parse.deps[root]
    return Grammar(replace(g.parse, heads=tuple(heads), deps=tuple(deps)), g.language)


def reports(g: Grammar, verb: int, reporting: Collection[str]) -> bool:
    """Return True if a clause may report what stands before it: "the clerk said", "said the clerk".

    `reporting` are the lemmas that may; without any, every verb may.
    """
    has_complement = any(i > verb for name in _COMPLEMENTS for i in g.related(verb, name))
    is_plain = g.has_own_subject(verb) and not g.auxiliaries(verb) and not has_complement
    return is_plain and (not reporting or g.parse.lemmas[verb] in reporting)


def _is_divided(g: Grammar, i: int, end: int) -> bool:
    """Return True if there is only punctuation, and some of it, between what is below a token and another one."""
    between = range(last_word(g, i) + 1, end)
    return len(between) > 0 and all(map(g.is_punctuation, between))


def last_word(g: Grammar, i: int) -> int:
    """Return the last token below `i` (or `i`) that is not punctuation."""
    return max(token for token in g.subtree(i) if not g.is_punctuation(token) or token == i)


def main_core(g: Grammar, root: int) -> int:
    """Return where the subject begins; its verb, where there is none, or where that may come first and does."""
    subject, verbs = g.subject(root), (root, *g.auxiliaries(root))
    if subject is None:
        return min(verbs)
    start = g.subtree(subject)[0]
    return min(start, *verbs) if g.inverts else start
