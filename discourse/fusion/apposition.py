"""Apposition between commas (`The frigidarium , the last stop in the bathhouse , was cool .`)."""

from itertools import pairwise

from bitext_pivot.discourse.fusion.fusion_rule import (
    PLURAL_TAGS,
    RuleSpan,
    SentencePieces,
    comma_indices,
    content_end,
    is_listed,
)
from bitext_pivot.discourse.fusion.relative_clause import antecedent
from bitext_pivot.syntax.dependency_tree import DependencyTree

_NOUNS = frozenset({"NOUN", "PROPN"})


def match(sentence: DependencyTree) -> RuleSpan | None:
    """Return the span of a noun phrase that has a determiner and is enclosed by commas, or None.

    The anchor is the noun before the first comma.
    """
    places = comma_indices(sentence, 1)
    for i, j in pairwise(places):
        inside = range(i + 1, j)
        if (
            not inside
            or not _is_determined(sentence, i + 1, j)
            or sentence.pos[i - 1] not in _NOUNS | {"PUNCT", "NUM"}
        ):
            continue
        head = next(
            (
                sentence.head(k)
                for k in inside
                if sentence.has_relation(k, "apposition") and _precedes(sentence.head(k), i)
            ),
            None,
        )
        is_listed = j + 1 < len(sentence) and sentence.pos[j + 1] in {"CCONJ", "DET"}
        if head is not None or not (is_listed or any(map(sentence.is_verb, inside))):
            return RuleSpan(i + 1, j, head)
    return None


def _precedes(head: int | None, i: int) -> bool:
    return head is not None and head < i


def _is_determined(sentence: DependencyTree, i: int, j: int) -> bool:
    return is_listed(sentence, i, "determiners") or "'s" in sentence.tokens[i + 1 : min(i + 3, j)]


def unfuse(sentence: DependencyTree, span: RuleSpan) -> SentencePieces:
    """Return two sentences: the sentence without the apposition, and `NP is APPOSITION`.

    The verb is in the present tense, as in the released data of DiscoFuse.
    """
    main = [*range(span.start - 1), *range(span.end + 1, content_end(sentence))]
    inside = range(span.start, span.end)
    head = apposition_head(sentence, inside)
    be = "are" if head is not None and sentence.tags[head] in PLURAL_TAGS else "is"
    return SentencePieces([*main], [*antecedent(sentence, span, span.start - 2), be, *inside])


def apposition_head(sentence: DependencyTree, inside: range) -> int | None:
    """Return the token among `inside` that is the head of an apposition, or None."""
    return next((i for i in inside if sentence.has_relation(i, "apposition")), None)
