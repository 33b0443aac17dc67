"""Clauses that only punctuation divides: one view of them, whichever of the two a parser makes the main clause."""

from collections.abc import Collection
from dataclasses import replace

from bitext_pivot.syntax.dependency_tree import DependencyTree
from bitext_pivot.syntax.tagsets import Relation

_COMPLEMENTS: tuple[Relation, ...] = ("object", "clausal_complement")


def reattach_spliced_clauses(tree: DependencyTree, reporting: Collection[str]) -> DependencyTree:
    """Return a parse in which the first of several clauses that only punctuation divides is the main one.

    Universal Dependencies have it so. CLEAR pipelines take it for a complement of the last one, as in "..., he said".
    """
    root = tree.main_verb
    if tree.parse.scheme != "clear" or root is None or is_reporting_verb(tree, root, reporting):
        return tree
    end = min(main_clause_start(tree, root), root)
    before = [
        i
        for i in tree.dependents(root, "clausal_complement")
        if i < end and tree.is_finite(i) and tree.has_own_subject(i) and tree.marker(i) is None
    ]
    if not before or not _are_separated_by_punctuation(tree, before[-1], end):
        return tree
    heads, deps, first = [*tree.parse.heads], [*tree.parse.deps], before[0]
    for i in (*before, root):
        heads[i], deps[i] = first, "parataxis"
    deps[first] = tree.parse.deps[root]
    return DependencyTree(replace(tree.parse, heads=tuple(heads), deps=tuple(deps)), tree.language)


def is_reporting_verb(tree: DependencyTree, verb: int, reporting: Collection[str]) -> bool:
    """Return True if a clause may report what stands before it: "the clerk said", "said the clerk".

    `reporting` are the lemmas that may; without any, every verb may.
    """
    has_complement = any(i > verb for name in _COMPLEMENTS for i in tree.dependents(verb, name))
    is_plain = tree.has_own_subject(verb) and not tree.auxiliaries(verb) and not has_complement
    return is_plain and (not reporting or tree.parse.lemmas[verb] in reporting)


def _are_separated_by_punctuation(tree: DependencyTree, i: int, end: int) -> bool:
    """Return True if there is only punctuation, and some of it, between what is below a token and another one."""
    between = range(subtree_end(tree, i) + 1, end)
    return len(between) > 0 and all(map(tree.is_punctuation, between))


def subtree_end(tree: DependencyTree, i: int) -> int:
    """Return the last token below `i` (or `i`) that is not punctuation."""
    return max(token for token in tree.subtree(i) if not tree.is_punctuation(token) or token == i)


def main_clause_start(tree: DependencyTree, root: int) -> int:
    """Return where the subject begins; its verb, where there is none, or where that may come first and does."""
    subject, verbs = tree.subject(root), (root, *tree.auxiliaries(root))
    if subject is None:
        return min(verbs)
    start = tree.subtree(subject)[0]
    return min(start, *verbs) if tree.allows_inversion else start
