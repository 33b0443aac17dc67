"""What both rules of coordination share: coordinators, and the conjunct behind one."""

from collections.abc import Iterator

from bitext_pivot.discourse.connectives import phrase_at, phrases_in
from bitext_pivot.discourse.fusion.base import end
from bitext_pivot.syntax.dependency_tree import DependencyTree


def coordinators(sentence: DependencyTree) -> Iterator[int]:
    """Yield the tokens inside the sentence that may coordinate clauses."""
    last = end(sentence) - 1
    for i, _ in phrases_in(sentence.words, sentence.language, "coordinators"):
        if (
            0 < i < last and phrase_at(sentence.words, i, sentence.language, "backward") < 2
        ):  # not `for example`
            yield i


def conjunct(sentence: DependencyTree, i: int) -> int | None:
    """Return the head of the conjunct that token `i` introduces by the parse; a `so` may be an adverb of it."""
    heads = (j for j in range(i + 1, end(sentence)) if sentence.coordinator(j) == i)
    return next(heads, None)


def first_end(sentence: DependencyTree, i: int) -> int:
    """Return where the first conjunct ends: before the coordinator, and the comma before that."""
    return i - 1 if sentence.tokens[i - 1] == "," else i
