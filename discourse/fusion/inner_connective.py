"""Inner connective: two clauses with one between them (`A because B .`)."""

from discourse.connectives import phrases_in
from discourse.fusion.base import Parts, Span, connective, end
from pairs.syntax.grammar import Grammar


def match(z: Grammar) -> Span | None:
    """Return the leftmost connective inside the sentence, but not `because of`."""
    tokens = z.parse.tokens
    for i, size in phrases_in(tokens, z.language, "inner"):
        is_preposition = tokens[i + size - 1 : i + size + 1] == ("because", "of")
        if i > 0 and i + size < end(z) and not is_preposition:
            return Span(i, i + size, next((j for j in range(i + size, len(z)) if z.is_finite(j)), None))
    return None


def unfuse(z: Grammar, span: Span) -> Parts:
    """Return what is before the connective, and what is behind it."""
    return Parts([*range(span.start)], [*range(span.end, end(z))], connective(z, range(span.start, span.end)))
