"""Verb phrase coordination: two verbs share a subject (`The school closed in May and became a museum .`)."""

from bitext_pivot.discourse.fusion.coordination import (
    find_conjunct,
    find_coordinators,
    first_conjunct_end,
)
from bitext_pivot.discourse.fusion.fusion_rule import (
    Piece,
    RuleSpan,
    SentencePieces,
    connective_text,
    content_end,
    is_listed,
)
from bitext_pivot.syntax.dependency_tree import DependencyTree


def match(sentence: DependencyTree) -> RuleSpan | None:
    """Return the span of the word that coordinates a second verb with the main verb, or None.

    The anchor is the second verb, or None if the parse does not mark it as a conjunct of the main verb.
    """
    root = sentence.main_verb
    if root is None or sentence.subject(root) is None:
        return None
    for i in find_coordinators(sentence):
        head = find_conjunct(sentence, i)
        if (
            head is not None
            and root < i
            and sentence.is_clause(head)
            and not sentence.has_own_subject(head)
        ):
            return RuleSpan(
                first_conjunct_end(sentence, i),
                i + 1,
                head if sentence.first_conjunct(head) == root else None,
            )
        # the parser takes some verbs in -ed for adjectives
        if root < i and sentence.pos[i + 1] == "ADJ" and sentence.tokens[i + 1].endswith("ed"):
            return RuleSpan(first_conjunct_end(sentence, i), i + 1, None)
    return None


def is_copular(sentence: DependencyTree, span: RuleSpan) -> bool:
    """Return True if the second verb is a copula, as in `..., and is now a museum`."""
    verb = span.end
    return sentence.parse.deps[verb] == "cop" or (
        sentence.parse.lemmas[verb] == "be" and verb == span.anchor
    )


def unfuse(sentence: DependencyTree, span: RuleSpan) -> SentencePieces:
    """Return two sentences, one for each verb, with the subject and auxiliaries repeated."""
    prefix = _repeated_tokens(sentence, span)
    return SentencePieces(
        [*range(span.start)],
        [*prefix, *range(span.end, content_end(sentence))],
        connective_text(sentence, span.start, span.end),
    )


def _repeated_tokens(sentence: DependencyTree, span: RuleSpan) -> list[Piece]:
    root = sentence.main_verb or 0
    subject = sentence.subject(root)
    stop = sentence.subtree(subject)[-1] + 1 if subject is not None else root
    # `The mayor , a baker , came`
    has_aside = subject is not None and "," in sentence.tokens[subject:stop]
    stop += has_aside and sentence.tokens[stop] == ","
    verb = sentence.finite_token(root)
    if sentence.allows_inversion and subject is not None and verb is not None and verb < subject:
        return [*sentence.subtree(subject)]
    head = span.anchor if span.anchor is not None else find_conjunct(sentence, span.end - 1) or root
    if stop > root or sentence.is_finite(head):
        return [*range(min(stop, root))]
    before = range(stop, root)
    return [
        *range(stop),
        *(
            i
            for i in before
            if i in sentence.auxiliaries(root) and not is_listed(sentence, i, "negations")
        ),
    ]
