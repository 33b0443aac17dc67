"""Checks of the profile `strict` on relative clauses and appositions: where they end, and what their noun phrase is."""

from bitext_pivot.discourse.connectives import words as listed
from bitext_pivot.discourse.fusion.base import NOMINAL, Parts, Span
from bitext_pivot.discourse.fusion.relative_clause import is_possessive
from bitext_pivot.syntax.grammar import Grammar

KINDS = frozenset({"SINGLE_RELATIVE", "SINGLE_APPOSITION"})
_DASHES = frozenset({"-", "--", "–", "—"})
_PLURAL = frozenset({"NNS", "NNPS"})
_VERB_GROUP = frozenset({"VERB", "AUX", "ADV", "PART"})


def relates_to_no_subject(kind: str, sentence: Grammar, span: Span, _parts: Parts) -> bool:
    """Return True if the relative pronoun is no subject, and no possessive."""
    pronoun = span.start
    if kind != "SINGLE_RELATIVE" or is_possessive(sentence, pronoun):
        return False
    verb = next((i for i in range(pronoun, span.end) if sentence.finite_token(i) == i), pronoun)
    has_other = any(
        sentence.has_relation(i, "subject") for i in range(pronoun + 1, verb)
    )  # `which they say is open`
    return has_other or not sentence.has_relation(pronoun, "subject")


def has_wrong_borders(kind: str, sentence: Grammar, span: Span, _parts: Parts) -> bool:
    """Return True if a relative clause or apposition does not end at its closing comma, by the parse and its verbs."""
    inside, tokens = range(span.start, span.end), sentence.tokens
    if kind == "SINGLE_APPOSITION":
        head = _apposition(sentence, span)
        is_listed = span.end + 1 < len(sentence) and sentence.pos[span.end + 1] == "CCONJ"
        return (
            is_listed or head is None or sentence.subtree(head)[-1] not in {span.end - 1, span.end}
        )
    if kind != "SINGLE_RELATIVE":
        return False
    verb = next((i for i in sentence.ancestors(span.start) if sentence.is_relative_clause(i)), None)
    is_verb_behind_comma = any(
        tokens[i] == "," and sentence.finite_token(i + 1) == i + 1 for i in inside
    )
    is_joined = any(sentence.words[i] in listed(sentence.language, "relative") for i in inside[1:])
    is_late = tokens[span.start + 1] == "," or is_verb_behind_comma or is_joined
    return is_late or verb is None or sentence.subtree(verb)[-1] not in {span.end - 1, span.end}


def _apposition(sentence: Grammar, span: Span) -> int | None:
    return next(
        (i for i in range(span.start, span.end) if sentence.has_relation(i, "apposition")), None
    )


def is_not_between(kind: str, sentence: Grammar, span: Span, _parts: Parts) -> bool:
    """Return True unless the clause or apposition is between a whole subject and its verb.

    Elsewhere its end and its noun are often wrong: in an enumeration, or at the end of a sentence.
    """
    if kind not in KINDS or span.anchor is None:
        return False
    verb = sentence.head(span.anchor) if sentence.has_relation(span.anchor, "subject") else None
    if verb is None or verb <= span.end:
        return True
    after = span.end + 1
    return sentence.pos[after] not in _VERB_GROUP and sentence.words[after] not in listed(
        sentence.language, "clitics"
    )


def names_more(kind: str, sentence: Grammar, span: Span, parts: Parts) -> bool:
    """Return True if the noun phrase that is repeated has a comma, a dash, a verb or two nouns, or follows a phrase.

    Then it is part of an enumeration, an address, or a clause that the parse took for the subject. Of two nouns, `the
    office of the mayor , who`, parsers often take the wrong one.
    """
    if kind not in KINDS:
        return False
    repeated = [piece for piece in parts.second if isinstance(piece, int) and piece < span.start]
    start = min(repeated, default=0)
    follows_another = start > 0 and sentence.tokens[start - 1] == "," and sentence.pos[0] in NOMINAL
    phrase = range(max(start - 1, 0), span.start - 1)
    has_mark = not _DASHES.isdisjoint(sentence.tokens[phrase.start : phrase.stop])
    has_more = any(sentence.tokens[i] == "," or sentence.is_verb(i) for i in phrase[start > 0 :])
    is_focused = sentence.words[start] in listed(
        sentence.language, "focus"
    )  # `Even China , which ...`
    return (
        follows_another or is_focused or has_mark or has_more or _follows_other_noun(sentence, span)
    )


def _follows_other_noun(sentence: Grammar, span: Span) -> bool:
    last = span.start - 2
    has_preposition = any(sentence.has_relation(i, "adposition") for i in sentence.children(last))
    return last != span.anchor and (sentence.head(last) != span.anchor or has_preposition)


def is_other_in_number(kind: str, sentence: Grammar, span: Span, _parts: Parts) -> bool:
    """Return True if an apposition is singular and its noun plural, or the other way round (English)."""
    head = _apposition(sentence, span) if kind == "SINGLE_APPOSITION" else None
    if head is None or span.anchor is None:
        return False
    return (sentence.tags[head] in _PLURAL) != (sentence.tags[span.anchor] in _PLURAL)
