"""Score bonus of each possible split position of a long sentence, from its parse.

`pairs/labelling/diffs.py` finds the split by shared words; where these leave several positions, the parse decides.
"""

from pairs.syntax import clauses
from pairs.syntax.clauses import Sentence

_OPENS_CLAUSE = 1  # bonus in shared words
_INSIDE_PHRASE = -4
_OPENING = frozenset({"SCONJ", "CCONJ", "PRON"})
_CLOSING = frozenset(".,;:!?…)]”»–—")
_PROCLITIC = frozenset({"ADP", "DET", "SCONJ", "CCONJ"})


def position_scores(s: Sentence | None) -> dict[int, int]:
    """Return the score bonus per split position (token index in `long`), in shared words. Missing positions score 0.

    A split is likely before the first word of a clause or of a joined predicate, and unlikely after a word that
    belongs to what follows, such as an article or a preposition.
    """
    if s is None:
        return {}
    inside = {position: _INSIDE_PHRASE for i in _proclitics(s) for position in _behind(s, i)}
    inside |= dict.fromkeys(_inside_words(s), _INSIDE_PHRASE)
    return {i: _OPENS_CLAUSE for i in clauses.openings(s) if _opens_clause(s, i)} | inside


def _inside_words(s: Sentence) -> list[int]:
    """Return the tokens that continue a word, as the second one of "ca" "n't"."""
    g, parse = s.grammar, s.grammar.parse
    ends = [start + len(token) for start, token in zip(parse.starts, parse.tokens, strict=True)]
    joined = [i for i in range(1, len(ends)) if parse.starts[i] == ends[i - 1]]
    return [i for i in joined if parse.tokens[i - 1][-1] not in _CLOSING and not g.is_punctuation(i)]


def _behind(s: Sentence, i: int) -> range:
    """Return the positions behind a token that belongs to what follows; adverbs and commas may stand between."""
    g, end = s.grammar, i + 1
    while g.parse.pos[i] in _OPENING and end < len(g) and (g.parse.pos[end] == "ADV" or g.is_punctuation(end)):
        end += 1
    return range(i + 1, end + 1)


def _opens_clause(s: Sentence, i: int) -> bool:
    """Return True unless the token is a coordinator of anything but predicates or clauses."""
    g = s.grammar
    if g.parse.pos[i] != "CCONJ":
        return True
    head = g.head(i)
    joined = [j for j in (head, *(() if head is None else g.related(head, "conjunct"))) if j is not None and j > i]
    return any(map(g.is_clause, joined))


def _proclitics(s: Sentence) -> list[int]:
    """Return the tokens that belong to what follows: their head or a dependent comes later."""
    g, listed = s.grammar, clauses.words(s.grammar.language, "prepositions")
    candidates = [
        i
        for i, pos in enumerate(g.parse.pos[:-1])
        if pos in _PROCLITIC or g.parse.tokens[i].lower() in listed or (pos == "PRON" and g.is_wh(i))
    ]
    return [i for i in candidates if g.parse.heads[i] > i or any(child > i for child in g.children(i))]
