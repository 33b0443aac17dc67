"""Adjacent sentences of a document."""

from pairs.records import Sentence


def are_adjacent(first: Sentence, second: Sentence) -> bool:
    """Return True if `second` comes right after `first` in the same document."""
    document = (first.corpus, first.release, first.document)
    return document == (second.corpus, second.release, second.document) and first.position + 1 == second.position
