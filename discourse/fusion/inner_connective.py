"""Inner connective: two clauses with one between them (`A because B .`)."""

from bitext_pivot.discourse.connectives import phrases_in
from bitext_pivot.discourse.fusion.base import (
    Parts,
    Span,
    clause_head,
    connective,
    end,
    main_clause,
)
from bitext_pivot.syntax.dependency_tree import DependencyTree


def match(sentence: DependencyTree) -> Span | None:
    """Return the leftmost connective inside the sentence, but not `because of`."""
    tokens = sentence.tokens
    for i, size in phrases_in(sentence.words, sentence.language, "inner"):
        is_preposition = tokens[i + size - 1 : i + size + 1] == ("because", "of")
        if i > 0 and i + size < end(sentence) and not is_preposition:
            head = clause_head(sentence, range(i + size, end(sentence)), range(i, i + size))
            return Span(i, i + size, head if _clause(sentence, i + size, head) else None)
    return None


def _clause(sentence: DependencyTree, start: int, head: int | None) -> list[int] | None:
    return main_clause(sentence, [*range(start, end(sentence))], head, is_subordinate=True)


def unfuse(sentence: DependencyTree, span: Span) -> Parts:
    """Return what is before the connective, and what is behind it."""
    second = _clause(sentence, span.end, span.anchor) or range(span.end, end(sentence))
    return Parts([*range(span.start)], [*second], connective(sentence, span.start, span.end))
