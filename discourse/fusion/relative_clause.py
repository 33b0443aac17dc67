"""Relative clause between commas (`Kubler , who retired in 1957 , remained a revered figure .`)."""

from bitext_pivot.discourse.connectives import phrase_at, table, words
from bitext_pivot.discourse.fusion.base import Parts, Piece, Span, commas, end, noun_phrase
from bitext_pivot.syntax.grammar import Grammar


def match(z: Grammar) -> Span | None:
    """Return the clause from its pronoun to the closing comma; the anchor is the noun that it modifies."""
    for comma in commas(z, 1):
        start = comma + 1
        if not phrase_at(z.words, start, z.language, "relative"):
            continue
        verb = next((i for i in z.ancestors(start) if z.is_relative_clause(i)), None)
        behind = commas(z, start + 1)
        if not behind:
            continue
        last = z.subtree(verb)[-1] if verb is not None else start
        closing = next((i for i in behind if i >= last), behind[0])
        head = z.head(verb) if verb is not None and verb < closing else None
        span = Span(start, closing, head if head is not None and head < comma else None)
        if span.anchor is not None or not table(z.language)["is_confirmed"]:
            return span
    return None


def unfuse(z: Grammar, span: Span) -> Parts:
    """Return the sentence without the clause, and the clause with its noun phrase in place of the pronoun."""
    main = [*range(span.start - 1), *range(span.end + 1, end(z))]
    possessive: list[Piece] = ["'s"] if is_possessive(z, span.start) else []
    first = antecedent(z, span, span.start - 2)
    return Parts([*main], [*first, *possessive, *range(span.start + 1, span.end)])


def is_possessive(z: Grammar, pronoun: int) -> bool:
    """Return True for `whose`."""
    return z.words[pronoun] in words(z.language, "possessive_relative")


def antecedent(z: Grammar, span: Span, last: int) -> list[Piece]:
    """Return the noun phrase of the span's anchor up to token `last`, or the one before the comma without an anchor."""
    if span.anchor is None:
        return noun_phrase(z, last)
    inside = [i for i in z.subtree(span.anchor) if i <= last]
    case = [i for i in z.children(span.anchor) if i <= last and z.parse.deps[i] in {"case", "prep", "cc"}]
    start = max([i + 1 for i in case if i < span.anchor], default=inside[0])
    return [*range(start, last + 1)]
