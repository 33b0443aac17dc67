"""How hard a split is to make, from 0 to 1: for curricula, which begin with what is easy.

The mean of four parts, each from 0 to 1. It is a rule of thumb: no model was trained to weigh the parts.
"""

from collections import Counter
from typing import TypedDict

from bitext_pivot.core.records import JudgedPair, ParsedPair
from bitext_pivot.syntax.labelling.constructions import OTHER
from bitext_pivot.syntax.labelling.diffs import moved_words

_LONG = 60
"""Tokens from which a sentence is as hard as any longer one."""
_DIGITS = 4
CONSTRUCTIONS = {
    "colon or semicolon": 0.0,  # cut only
    "conjunction with subject": 0.25,  # drop a conjunction
    "subordinate clause or preposition": 0.5,  # drop or replace one that says how the clauses relate
    OTHER: 0.5,
    "conjunction without subject": 0.75,  # and add a subject
    "concluding relative clause": 0.75,
    "gerund": 0.75,  # and change the verb
    "preceding relative clause": 1.0,  # take a clause out of the sentence
}
"""What has to be done at the split, by construction."""


class Parts(TypedDict):
    """The parts of the difficulty."""

    new: float
    """Share of the tokens of the two sentences that `long` does not have, without regard to case."""
    moved: float
    """Share of the longer words on the other side of the split than in `long`; 1 if `long` is not divided."""
    construction: float
    """What has to be done at the split: 0 (cut only) to 1 (take a clause out of the sentence)."""
    length: float
    """Tokens of `long`, as a share of 60; 1 for more."""


def parts(judged: JudgedPair) -> Parts:
    """Return the parts of the difficulty of a pair."""
    parsed = judged.scored.parsed
    long = parsed.long.tokens
    return Parts(
        new=round(_new(parsed), _DIGITS),
        moved=round(_moved(parsed, judged.split_at), _DIGITS),
        construction=CONSTRUCTIONS.get(judged.construction, CONSTRUCTIONS[OTHER]),
        length=round(min(len(long) / _LONG, 1), _DIGITS),
    )


def difficulty(of: Parts) -> float:
    """Return the difficulty that these parts have together."""
    total = of["new"] + of["moved"] + of["construction"] + of["length"]
    return round(total / len(of), _DIGITS)


def _new(parsed: ParsedPair) -> float:
    first, second = parsed.split
    split = Counter(token.lower() for token in (*first.tokens, *second.tokens))
    new = split - Counter(token.lower() for token in parsed.long.tokens)
    return new.total() / max(split.total(), 1)


def _moved(parsed: ParsedPair, split_at: int | None) -> float:
    if split_at is None:
        return 1.0
    first, second = parsed.split
    moved, words = moved_words(parsed.long.tokens, first.tokens, second.tokens, split_at)
    return moved / max(words, 1)
