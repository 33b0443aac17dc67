"""Checks of relative clauses and appositions in the profile `strict`: where they end, and which noun they modify."""

from bitext_pivot.discourse.fusion.apposition import apposition_head
from bitext_pivot.discourse.fusion.fusion_rule import (
    NOMINAL_POS,
    PLURAL_TAGS,
    ConfirmedMatch,
    SentencePieces,
    is_listed,
    token_indices,
)
from bitext_pivot.discourse.fusion.relative_clause import clause_verb, is_possessive
from bitext_pivot.syntax.dependency_tree import DependencyTree

DASHES = frozenset({"-", "--", "–", "—"})
_VERB_GROUP = frozenset({"VERB", "AUX", "ADV", "PART"})


def is_not_subject_relative(
    sentence: DependencyTree, span: ConfirmedMatch, _parts: SentencePieces
) -> bool:
    """Return True if a relative pronoun is not the subject of its clause, except `whose`."""
    pronoun = span.start
    if is_possessive(sentence, pronoun):
        return False
    verb = next((i for i in range(pronoun, span.end) if sentence.finite_token(i) == i), pronoun)
    # `which they say is open`
    has_other_subject = any(sentence.has_relation(i, "subject") for i in range(pronoun + 1, verb))
    return has_other_subject or not sentence.has_relation(pronoun, "subject")


def relative_clause_has_wrong_borders(
    sentence: DependencyTree, span: ConfirmedMatch, _parts: SentencePieces
) -> bool:
    """Return True if the parse or the verbs show that a relative clause ends elsewhere.

    The rule takes the closing comma for its end.
    """
    inside, tokens = range(span.start, span.end), sentence.tokens
    is_verb_behind_comma = any(
        tokens[i] == "," and sentence.finite_token(i + 1) == i + 1 for i in inside
    )
    is_joined = any(is_listed(sentence, i, "relative") for i in inside[1:])
    is_late = tokens[span.start + 1] == "," or is_verb_behind_comma or is_joined
    return is_late or not _ends_with(sentence, span, clause_verb(sentence, span.start))


def apposition_has_wrong_borders(
    sentence: DependencyTree, span: ConfirmedMatch, _parts: SentencePieces
) -> bool:
    """Return True if an apposition does not end at its closing comma, or belongs to a list."""
    is_in_list = span.end + 1 < len(sentence) and sentence.pos[span.end + 1] == "CCONJ"
    head = apposition_head(sentence, range(span.start, span.end))
    return is_in_list or not _ends_with(sentence, span, head)


def _ends_with(sentence: DependencyTree, span: ConfirmedMatch, head: int | None) -> bool:
    """Return True if the subtree of `head` ends with the span, or with the comma after the span."""
    return head is not None and sentence.subtree(head)[-1] in {span.end - 1, span.end}


def is_not_between_subject_and_verb(
    sentence: DependencyTree, span: ConfirmedMatch, _parts: SentencePieces
) -> bool:
    """Return True unless the relative clause or apposition lies between a subject and its verb.

    In other places, such as an enumeration or the end of a sentence, parsers often mistake where it ends or which noun
    it modifies.
    """
    verb = sentence.head(span.anchor) if sentence.has_relation(span.anchor, "subject") else None
    if verb is None or verb <= span.end:
        return True
    after = span.end + 1
    return sentence.pos[after] not in _VERB_GROUP and not is_listed(sentence, after, "clitics")


def repeats_unclear_noun_phrase(
    sentence: DependencyTree, span: ConfirmedMatch, parts: SentencePieces
) -> bool:
    """Return True if it is unclear which noun phrase the derived sentence must repeat.

    This is the case if the phrase has a comma, a dash, a verb or two nouns, or follows another phrase: it may be part
    of an enumeration or an address, or a clause that the parser took for the subject. If there are two nouns, as in
    `the office of the mayor , who`, parsers often choose the wrong one.
    """
    repeated = [i for i in token_indices(parts.second) if i < span.start]
    start = min(repeated, default=0)
    follows_another = (
        start > 0 and sentence.tokens[start - 1] == "," and sentence.pos[0] in NOMINAL_POS
    )
    phrase = range(max(start - 1, 0), span.start - 1)
    has_mark = not DASHES.isdisjoint(sentence.tokens[phrase.start : phrase.stop])
    has_more = any(sentence.tokens[i] == "," or sentence.is_verb(i) for i in phrase[start > 0 :])
    is_focused = is_listed(sentence, start, "focus")  # `Even China , which ...`
    return (
        follows_another or is_focused or has_mark or has_more or _follows_other_noun(sentence, span)
    )


def _follows_other_noun(sentence: DependencyTree, span: ConfirmedMatch) -> bool:
    last = span.start - 2
    has_preposition = any(sentence.has_relation(i, "adposition") for i in sentence.children(last))
    return last != span.anchor and (sentence.head(last) != span.anchor or has_preposition)


def differs_in_number(
    sentence: DependencyTree, span: ConfirmedMatch, _parts: SentencePieces
) -> bool:
    """Return True if an apposition is plural and its noun singular, or the other way round.

    For English only.
    """
    head = apposition_head(sentence, range(span.start, span.end))
    if head is None:
        return False
    return (sentence.tags[head] in PLURAL_TAGS) != (sentence.tags[span.anchor] in PLURAL_TAGS)
