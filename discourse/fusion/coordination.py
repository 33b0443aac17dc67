"""Functions for the rules on coordinated clauses and verbs: find a coordinator and the conjunct after it."""

from collections.abc import Iterator

from bitext_pivot.discourse.connectives import find_phrases, phrase_length_at
from bitext_pivot.discourse.fusion.fusion_rule import content_end
from bitext_pivot.syntax.dependency_tree import DependencyTree


def find_coordinators(sentence: DependencyTree) -> Iterator[int]:
    """Yield the index of each token that may coordinate two clauses, such as `and` or `but`."""
    last = content_end(sentence) - 1
    for i, _ in find_phrases(sentence.words, sentence.language, "coordinators"):
        # a connective of several words such as `for example` coordinates nothing
        if 0 < i < last and phrase_length_at(sentence.words, i, sentence.language, "backward") < 2:
            yield i


def find_conjunct(sentence: DependencyTree, i: int) -> int | None:
    """Return the head of the conjunct that the parse attaches to the coordinator `i`, or None.

    The parse may also attach the coordinator `so` to the conjunct as an adverb.
    """
    heads = (j for j in range(i + 1, content_end(sentence)) if sentence.coordinator(j) == i)
    return next(heads, None)


def first_conjunct_end(sentence: DependencyTree, i: int) -> int:
    """Return the index after the last token of the first conjunct.

    A comma before the coordinator at token `i` does not belong to the conjunct.
    """
    return i - 1 if sentence.tokens[i - 1] == "," else i
