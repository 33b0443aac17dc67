"""Relative clause between commas (`Kubler , who retired in 1957 , remained a revered figure .`)."""

from bitext_pivot.discourse.connectives import phrase_length_at, word_lists
from bitext_pivot.discourse.fusion.fusion_rule import (
    Piece,
    RuleSpan,
    SentencePieces,
    comma_indices,
    content_end,
    is_listed,
    noun_phrase_ending_at,
)
from bitext_pivot.syntax.dependency_tree import DependencyTree


def match(sentence: DependencyTree) -> RuleSpan | None:
    """Return the span of a relative clause, from its pronoun to the closing comma, or None.

    The anchor is the noun that the clause modifies.
    """
    for comma in comma_indices(sentence, 1):
        start = comma + 1
        if not phrase_length_at(sentence.words, start, sentence.language, "relative"):
            continue
        verb = clause_verb(sentence, start)
        behind = comma_indices(sentence, start + 1)
        if not behind:
            continue
        last = sentence.subtree(verb)[-1] if verb is not None else start
        closing = next((i for i in behind if i >= last), behind[0])
        head = sentence.head(verb) if verb is not None and verb < closing else None
        span = RuleSpan(start, closing, head if head is not None and head < comma else None)
        if span.anchor is not None or not word_lists(sentence.language)["is_confirmed"]:
            return span
    return None


def unfuse(sentence: DependencyTree, span: RuleSpan) -> SentencePieces:
    """Return the sentence without its relative clause, and the clause as a second sentence.

    In the second sentence, the noun phrase that the clause modifies replaces the relative pronoun.
    """
    main = [*range(span.start - 1), *range(span.end + 1, content_end(sentence))]
    possessive: list[Piece] = ["'s"] if is_possessive(sentence, span.start) else []
    first = antecedent(sentence, span, span.start - 2)
    return SentencePieces([*main], [*first, *possessive, *range(span.start + 1, span.end)])


def clause_verb(sentence: DependencyTree, pronoun: int) -> int | None:
    """Return the head of the relative clause that contains the relative pronoun, or None."""
    return next((i for i in sentence.ancestors(pronoun) if sentence.is_relative_clause(i)), None)


def is_possessive(sentence: DependencyTree, pronoun: int) -> bool:
    """Return True if the relative pronoun is possessive, like `whose`."""
    return is_listed(sentence, pronoun, "possessive_relative")


def antecedent(sentence: DependencyTree, span: RuleSpan, last: int) -> list[Piece]:
    """Return the noun phrase that a relative clause or apposition modifies, up to token `last`.

    Its head is the anchor of `span`. Without an anchor, it is the noun phrase that ends with `last`.
    """
    if span.anchor is None:
        return noun_phrase_ending_at(sentence, last)
    inside = [i for i in sentence.subtree(span.anchor) if i <= last]
    case = [
        i
        for i in sentence.children(span.anchor)
        if i <= last and sentence.parse.deps[i] in {"case", "prep", "cc"}
    ]
    start = max([i + 1 for i in case if i < span.anchor], default=inside[0])
    return [*range(start, last + 1)]
