"""Agreement: whether a verb can have the subject that a rule gives it, by tags in English and by features elsewhere."""

from bitext_pivot.discourse.connectives import table
from bitext_pivot.discourse.fusion.base import Parts, Span
from bitext_pivot.syntax.grammar import Grammar

_MIXED = frozenset({("MD", "VBD"), ("MD", "VBP"), ("MD", "VBZ"), ("VBD", "VBP"), ("VBZ", "VBP"), ("VBP", "VBZ")})
"""Tags of two finite verbs that hardly share a subject."""
_PLURAL = frozenset({"NNS", "NNPS"})


def disagrees(kind: str, z: Grammar, span: Span, _parts: Parts) -> bool:
    """Return True if a verb cannot have the subject that it gets: by number, tense or lack of an auxiliary."""
    if table(z.language)["has_features"]:
        return _disagrees_in_features(kind, z, span)
    if kind == "SINGLE_RELATIVE" and z.parse.tags[span.anchor or 0] in _PLURAL:
        verb = next((i for i in z.ancestors(span.start) if z.is_relative_clause(i)), span.start)
        return z.parse.tags[z.finite_token(verb) or verb] == "VBZ"
    if kind != "SINGLE_VP_COORD" or span.anchor is None or z.main_verb is None:
        return False
    first, second = (z.parse.tags[z.finite_token(i) or i] for i in (z.main_verb, span.anchor))
    return second not in {"VBD", "VBZ", "VBP", "MD"} or (first, second) in _MIXED


def _disagrees_in_features(kind: str, z: Grammar, span: Span) -> bool:
    clause = next((i for i in z.ancestors(span.start) if z.is_relative_clause(i)), span.start)
    pairs = {
        "SINGLE_RELATIVE": [(span.anchor, _verb(z, clause))],
        "SINGLE_S_COORD": [_subject_and_verb(z, span.anchor)],
        "SINGLE_VP_COORD": [
            (_verb(z, z.main_verb), _verb(z, span.anchor)),
            (_subject_and_verb(z, z.main_verb)[0], _verb(z, span.anchor)),
        ],
    }.get(kind, [])
    return any(a is None or b is None or _differ(z, a, b) for a, b in pairs)


def _verb(z: Grammar, i: int | None) -> int | None:
    verb = None if i is None else z.finite_token(i)
    return verb if verb is not None and z.parse.pos[verb] in {"VERB", "AUX"} else None


def _subject_and_verb(z: Grammar, i: int | None) -> tuple[int | None, int | None]:
    """Return the subject and the finite verb of a clause; the verb twice if several subjects share it."""
    subject = None if i is None else z.subject(i)
    return _verb(z, i) if subject is not None and z.conjuncts(subject) else subject, _verb(z, i)


def _differ(z: Grammar, i: int, j: int) -> bool:
    values = ((z.features(i, name), z.features(j, name)) for name in ("Number", "Person", "Mood"))
    return any(a and b and a.isdisjoint(b) for a, b in values)
