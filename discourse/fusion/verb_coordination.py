"""Verb phrase coordination: two verbs share a subject (`The school closed in May and became a museum .`)."""

from bitext_pivot.discourse.connectives import words
from bitext_pivot.discourse.fusion.base import Parts, Piece, Span, connective, end
from bitext_pivot.discourse.fusion.coordination import conjunct, coordinators, first_end
from bitext_pivot.syntax.grammar import Grammar


def match(z: Grammar) -> Span | None:
    """Return the coordinator of a second verb of the main clause; the anchor is None unless it is one by the parse."""
    root = z.main_verb
    if root is None or z.subject(root) is None:
        return None
    for i in coordinators(z):
        head = conjunct(z, i)
        if head is not None and root < i and z.is_clause(head) and not z.has_own_subject(head):
            return Span(first_end(z, i), i + 1, head if z.first_conjunct(head) == root else None)
        if root < i and z.parse.pos[i + 1] == "ADJ" and z.parse.tokens[i + 1].endswith("ed"):  # a verb misread
            return Span(first_end(z, i), i + 1, None)
    return None


def is_copular(z: Grammar, span: Span) -> bool:
    """Return True if the second verb is a copula: `..., and is now a museum`."""
    verb = span.end
    return z.parse.deps[verb] == "cop" or (z.parse.lemmas[verb] == "be" and verb == span.anchor)


def unfuse(z: Grammar, span: Span) -> Parts:
    """Return the first verb phrase, and the second with the subject, and the auxiliaries that it shares."""
    prefix = _prefix(z, span)
    return Parts([*range(span.start)], [*prefix, *range(span.end, end(z))], connective(z, span.start, span.end))


def _prefix(z: Grammar, span: Span) -> list[Piece]:
    root = z.main_verb or 0
    subject = z.subject(root)
    stop = z.subtree(subject)[-1] + 1 if subject is not None else root
    verb = z.finite_token(root)
    if z.inverts and subject is not None and verb is not None and verb < subject:
        return [*z.subtree(subject)]
    head = span.anchor if span.anchor is not None else conjunct(z, span.end - 1) or root
    if stop > root or z.is_finite(head):
        return [*range(min(stop, root))]
    before = range(stop, root)
    return [*range(stop), *(i for i in before if i in z.auxiliaries(root) and not _is_negation(z, i))]


def _is_negation(z: Grammar, i: int) -> bool:
    return z.words[i] in words(z.language, "negations")
