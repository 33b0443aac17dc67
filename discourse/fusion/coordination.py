"""Functions shared by the two rules of coordination: find a coordinator and the conjunct after it."""

from collections.abc import Iterator

from bitext_pivot.discourse.connectives import find_phrases, phrase_length_at
from bitext_pivot.discourse.fusion.fusion_rule import content_end
from bitext_pivot.syntax.dependency_tree import DependencyTree


def find_coordinators(sentence: DependencyTree) -> Iterator[int]:
    """Yield the indices of tokens inside the sentence that may coordinate clauses."""
    last = content_end(sentence) - 1
    for i, _ in find_phrases(sentence.words, sentence.language, "coordinators"):
        # a connective of several words such as `for example` coordinates nothing
        if 0 < i < last and phrase_length_at(sentence.words, i, sentence.language, "backward") < 2:
            yield i


def find_conjunct(sentence: DependencyTree, i: int) -> int | None:
    """Return the head of the conjunct that the coordinator at token `i` introduces in the parse, or None.

    The parse may also attach a `so` to the conjunct as an adverb.
    """
    heads = (j for j in range(i + 1, content_end(sentence)) if sentence.coordinator(j) == i)
    return next(heads, None)


def first_conjunct_end(sentence: DependencyTree, i: int) -> int:
    """Return the index at which the first conjunct ends: before the coordinator and a comma before it."""
    return i - 1 if sentence.tokens[i - 1] == "," else i
