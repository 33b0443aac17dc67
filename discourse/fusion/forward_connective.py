"""Forward connective: it begins the sentence, and its clause ends at a comma (`Although A , B .`)."""

from bitext_pivot.discourse.connectives import phrase_length_at
from bitext_pivot.discourse.fusion.fusion_rule import (
    RuleSpan,
    SentencePieces,
    clause_head,
    comma_indices,
    connective_text,
    content_end,
)
from bitext_pivot.syntax.dependency_tree import DependencyTree


def match(sentence: DependencyTree) -> RuleSpan | None:
    """Return the tokens between an initial connective and the first comma, or None.

    The result is None if the sentence does not begin with a connective, or if no comma follows it or only directly
    after it. The parse need not confirm that the tokens are a clause: the anchor is the head that `clause_head` finds
    among them, or None.
    """
    size = phrase_length_at(sentence.words, 0, sentence.language, "forward")
    comma = next(iter(comma_indices(sentence, size)), None) if size else None
    if comma is None or comma == size:
        return None
    return RuleSpan(size, comma, clause_head(sentence, range(size, comma), range(size)))


def unfuse(sentence: DependencyTree, span: RuleSpan) -> SentencePieces:
    """Return the subordinate clause and the main clause as two sentences."""
    return SentencePieces(
        [*range(span.start, span.end)],
        [*range(span.end + 1, content_end(sentence))],
        connective_text(sentence, 0, span.start),
    )
