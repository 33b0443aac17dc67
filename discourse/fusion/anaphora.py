"""Anaphora: the second sentence names again what the first does (`Rider scored . He said ...`)."""

from bitext_pivot.discourse.connectives import table
from bitext_pivot.discourse.coreference import Mention, Resolver
from bitext_pivot.discourse.fusion.base import Parts, Piece, tokens_of
from bitext_pivot.syntax.dependency_tree import DependencyTree


def match(a: DependencyTree, b: DependencyTree, parts: Parts, resolve: Resolver) -> Mention | None:
    """Return what in the second part refers to the first; `a` and `b` are the parses of the two."""
    if not table(b.language)["has_anaphora"]:
        return None
    return resolve(a, tokens_of(parts.first), b, tokens_of(parts.second))


def unfuse(b: DependencyTree, parts: Parts, mention: Mention) -> Parts:
    """Return the parts with the noun phrase in place of the pronoun, everywhere in the second."""
    phrase: list[Piece] = [*mention.antecedent]
    if mention.is_possessive:
        phrase.append("'" if mention.antecedent[-1].endswith("s") else "'s")
    second: list[Piece] = []
    for piece in parts.second:
        if isinstance(piece, int) and b.words[piece] == b.words[mention.pronoun]:
            second += phrase
        else:
            second.append(piece)
    return parts._replace(second=second)
