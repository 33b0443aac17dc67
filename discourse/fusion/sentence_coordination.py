"""Sentence coordination: two clauses, each with a subject (`The floods came , and the streams poured in .`)."""

from bitext_pivot.discourse.fusion.coordination import (
    find_conjunct,
    find_coordinators,
    first_conjunct_end,
)
from bitext_pivot.discourse.fusion.fusion_rule import (
    RuleSpan,
    SentencePieces,
    connective_text,
    content_end,
)
from bitext_pivot.syntax.clauses import subtree_start
from bitext_pivot.syntax.dependency_tree import DependencyTree


def match(sentence: DependencyTree) -> RuleSpan | None:
    """Return the span of a coordinator before a finite clause with its own subject, or None.

    If the parse does not mark the clause as a conjunct (`, so he left`), the clause must begin at the coordinator, and
    a comma must precede the coordinator.
    """
    for i in find_coordinators(sentence):
        head = find_conjunct(sentence, i)
        if head is not None and _is_clause(sentence, head, i):
            return RuleSpan(first_conjunct_end(sentence, i), i + 1, head)
        loose = next(
            (j for j in range(i + 1, content_end(sentence)) if _is_clause(sentence, j, i)), None
        )
        if (
            loose is not None
            and head is None
            and sentence.tokens[i - 1] == ","
            and subtree_start(sentence, loose) in {i, i + 1}
        ):
            return RuleSpan(first_conjunct_end(sentence, i), i + 1, loose)
    return None


def _is_clause(sentence: DependencyTree, head: int, after: int) -> bool:
    subject = sentence.subject(head)
    return subject is not None and after < subject and sentence.is_finite(head)


def unfuse(sentence: DependencyTree, span: RuleSpan) -> SentencePieces:
    """Return the clauses before and after the coordinator as two sentences."""
    return SentencePieces(
        [*range(span.start)],
        [*range(span.end, content_end(sentence))],
        connective_text(sentence, span.start, span.end),
    )
