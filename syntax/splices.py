"""Make the first of several clauses the main clause if only punctuation separates them.

spaCy's pipelines disagree on which of these clauses is the main clause.
"""

from collections.abc import Collection
from dataclasses import replace

from bitext_pivot.syntax.dependency_tree import DependencyTree
from bitext_pivot.syntax.tagsets import Relation

_COMPLEMENTS: tuple[Relation, ...] = ("object", "clausal_complement")


def reattach_spliced_clauses(tree: DependencyTree, reporting: Collection[str]) -> DependencyTree:
    """Return a parse whose main clause is the first of several clauses separated by punctuation.

    Universal Dependencies attach such clauses in this way. CLEAR pipelines attach the first clause to the last one
    as a complement, as if the last clause were "he said". `reporting` contains the lemmas of verbs that really
    report speech, whose complements stay.
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
    """Return True if a verb may report the preceding speech: "the clerk said", "said the clerk".

    `reporting` contains the lemmas of reporting verbs. If it is empty, any verb may report.
    """
    has_complement = any(i > verb for name in _COMPLEMENTS for i in tree.dependents(verb, name))
    is_plain = tree.has_own_subject(verb) and not tree.auxiliaries(verb) and not has_complement
    return is_plain and (not reporting or tree.parse.lemmas[verb] in reporting)


def _are_separated_by_punctuation(tree: DependencyTree, i: int, end: int) -> bool:
    """Return True if punctuation, and nothing else, separates the subtree of `i` from `end`."""
    between = range(subtree_end(tree, i) + 1, end)
    return len(between) > 0 and all(map(tree.is_punctuation, between))


def subtree_end(tree: DependencyTree, i: int) -> int:
    """Return the index of the last token in the subtree of `i` that is not punctuation."""
    return max(token for token in tree.subtree(i) if not tree.is_punctuation(token) or token == i)


def main_clause_start(tree: DependencyTree, root: int) -> int:
    """Return the index where the main clause begins: at its subject or, without one, at its verb.

    If the language allows inversion and the verb comes before the subject, the clause begins at the verb.
    """
    subject, verbs = tree.subject(root), (root, *tree.auxiliaries(root))
    if subject is None:
        return min(verbs)
    start = tree.subtree(subject)[0]
    return min(start, *verbs) if tree.allows_inversion else start
