"""Forward connective: the sentence begins with one, and its clause ends with a comma (`Although A , B .`)."""

from discourse.connectives import phrase_at
from discourse.fusion.base import Parts, Span, clause_head, commas, connective, end, main_clause
from pairs.syntax.grammar import Grammar


def match(z: Grammar) -> Span | None:
    """Return the clause behind the connective up to the first comma."""
    size = phrase_at(z.parse.tokens, 0, z.language, "forward")
    comma = next(iter(commas(z, size)), None) if size else None
    if comma is None or comma == size:
        return None
    head = clause_head(z, range(size, comma), range(size))
    return Span(size, comma, head if all(_clauses(z, Span(size, comma, head))) else None)


def _clauses(z: Grammar, span: Span) -> tuple[list[int] | None, list[int] | None]:
    """Return both clauses in the order of main clauses."""
    clause, main = [*range(span.start, span.end)], [*range(span.end + 1, end(z))]
    return main_clause(z, clause, span.anchor, is_subordinate=True), main_clause(z, main, z.main_verb)


def unfuse(z: Grammar, span: Span) -> Parts:
    """Return the subordinate clause, then the main clause."""
    first, second = _clauses(z, span)
    return Parts([*(first or ())], [*(second or ())], connective(z, range(span.start)))
