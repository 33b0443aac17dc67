"""Inner connective: two clauses with a connective between them (`A because B .`)."""

from bitext_pivot.discourse.connectives import find_phrases
from bitext_pivot.discourse.fusion.fusion_rule import (
    RuleSpan,
    SentencePieces,
    clause_head,
    connective_text,
    content_end,
    order_as_main_clause,
)
from bitext_pivot.syntax.dependency_tree import DependencyTree


def match(sentence: DependencyTree) -> RuleSpan | None:
    """Return the span of the first connective inside the sentence, except `because of`, or None."""
    tokens = sentence.tokens
    for i, size in find_phrases(sentence.words, sentence.language, "inner"):
        is_preposition = tokens[i + size - 1 : i + size + 1] == ("because", "of")
        if i > 0 and i + size < content_end(sentence) and not is_preposition:
            head = clause_head(sentence, range(i + size, content_end(sentence)), range(i, i + size))
            return RuleSpan(i, i + size, head if _clause(sentence, i + size, head) else None)
    return None


def _clause(sentence: DependencyTree, start: int, head: int | None) -> list[int] | None:
    return order_as_main_clause(
        sentence, [*range(start, content_end(sentence))], head, is_subordinate=True
    )


def unfuse(sentence: DependencyTree, span: RuleSpan) -> SentencePieces:
    """Return the clauses before and after the connective as two sentences."""
    second = _clause(sentence, span.end, span.anchor) or range(span.end, content_end(sentence))
    return SentencePieces(
        [*range(span.start)], [*second], connective_text(sentence, span.start, span.end)
    )
