"""How alike texts are that count as near-duplicates; apart from their search, which imports numpy."""

SIMILARITY = 0.6
"""Jaccard similarity from which a text is a near-duplicate, unless a form says otherwise."""
