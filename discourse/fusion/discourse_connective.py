"""Discourse connective at the beginning of the second of two sentences (`However , space is limited .`)."""

from bitext_pivot.discourse.connectives import phrase_length_at
from bitext_pivot.discourse.fusion.fusion_rule import (
    RuleSpan,
    SentencePieces,
    connective_text,
    content_end,
    order_as_main_clause,
)
from bitext_pivot.syntax.dependency_tree import DependencyTree


def match(sentence: DependencyTree) -> RuleSpan | None:
    """Return the span of the connective at the start of the sentence, with its comma, or None.

    A connective such as `however` is also found inside the sentence, before the main verb.
    """
    tokens, root = sentence.tokens, sentence.main_verb
    if size := phrase_length_at(sentence.words, 0, sentence.language, "backward"):
        has_comma = tokens[size - 1] != "," and tokens[size : size + 1] == (",",)
        return _confirmed(sentence, RuleSpan(0, size + has_comma, root))
    before_verb = range(1, min([*sentence.auxiliaries(root), root]) if root is not None else 0)
    at, size = next(
        (
            (i, n)
            for i in before_verb
            if (n := phrase_length_at(sentence.words, i, sentence.language, "medial"))
        ),
        (0, 0),
    )
    if not size:
        return None
    is_enclosed = tokens[at - 1] == "," and tokens[at + size] == ","
    return _confirmed(sentence, RuleSpan(at - is_enclosed, at + size + is_enclosed, root))


def _confirmed(sentence: DependencyTree, span: RuleSpan) -> RuleSpan:
    return (
        span
        if order_as_main_clause(sentence, _rest(sentence, span), span.anchor)
        else span._replace(anchor=None)
    )


def _rest(sentence: DependencyTree, span: RuleSpan) -> list[int]:
    return [*range(span.start), *range(span.end, content_end(sentence))]


def unfuse(sentence: DependencyTree, span: RuleSpan) -> SentencePieces:
    """Return the sentence without its connective as the second of two sentences.

    The caller adds the first sentence.
    """
    second = order_as_main_clause(sentence, _rest(sentence, span), span.anchor) or _rest(
        sentence, span
    )
    return SentencePieces([], [*second], connective_text(sentence, span.start, span.end))
