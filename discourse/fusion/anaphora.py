"""Anaphora: the second sentence refers to the first with a pronoun (`Rider scored . He said ...`)."""

from collections.abc import Sequence

from discourse.coreference import Mention, Resolver
from discourse.fusion.base import Parts, Piece
from pairs.syntax.grammar import Grammar


def match(a: Grammar, b: Grammar, parts: Parts, resolve: Resolver) -> Mention | None:
    """Return a pronoun of the second part that refers to the first; `a` and `b` are the parses of the two."""
    return resolve(a, _tokens(parts.first), b, _tokens(parts.second))


def _tokens(pieces: Sequence[Piece]) -> list[int]:
    return [piece for piece in pieces if isinstance(piece, int)]


def unfuse(b: Grammar, parts: Parts, mention: Mention) -> Parts:
    """Return the parts with the noun phrase in place of the pronoun, everywhere in the second."""
    word = b.parse.tokens[mention.pronoun]
    ending: list[Piece] = ["'" if mention.antecedent[-1].endswith("s") else "'s"] if mention.is_possessive else []
    second: list[Piece] = []
    for piece in parts.second:
        is_mention = isinstance(piece, int) and b.parse.tokens[piece].lower() == word.lower()
        second += [*mention.antecedent, *ending] if is_mention else [piece]
    return parts._replace(second=second)
