"""What each place of a long sentence is worth as the place where it was split: what the parse says of it.

`pairs/diffs.py` finds the place by the words that the halves share; where these leave room, the parse decides.
"""

from pairs import clauses
from pairs.clauses import Sentence

_OPENS_CLAUSE = 1  # words that a place is worth
_INSIDE_PHRASE = -4
_LEANING = frozenset({"ADP", "DET", "SCONJ", "CCONJ"})


def merits(s: Sentence | None) -> dict[int, int]:
    """Return how many words the parse is worth by place, a token of `long`; a place without an entry is worth nothing.

    Before the first word of a clause or of joined predicates a split is likely, and hardly ever behind a word that
    leans on what follows, as articles and prepositions do.
    """
    if s is None:
        return {}
    inside = {i + 1: _INSIDE_PHRASE for i in _leaning(s)}
    return inside | {i: _OPENS_CLAUSE for i in clauses.openings(s) if _opens_clause(s, i)}


def _opens_clause(s: Sentence, i: int) -> bool:
    """Return True if the word at a place is no coordinator, or one of predicates or clauses."""
    g = s.grammar
    if g.parse.pos[i] != "CCONJ":
        return True
    head = g.head(i)
    joined = [j for j in (head, *(() if head is None else g.related(head, "conjunct"))) if j is not None and j > i]
    return any(map(g.is_clause, joined))


def _leaning(s: Sentence) -> list[int]:
    """Return the tokens that belong to what follows: their head stands there, or what depends on them."""
    g, listed = s.grammar, clauses.words(s.grammar.language, "prepositions")
    leaning = [i for i, pos in enumerate(g.parse.pos[:-1]) if pos in _LEANING or g.parse.tokens[i].lower() in listed]
    return [i for i in leaning if g.parse.heads[i] > i or any(child > i for child in g.children(i))]
