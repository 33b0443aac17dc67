"""Apply the rules of DiscoFuse, in order, to a sentence or to two neighbouring sentences."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from bitext_pivot.discourse.connectives import word_lists, word_set
from bitext_pivot.discourse.coreference import CoreferenceResolver, resolve_persons
from bitext_pivot.discourse.fusion import (
    anaphora,
    apposition,
    cataphora,
    discourse_connective,
    forward_connective,
    inner_connective,
    relative_clause,
    sentence_coordination,
    strict,
    verb_coordination,
)
from bitext_pivot.discourse.fusion.fusion_rule import (
    FusionRule,
    RuleSpan,
    SentencePieces,
    content_end,
    finish_sentence,
)
from bitext_pivot.syntax.dependency_tree import DependencyTree

Profile = Literal["strict", "faithful"]
VERSION = 9
"""Identifies the rules in cached shards of pairs. Raise it when a rule gives other pairs, but not when word lists
change, because these have a digest."""
RULES: Mapping[str, FusionRule] = {
    "SINGLE_RELATIVE": relative_clause,
    "SINGLE_CONN_INNER": inner_connective,
    "SINGLE_CONN_START": forward_connective,
    "SINGLE_CATAPHORA": cataphora,
    "SINGLE_APPOSITION": apposition,
    "SINGLE_S_COORD": sentence_coordination,
    "SINGLE_VP_COORD": verb_coordination,
}
"""The rules for one sentence, by DiscoFuse label. The first rule that matches gives the label; the released data does
not contradict this order."""
_WITH_ANAPHORA = frozenset({"SINGLE_CONN_INNER", "SINGLE_S_COORD"})
_PAIRS = {
    (False, False): "PAIR_NONE", (False, True): "PAIR_ANAPHORA",
    (True, False): "PAIR_CONN", (True, True): "PAIR_CONN_ANAPHORA",
}  # fmt: skip
"""DiscoFuse label of two neighbouring sentences, given whether there is a connective, and whether a pronoun was
resolved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnfusedSentences:
    """Two tokenised sentences, derived from a text by removing its discourse phenomenon."""

    discourse_type: str
    """One of DiscoFuse's 13 labels for discourse phenomena, such as `SINGLE_RELATIVE`."""
    first: str
    second: str
    connective: str
    """The connective between the two sentences, in lower case; empty if there is none."""
    has_pronoun: bool
    """True if a pronoun of the text was replaced by a noun phrase."""
    rejected_by: str | None
    """Why the profile `strict` rejects the two sentences, or None; always None with the profile `faithful`."""


def _match_confirmed(sentence: DependencyTree, kind: str, rule: FusionRule) -> RuleSpan | None:
    """Return the span that a rule matches in a sentence, or None.

    `kind` is the label of the rule, which some languages lack. In others (`is_confirmed` in the word lists), the parse
    must confirm the match.
    """
    span = rule.match(sentence) if kind in word_set(sentence.language, "rules") else None
    return (
        None
        if span and span.anchor is None and word_lists(sentence.language)["is_confirmed"]
        else span
    )


def unfuse_sentence(
    sentence: DependencyTree,
    profile: Profile = "strict",
    resolve: CoreferenceResolver = resolve_persons,
) -> UnfusedSentences | None:
    """Return the two sentences that the first matching rule derives from one sentence, or None."""
    for name, rule in RULES.items():
        if span := _match_confirmed(sentence, name, rule):
            parts = rule.unfuse(sentence, span)
            rejected_by = (
                strict.rejection_reason(name, sentence, span, parts)
                if profile == "strict"
                else None
            )
            is_copular = (
                profile == "faithful"
                and name == "SINGLE_VP_COORD"
                and verb_coordination.is_copular(sentence, span)
            )
            kind = "SINGLE_S_COORD" if is_copular else name  # as labelled in the released rows
            mention = (
                anaphora.match(sentence, sentence, parts, resolve)
                if kind in _WITH_ANAPHORA
                else None
            )
            if mention:
                parts = anaphora.unfuse(sentence, parts, mention)
            return UnfusedSentences(
                discourse_type=f"{kind}_ANAPHORA" if mention else kind,
                first=" ".join(finish_sentence(sentence, parts.first)),
                second=" ".join(finish_sentence(sentence, parts.second)),
                connective=parts.connective,
                has_pronoun=mention is not None,
                rejected_by=rejected_by,
            )
    return None


def unfuse_pair(
    a: DependencyTree,
    b: DependencyTree,
    profile: Profile = "strict",
    resolve: CoreferenceResolver = resolve_persons,
) -> UnfusedSentences:
    """Return two neighbouring sentences without the connective, and with a pronoun resolved.

    `a` and `b` are their parses. Without connective or pronoun, the sentences stay as they are (`PAIR_NONE`).
    """
    span = _match_confirmed(b, "PAIR_CONN", discourse_connective)
    parts = (
        discourse_connective.unfuse(b, span)
        if span
        else SentencePieces([], [*range(content_end(b))])
    )
    rejected_by = (
        strict.rejection_reason("PAIR_CONN", b, span, parts)
        if span and profile == "strict"
        else None
    )
    parts = parts._replace(first=[*range(content_end(a))])
    mention = anaphora.match(a, b, parts, resolve)
    if mention:
        parts = anaphora.unfuse(b, parts, mention)
    second = finish_sentence(b, parts.second) if span or mention else b.tokens
    return UnfusedSentences(
        discourse_type=_PAIRS[span is not None, mention is not None],
        first=" ".join(a.tokens),
        second=" ".join(second),
        connective=parts.connective,
        has_pronoun=mention is not None,
        rejected_by=rejected_by,
    )
