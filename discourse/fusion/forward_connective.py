"""Forward connective: the sentence begins with one, and its clause ends with a comma (`Although A , B .`)."""

from bitext_pivot.discourse.connectives import phrase_at
from bitext_pivot.discourse.fusion.base import Parts, Span, clause_head, commas, connective, end
from bitext_pivot.syntax.dependency_tree import DependencyTree


def match(sentence: DependencyTree) -> Span | None:
    """Return the clause behind the connective up to the first comma."""
    size = phrase_at(sentence.words, 0, sentence.language, "forward")
    comma = next(iter(commas(sentence, size)), None) if size else None
    if comma is None or comma == size:
        return None
    return Span(size, comma, clause_head(sentence, range(size, comma), range(size)))


def unfuse(sentence: DependencyTree, span: Span) -> Parts:
    """Return the subordinate clause, then the main clause."""
    return Parts(
        [*range(span.start, span.end)],
        [*range(span.end + 1, end(sentence))],
        connective(sentence, 0, span.start),
    )
