"""Discourse connective: the second of two sentences begins with one (`However , space is limited .`)."""

from discourse.connectives import phrase_at
from discourse.fusion.base import Parts, Span, connective, end
from pairs.syntax.grammar import Grammar


def match(z: Grammar) -> Span | None:
    """Return the connective at the beginning, with a comma after it; or `however` before the main verb."""
    tokens, root = z.parse.tokens, z.main_verb
    if size := phrase_at(tokens, 0, z.language, "backward"):
        has_comma = tokens[size - 1] != "," and tokens[size : size + 1] == (",",)
        return Span(0, size + has_comma, root)
    before_verb = range(1, min([*z.auxiliaries(root), root]) if root is not None else 0)
    at = next((i for i in before_verb if tokens[i].lower() == "however"), None)
    if at is None:
        return None
    is_enclosed = tokens[at - 1] == "," and tokens[at + 1] == ","
    return Span(at - is_enclosed, at + 1 + is_enclosed, root)


def unfuse(z: Grammar, span: Span) -> Parts:
    """Return the sentence without the connective, as the second of the two; the first stays as it is."""
    second = [*range(span.start), *range(span.end, end(z))]
    return Parts([], [*second], connective(z, range(span.start, span.end)))
