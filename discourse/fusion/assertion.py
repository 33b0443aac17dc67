"""Detect sentences that fusion rules derive from a text although the text does not assert them as facts.

Examples are the clause after `unless`, one of two alternatives, and a part of reported speech.
"""

from bitext_pivot.discourse.connectives import find_phrases, word_set
from bitext_pivot.discourse.fusion.fusion_rule import (
    ConfirmedMatch,
    Piece,
    SentencePieces,
    is_listed,
    token_indices,
)
from bitext_pivot.syntax.dependency_tree import DependencyTree

_SPEAKERS = frozenset({"i", "we"})


def depends_on_connective(
    sentence: DependencyTree, _span: ConfirmedMatch, parts: SentencePieces
) -> bool:
    """Return True if a derived sentence need not be true without the connective.

    The connective expresses a condition, a purpose, an alternative or a negation.
    """
    return parts.connective.strip(" ,") in word_set(sentence.language, "no_fact")


def repeats_connective(
    sentence: DependencyTree, span: ConfirmedMatch, _parts: SentencePieces
) -> bool:
    """Return True if the second clause repeats the connective: `because A and because B`.

    Only one of the two reasons would remain.
    """
    return sentence.words[span.end - 1] in sentence.words[span.end :]


def has_half_correlative(
    sentence: DependencyTree, span: ConfirmedMatch, parts: SentencePieces
) -> bool:
    """Return True if the first sentence has `not only` without the `but` that belongs to it."""
    before = [sentence.words[i] for i in token_indices(parts.first) if i < span.start]
    return any(find_phrases(before, sentence.language, "correlative"))


def has_unfinished_list(
    sentence: DependencyTree, _span: ConfirmedMatch, parts: SentencePieces
) -> bool:
    """Return True if a list in the first sentence lacks its final `and`, as in `We came , saw`."""
    before = set(token_indices(parts.first))
    return any(
        sentence.has_relation(i, "conjunct")
        and sentence.coordinator(i) is None
        and all(sentence.coordinator(j) is None for j in _later_conjuncts(sentence, i) & before)
        for i in before
    )


def _later_conjuncts(sentence: DependencyTree, i: int) -> set[int]:
    """Return the members of a coordinated list that follow its member `i`."""
    above = sentence.first_conjunct(i)
    return {
        *sentence.conjuncts(i),
        *(j for j in sentence.conjuncts(i if above is None else above) if j > i),
    }


def may_be_reported(sentence: DependencyTree, span: ConfirmedMatch, _parts: SentencePieces) -> bool:
    """Return True if both clauses may be reported speech, as in `They say that A because B`.

    A parser cannot tell whether the second clause belongs to the reported speech. With `I` and `we` as the subject, the
    speaker asserts both clauses.
    """
    verb = sentence.main_verb
    if verb is None or sentence.words[sentence.subject(verb) or 0] in _SPEAKERS:
        return False
    return any(
        i < span.start and sentence.is_finite(i)
        for i in sentence.dependents(verb, "clausal_complement")
    )


def may_continue_inner_clause(
    sentence: DependencyTree, span: ConfirmedMatch, _parts: SentencePieces
) -> bool:
    """Return True if another finite clause lies between the main verb and the coordinator.

    The second verb may then be coordinated with the verb of that clause and not with the main verb.
    """
    main = sentence.main_verb
    if main is None:
        return False
    own = {main, *sentence.auxiliaries(main)}
    return any(sentence.finite_token(i) == i and i not in own for i in range(main, span.start))


def lacks_main_verb(sentence: DependencyTree, _span: ConfirmedMatch, parts: SentencePieces) -> bool:
    """Return True if a derived sentence is only a relative clause or another subordinate clause.

    Verbs are counted token by token and not by the structure of the parse, because parsers often err if a clause is
    coordinated with a subordinate clause.
    """
    return any(_lacks_main_verb(sentence, part) for part in (parts.first, parts.second))


def _lacks_main_verb(sentence: DependencyTree, part: list[Piece]) -> bool:
    tokens = [i for i in token_indices(part) if not sentence.is_punctuation(i)]
    opening = next((i for i in tokens if sentence.pos[i] != "CCONJ"), None)
    if opening is None or not _opens_subordinate_clause(sentence, opening):
        return False
    verbs = [i for i in tokens if sentence.finite_token(i) == i]
    comma = next(
        (i for i in range(opening + 2, len(sentence)) if sentence.tokens[i] == ","),
        len(sentence),
    )
    if sentence.pos[opening] == "SCONJ" and not any(i < comma for i in verbs):
        return False  # not a clause but a phrase such as `As a rule , ...`
    is_relative = is_listed(sentence, opening, "relative")
    clauses = sum(
        _opens_subordinate_clause(sentence, i) and sentence.is_finite(sentence.parse.heads[i])
        for i in tokens
    )
    return is_relative or len(verbs) <= clauses


def _opens_subordinate_clause(sentence: DependencyTree, i: int) -> bool:
    return sentence.pos[i] == "SCONJ" or sentence.is_wh(i)
