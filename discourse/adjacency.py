"""Adjacent sentences of a document."""

from bitext_pivot.core.records import Sentence


def are_adjacent(first: Sentence, second: Sentence) -> bool:
    """Return True if `second` comes right after `first` in the same document."""
    return first.source == second.source and first.position + 1 == second.position
