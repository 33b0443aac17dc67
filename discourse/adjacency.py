"""Test whether two sentences of a document are adjacent."""

from bitext_pivot.core.records import Sentence


def are_adjacent(first: Sentence, second: Sentence) -> bool:
    """Return True if `second` immediately follows `first` in the same document."""
    return first.source == second.source and first.position + 1 == second.position
