"""Compute bonuses for the possible split positions of a long sentence from its parse.

syntax/labelling/diffs.py finds the split position by the words that `long` shares with each half. If several
positions remain, these bonuses decide.
"""

from bitext_pivot.syntax import clauses
from bitext_pivot.syntax.clauses import ClauseStructure

_OPENS_CLAUSE = 1  # bonus in shared words
_INSIDE_PHRASE = -4
_OPENING = frozenset({"SCONJ", "CCONJ", "PRON"})
_CLOSING = frozenset(".,;:!?…)]”»–—")
_PROCLITIC = frozenset({"ADP", "DET", "SCONJ", "CCONJ", "PART"})


def position_scores(s: ClauseStructure) -> dict[int, int]:
    """Return a bonus for each split position (token index in `long`), in units of shared words.

    Positions that are missing have no bonus. A split is likely before the first word of a clause, of a coordinated
    predicate, or of a gerund after a comma. It is unlikely after a word that belongs to the following words, such
    as an article or a preposition, or "adding" before "that".
    """
    tree = s.tree
    gerunds = [
        i for i in range(len(tree)) if clauses.follows_comma(tree, i) and clauses.is_gerund(tree, i)
    ]
    opening = {*gerunds, *(i for i in clauses.clause_openers(s) if _opens_clause(s, i))}
    proclitics = (i for i in range(len(tree) - 1) if _is_proclitic(s, i))
    inside = {position for i in proclitics for position in _positions_inside_phrase(s, i)} | {
        *_positions_inside_words(s)
    }
    inside |= {i + 1 for i in gerunds if tree.pos[i + 1 : i + 2] == ("SCONJ",)}
    return dict.fromkeys(opening, _OPENS_CLAUSE) | dict.fromkeys(inside, _INSIDE_PHRASE)


def _positions_inside_words(s: ClauseStructure) -> list[int]:
    """Return the indices of tokens that continue a word, such as "n't" in "ca" "n't"."""
    tree, parse = s.tree, s.tree.parse
    ends = [start + len(token) for start, token in zip(parse.starts, parse.tokens, strict=True)]
    joined = [i for i in range(1, len(ends)) if parse.starts[i] == ends[i - 1]]
    return [
        i for i in joined if parse.tokens[i - 1][-1] not in _CLOSING and not tree.is_punctuation(i)
    ]


def _positions_inside_phrase(s: ClauseStructure, i: int) -> range:
    """Return the positions after token `i`, which belongs to the words that follow it.

    Adverbs, auxiliaries and punctuation may follow a conjunction or pronoun before its phrase continues.
    """
    tree, end = s.tree, i + 1
    while (
        tree.pos[i] in _OPENING
        and end < len(tree)
        and (tree.pos[end] in {"ADV", "AUX"} or tree.is_punctuation(end))
    ):
        end += 1
    return range(i + 1, end + 1)


def _opens_clause(s: ClauseStructure, i: int) -> bool:
    """Return True unless token `i` is a coordinator that joins neither predicates nor clauses."""
    tree = s.tree
    if tree.pos[i] != "CCONJ":
        return True
    head = tree.head(i)
    joined = [
        j
        for j in (head, *(() if head is None else tree.dependents(head, "conjunct")))
        if j is not None and j > i
    ]
    return any(map(tree.is_clause, joined))


def _is_proclitic(s: ClauseStructure, i: int) -> bool:
    """Return True if token `i` belongs to the words after it, like an article or a coordinator.

    Unless the token is a coordinator, its head or one of its dependents must follow it.
    """
    tree, pos = s.tree, s.tree.pos[i]
    is_listed = tree.words[i] in clauses.clause_words(tree.language, "prepositions")
    if pos not in _PROCLITIC and not is_listed and not (pos == "PRON" and tree.is_wh(i)):
        return False
    return pos == "CCONJ" or tree.parse.heads[i] > i or any(child > i for child in tree.children(i))
