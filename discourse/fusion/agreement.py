"""Check whether a verb agrees with the subject that a fusion rule gives it in a derived sentence.

English is checked by tags, other languages by morphological features.
"""

from itertools import permutations

from bitext_pivot.discourse.connectives import word_lists
from bitext_pivot.discourse.fusion.fusion_rule import PLURAL_TAGS, ConfirmedMatch, SentencePieces
from bitext_pivot.discourse.fusion.relative_clause import clause_verb
from bitext_pivot.syntax.dependency_tree import DependencyTree

_INCOMPATIBLE_TAGS = frozenset(
    {("MD", "VBD"), ("MD", "VBP"), ("MD", "VBZ"), *permutations(("VBD", "VBP", "VBZ"), 2)}
)
"""Pairs of Penn tags of two finite verbs that can hardly share a subject."""


def relative_clause_disagrees(
    sentence: DependencyTree, span: ConfirmedMatch, _parts: SentencePieces
) -> bool:
    """Return True if the verb of a relative clause disagrees with the noun that it modifies.

    The noun is the anchor of `span`. In languages with morphological features, number, person and mood are compared,
    and the result is also True if no finite verb is found. In English, only a plural noun with a verb in the third
    person singular (`VBZ`) disagrees; a singular noun with a plural verb is not detected.
    """
    verb = clause_verb(sentence, span.start)
    if verb is None:
        verb = span.start
    if _has_features(sentence):
        return _differ(sentence, span.anchor, _verb(sentence, verb))
    is_singular = sentence.tags[sentence.finite_token(verb) or verb] == "VBZ"
    return is_singular and sentence.tags[span.anchor] in PLURAL_TAGS


def coordinated_clause_disagrees(
    sentence: DependencyTree, span: ConfirmedMatch, _parts: SentencePieces
) -> bool:
    """Return True if subject and verb of a coordinated clause disagree in number or person."""
    subject, verb = _subject(sentence, span.anchor), _verb(sentence, span.anchor)
    return _has_features(sentence) and _differ(sentence, subject, verb)


def coordinated_verbs_disagree(
    sentence: DependencyTree, span: ConfirmedMatch, _parts: SentencePieces
) -> bool:
    """Return True if the second of two coordinated verbs cannot have the subject of the first.

    The verb differs in number or tense, or lacks an auxiliary.
    """
    main = sentence.main_verb
    if _has_features(sentence):
        verb = _verb(sentence, span.anchor)
        others = (_verb(sentence, main), _subject(sentence, main))
        return any(_differ(sentence, other, verb) for other in others)
    if main is None:
        return False
    first, second = (sentence.tags[sentence.finite_token(i) or i] for i in (main, span.anchor))
    may_be_infinitive = second == "VBP" and "VB" in sentence.tags[main : span.start]
    return (
        second not in {"VBD", "VBZ", "VBP", "MD"}
        or (first, second) in _INCOMPATIBLE_TAGS
        or may_be_infinitive
    )


def _has_features(sentence: DependencyTree) -> bool:
    return bool(word_lists(sentence.language)["has_features"])


def _verb(sentence: DependencyTree, i: int | None) -> int | None:
    verb = None if i is None else sentence.finite_token(i)
    return verb if verb is not None and sentence.pos[verb] in {"VERB", "AUX"} else None


def _subject(sentence: DependencyTree, i: int | None) -> int | None:
    """Return the token whose features the verb must have: the subject, or the verb itself.

    The verb is returned if the subject is coordinated (`Ann and Bob`): such a subject agrees as a whole, so the
    features of its first noun must not be compared.
    """
    subject = None if i is None else sentence.subject(i)
    if subject is not None and sentence.conjuncts(subject):
        return _verb(sentence, i)
    return subject


def _differ(sentence: DependencyTree, i: int | None, j: int | None) -> bool:
    """Return True if two tokens differ in number, person or mood, or if one of them is None."""
    if i is None or j is None:
        return True
    values = (
        (sentence.features(i, name), sentence.features(j, name))
        for name in ("Number", "Person", "Mood")
    )
    return any(a and b and a.isdisjoint(b) for a, b in values)
