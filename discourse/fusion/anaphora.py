"""Anaphora: a pronoun of the second sentence is replaced by its noun phrase (`Rider scored . He said ...`)."""

from bitext_pivot.discourse.connectives import word_lists
from bitext_pivot.discourse.coreference import CoreferenceResolver, ResolvedPronoun
from bitext_pivot.discourse.fusion.fusion_rule import Piece, SentencePieces, token_indices
from bitext_pivot.syntax.dependency_tree import DependencyTree


def match(
    a: DependencyTree, b: DependencyTree, parts: SentencePieces, resolve: CoreferenceResolver
) -> ResolvedPronoun | None:
    """Return the pronoun of the second sentence that refers to the first sentence, or None.

    `a` and `b` are the parses of the two sentences. `resolve` finds the pronoun and its noun phrase.
    """
    if not word_lists(b.language)["has_anaphora"]:
        return None
    return resolve(a, token_indices(parts.first), b, token_indices(parts.second))


def unfuse(b: DependencyTree, parts: SentencePieces, mention: ResolvedPronoun) -> SentencePieces:
    """Replace the pronoun, wherever it occurs in the second sentence, by its noun phrase."""
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
