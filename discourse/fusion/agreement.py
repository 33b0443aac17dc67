"""Agreement: whether a verb can have the subject that a rule gives it, by tags in English and by features elsewhere."""

from itertools import permutations

from bitext_pivot.discourse.connectives import table
from bitext_pivot.discourse.fusion.base import Parts, Span
from bitext_pivot.syntax.grammar import Grammar

_MIXED = frozenset(
    {("MD", "VBD"), ("MD", "VBP"), ("MD", "VBZ"), *permutations(("VBD", "VBP", "VBZ"), 2)}
)
"""Tags of two finite verbs that hardly share a subject."""
_PLURAL = frozenset({"NNS", "NNPS"})


def disagrees(kind: str, sentence: Grammar, span: Span, _parts: Parts) -> bool:
    """Return True if a verb cannot have the subject that it gets: by number, tense or lack of an auxiliary."""
    if table(sentence.language)["has_features"]:
        return _disagrees_in_features(kind, sentence, span)
    if kind == "SINGLE_RELATIVE" and sentence.tags[span.anchor or 0] in _PLURAL:
        verb = next(
            (i for i in sentence.ancestors(span.start) if sentence.is_relative_clause(i)),
            span.start,
        )
        return sentence.tags[sentence.finite_token(verb) or verb] == "VBZ"
    if kind != "SINGLE_VP_COORD" or span.anchor is None or sentence.main_verb is None:
        return False
    first, second = (
        sentence.tags[sentence.finite_token(i) or i] for i in (sentence.main_verb, span.anchor)
    )
    may_be_infinitive = second == "VBP" and "VB" in sentence.tags[sentence.main_verb : span.start]
    return (
        second not in {"VBD", "VBZ", "VBP", "MD"} or (first, second) in _MIXED or may_be_infinitive
    )


def _disagrees_in_features(kind: str, sentence: Grammar, span: Span) -> bool:
    clause = next(
        (i for i in sentence.ancestors(span.start) if sentence.is_relative_clause(i)), span.start
    )
    pairs = {
        "SINGLE_RELATIVE": [(span.anchor, _verb(sentence, clause))],
        "SINGLE_S_COORD": [_subject_and_verb(sentence, span.anchor)],
        "SINGLE_VP_COORD": [
            (_verb(sentence, sentence.main_verb), _verb(sentence, span.anchor)),
            (_subject_and_verb(sentence, sentence.main_verb)[0], _verb(sentence, span.anchor)),
        ],
    }.get(kind, [])
    return any(a is None or b is None or _differ(sentence, a, b) for a, b in pairs)


def _verb(sentence: Grammar, i: int | None) -> int | None:
    verb = None if i is None else sentence.finite_token(i)
    return verb if verb is not None and sentence.pos[verb] in {"VERB", "AUX"} else None


def _subject_and_verb(sentence: Grammar, i: int | None) -> tuple[int | None, int | None]:
    """Return the subject and the finite verb of a clause; the verb twice if several subjects share it."""
    subject = None if i is None else sentence.subject(i)
    return _verb(sentence, i) if subject is not None and sentence.conjuncts(
        subject
    ) else subject, _verb(sentence, i)


def _differ(sentence: Grammar, i: int, j: int) -> bool:
    values = (
        (sentence.features(i, name), sentence.features(j, name))
        for name in ("Number", "Person", "Mood")
    )
    return any(a and b and a.isdisjoint(b) for a, b in values)
