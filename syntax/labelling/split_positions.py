"""Score bonus of each possible split position of a long sentence, from its parse.

`syntax/labelling/diffs.py` finds the split by shared words; where these leave several positions, the parse decides.
"""

from bitext_pivot.syntax import clauses
from bitext_pivot.syntax.clauses import Clauses

_OPENS_CLAUSE = 1  # bonus in shared words
_INSIDE_PHRASE = -4
_OPENING = frozenset({"SCONJ", "CCONJ", "PRON"})
_CLOSING = frozenset(".,;:!?…)]”»–—")
_PROCLITIC = frozenset({"ADP", "DET", "SCONJ", "CCONJ", "PART"})


def position_scores(s: Clauses) -> dict[int, int]:
    """Return the score bonus per split position (token index in `long`), in shared words. Missing positions score 0.

    A split is likely before the first word of a clause, of a joined predicate or of a gerund behind a comma, and
    unlikely after a word that belongs to what follows, such as an article or a preposition, or "adding" before "that".
    """
    g = s.grammar
    gerunds = [i for i in range(len(g)) if clauses.follows_comma(g, i) and clauses.is_gerund(g, i)]
    opening = {*gerunds, *(i for i in clauses.openings(s) if _opens_clause(s, i))}
    proclitics = (i for i in range(len(g) - 1) if _is_proclitic(s, i))
    inside = {position for i in proclitics for position in _behind(s, i)} | {*_inside_words(s)}
    inside |= {i + 1 for i in gerunds if g.pos[i + 1 : i + 2] == ("SCONJ",)}
    return dict.fromkeys(opening, _OPENS_CLAUSE) | dict.fromkeys(inside, _INSIDE_PHRASE)


def _inside_words(s: Clauses) -> list[int]:
    """Return the tokens that continue a word, as the second one of "ca" "n't"."""
    g, parse = s.grammar, s.grammar.parse
    ends = [start + len(token) for start, token in zip(parse.starts, parse.tokens, strict=True)]
    joined = [i for i in range(1, len(ends)) if parse.starts[i] == ends[i - 1]]
    return [
        i for i in joined if parse.tokens[i - 1][-1] not in _CLOSING and not g.is_punctuation(i)
    ]


def _behind(s: Clauses, i: int) -> range:
    """Return the positions behind a token that belongs to what follows; adverbs and commas may stand between."""
    g, end = s.grammar, i + 1
    while (
        g.pos[i] in _OPENING
        and end < len(g)
        and (g.pos[end] in {"ADV", "AUX"} or g.is_punctuation(end))
    ):
        end += 1
    return range(i + 1, end + 1)


def _opens_clause(s: Clauses, i: int) -> bool:
    """Return True unless the token is a coordinator of anything but predicates or clauses."""
    g = s.grammar
    if g.pos[i] != "CCONJ":
        return True
    head = g.head(i)
    joined = [
        j
        for j in (head, *(() if head is None else g.related(head, "conjunct")))
        if j is not None and j > i
    ]
    return any(map(g.is_clause, joined))


def _is_proclitic(s: Clauses, i: int) -> bool:
    """A token belongs to what follows: a coordinator, or an article or the like with its head or a dependent behind."""
    g, pos = s.grammar, s.grammar.pos[i]
    is_listed = g.words[i] in clauses.words(g.language, "prepositions")
    if pos not in _PROCLITIC and not is_listed and not (pos == "PRON" and g.is_wh(i)):
        return False
    return pos == "CCONJ" or g.parse.heads[i] > i or any(child > i for child in g.children(i))
