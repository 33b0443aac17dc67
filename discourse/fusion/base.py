"""What all rules of DiscoFuse share: the span that a rule matches, and the two sentences that it makes.

A rule is a module with two functions. `match(z)` returns where its phenomenon is in a parsed sentence, or None.
`unfuse(z, span)` returns the two sentences as pieces: tokens of `z` by index, and new words.

Sources: DiscoFuse, section 3.1 and Tables 12 and 13. The rules' formulas are not published: what the text and the
released rows leave open is our choice.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, Protocol

from pairs.syntax.grammar import Grammar

Piece = int | str
_EDGES = frozenset({",", ";", ":", "-", "--", "–", "—"})
_FINAL = frozenset({".", "!", "?", "…"})
_CLOSING = frozenset({'"', "''", "”", "’", "»"})
_NOMINAL = frozenset({"NOUN", "PROPN", "ADJ", "DET", "NUM", "PRON"})


class Span(NamedTuple):
    """Tokens `start` to `end` (excluded) that a rule moves or deletes, and the head that they attach to.

    `anchor` is None if only the words match and the parse does not confirm it.
    """

    start: int
    end: int
    anchor: int | None


class Parts(NamedTuple):
    """Two sentences as pieces, and the connective that was between them, in lower case."""

    first: list[Piece]
    second: list[Piece]
    connective: str = ""


class Rule(Protocol):
    """A module of this folder."""

    def match(self, z: Grammar) -> Span | None:
        """Return where the phenomenon is; None if it is not there."""

    def unfuse(self, z: Grammar, span: Span) -> Parts:
        """Return the two sentences; raises nothing for a span that `match` returned."""


def end(z: Grammar) -> int:
    """Return the number of tokens before the final punctuation."""
    size = len(z)
    while size and z.parse.tokens[size - 1] in _FINAL:
        size -= 1
    return size


def commas(z: Grammar, start: int) -> list[int]:
    """Return the commas from token `start` on."""
    return [i for i in range(start, end(z)) if z.parse.tokens[i] == ","]


def connective(z: Grammar, indices: Iterable[int]) -> str:
    """Return tokens as a connective: lower case, separated by spaces."""
    return " ".join(z.parse.tokens[i].lower() for i in indices)


def noun_phrase(z: Grammar, last: int) -> list[Piece]:
    """Return the noun phrase that ends with token `last`, as far as parts of speech show it."""
    first = last
    while first and (z.parse.pos[first - 1] in _NOMINAL or z.parse.tokens[first - 1] in {"'s", "-"}):
        first -= 1
    return list(range(first, last + 1))


def words(z: Grammar, pieces: Sequence[Piece]) -> list[str]:
    """Return a sentence as tokens: capitalised, without punctuation at its edges, closed with a full stop."""
    tokens = [z.parse.tokens[piece] if isinstance(piece, int) else piece for piece in pieces]
    while tokens and tokens[-1] in _EDGES | _FINAL:
        tokens.pop()
    while tokens and tokens[0] in _EDGES:
        tokens.pop(0)
    is_closed = len(tokens) > 1 and tokens[-1] in _CLOSING and tokens[-2] in _FINAL  # `He said " no . "`
    return [tokens[0][:1].upper() + tokens[0][1:], *tokens[1:], *([] if is_closed else ["."])] if tokens else []
