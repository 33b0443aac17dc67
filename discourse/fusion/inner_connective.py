"""Inner connective: two clauses with one between them (`A because B .`)."""

from bitext_pivot.discourse.connectives import phrases_in
from bitext_pivot.discourse.fusion.base import Parts, Span, clause_head, connective, end, main_clause
from bitext_pivot.syntax.grammar import Grammar


def match(z: Grammar) -> Span | None:
    """Return the leftmost connective inside the sentence, but not `because of`."""
    tokens = z.parse.tokens
    for i, size in phrases_in(z.words, z.language, "inner"):
        is_preposition = tokens[i + size - 1 : i + size + 1] == ("because", "of")
        if i > 0 and i + size < end(z) and not is_preposition:
            head = clause_head(z, range(i + size, end(z)), range(i, i + size))
            return Span(i, i + size, head if _clause(z, i + size, head) else None)
    return None


def _clause(z: Grammar, start: int, head: int | None) -> list[int] | None:
    return main_clause(z, [*range(start, end(z))], head, is_subordinate=True)


def unfuse(z: Grammar, span: Span) -> Parts:
    """Return what is before the connective, and what is behind it."""
    second = _clause(z, span.end, span.anchor) or range(span.end, end(z))
    return Parts([*range(span.start)], [*second], connective(z, span.start, span.end))
