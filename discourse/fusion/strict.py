"""Checks of the profile `strict`, one for each known fault of the released DiscoFuse data.

The faults are described in DiscoFuse, section 4.2, Tables 3 and 4.
"""

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

from bitext_pivot.discourse.connectives import phrase_length_at, word_lists, word_set
from bitext_pivot.discourse.fusion import agreement, assertion, noun_phrases
from bitext_pivot.discourse.fusion.fusion_rule import (
    ConfirmedMatch,
    Piece,
    RuleSpan,
    SentencePieces,
    finish_sentence,
    is_listed,
    token_indices,
)
from bitext_pivot.syntax.dependency_tree import DependencyTree
from bitext_pivot.syntax.tagsets import Relation

_OPEN_ENDS = frozenset({"ADP", "AUX", "CCONJ", "DET", "SCONJ"})
_SIDE_BY_SIDE: tuple[Relation, ...] = ("conjunct", "parataxis")
_NOT_ADVERBIAL = frozenset(
    {"according", "barring", "considering", "concerning", "depending", "during", "excluding", "failing", "following",
     "including", "notwithstanding", "pending", "regarding"}
)  # fmt: skip
_COORDINATION = ("SINGLE_S_COORD", "SINGLE_VP_COORD")
_NOUN_PHRASE = ("SINGLE_RELATIVE", "SINGLE_APPOSITION")
_OBJECTS: tuple[Relation, ...] = ("object", "clausal_complement")
_NOUNS = frozenset({"NOUN", "PROPN", "PRON", "SCONJ"})
_ATTRIBUTES = frozenset({"ADJ", "ADP", "NOUN", "PROPN", "NUM"})
_SUPPLYING_RULES = frozenset(
    {"SINGLE_RELATIVE", "SINGLE_APPOSITION", "SINGLE_CATAPHORA", "SINGLE_VP_COORD"}
)
"""Rules that add the subject or verb of one derived sentence, so that only the other sentence is checked for them."""


def rejection_reason(
    kind: str, sentence: DependencyTree, span: RuleSpan, parts: SentencePieces
) -> str | None:
    """Return why the two sentences derived by the rule labelled `kind` are rejected, or None."""
    if "?" in sentence.tokens:
        return "question"
    if span.anchor is None:
        return "not confirmed by the parse"
    match = ConfirmedMatch(kind, span.start, span.end, span.anchor)
    for name, kinds, is_bad in _CHECKS:
        if (not kinds or kind in kinds) and is_bad(sentence, match, parts):
            return name
    return None


def _lacks_clause(sentence: DependencyTree, span: ConfirmedMatch, parts: SentencePieces) -> bool:
    checked = [parts.second] if span.kind in {"SINGLE_CATAPHORA", "PAIR_CONN"} else [parts.first]
    if span.kind not in _SUPPLYING_RULES | {"PAIR_CONN"}:
        checked = [parts.first, parts.second]
    may_drop = sentence.allows_dropped_subjects and span.kind not in _COORDINATION
    return not all(
        has_clause(sentence, pieces) or (may_drop and _has_verb(sentence, span, pieces))
        for pieces in checked
    )


def _has_verb(sentence: DependencyTree, span: ConfirmedMatch, pieces: Sequence[Piece]) -> bool:
    """Return True if a derived sentence contains the main verb, or the verb of the anchor.

    A language that drops subject pronouns needs no subject. The anchor is the head to which the matched tokens attach.
    """
    heads = [i for i in (sentence.main_verb, span.anchor) if i is not None and i in pieces]
    return any(
        sentence.finite_token(i) in pieces and sentence.marker(i) not in pieces for i in heads
    )


def has_clause(sentence: DependencyTree, pieces: Sequence[Piece]) -> bool:
    """Return True if a derived sentence contains a main clause with its subject and finite verb."""
    present = token_indices(pieces)
    return any(_is_complete_clause(sentence, i, present) for i in present)


def _is_complete_clause(sentence: DependencyTree, i: int, present: Collection[int]) -> bool:
    if (
        sentence.subject(i) not in present
        or sentence.finite_token(i) not in present
        or sentence.marker(i) in present
    ):
        return False
    return not any(
        sentence.is_wh(child) for child in sentence.children(i) if child < i and child in present
    )


def _is_subordinate(sentence: DependencyTree, span: ConfirmedMatch, parts: SentencePieces) -> bool:
    """Return True if the second clause is subordinate or coordinated with a subordinate clause.

    Such a clause is not a sentence on its own.
    """
    heads = [span.anchor, *sentence.ancestors(span.anchor)]
    is_main = all(any(sentence.has_relation(i, name) for name in _SIDE_BY_SIDE) for i in heads[:-1])
    return not is_main or not _is_complete_clause(
        sentence, span.anchor, token_indices(parts.second)
    )


def _clause_continues_after_comma(
    sentence: DependencyTree, span: ConfirmedMatch, _parts: SentencePieces
) -> bool:
    """Return True if the clause of a forward connective continues after its comma.

    This includes two coordinated clauses: `Since A(,) and since B , C`.
    """
    joined = (i + 1 for i in range(span.start, span.end) if sentence.pos[i] == "CCONJ")
    is_joined = any(
        phrase_length_at(sentence.words, i, sentence.language, "forward") for i in joined
    )
    behind = [i for i in range(span.end + 1, len(sentence)) if not sentence.is_punctuation(i)]
    goes_on = any(
        span.start <= sentence.parse.heads[i] < span.end and not sentence.is_finite(i)
        for i in behind
    )
    return (
        is_joined
        or goes_on
        or not {"CCONJ", "SCONJ"}.isdisjoint(sentence.pos[i] for i in behind[:1])
    )


def _opens_other_clause(
    sentence: DependencyTree, span: ConfirmedMatch, _parts: SentencePieces
) -> bool:
    """Return True if `that`, a colon or a dash precedes the connective: `it is clear : unless`.

    The clause after the connective then belongs to a main clause that follows.
    """
    before = span.start - (sentence.tokens[span.start - 1] == ",")
    return sentence.words[before - 1] in {":", ";", "-", "–", "that"}


def _has_inverted_order(
    sentence: DependencyTree, span: ConfirmedMatch, _parts: SentencePieces
) -> bool:
    """Return True if the verb of the second main clause precedes its subject.

    Such a clause lacks the words that it shares with the first clause, which precede the verb.
    """
    if word_lists(sentence.language)["is_verb_second"]:
        return sentence.pos[span.end] in {"VERB", "AUX"}
    subject, verb = sentence.subject(span.anchor), sentence.finite_token(span.anchor)
    return (
        not sentence.allows_inversion
        and subject is not None
        and verb is not None
        and verb < subject
    )


def _shares_more_than_subject(
    sentence: DependencyTree, span: ConfirmedMatch, parts: SentencePieces
) -> bool:
    """Return True if two coordinated verbs share more than a subject, or may have two subjects.

    They may share an object after the second verb, or words that are not repeated. A noun between the coordinator and
    the second verb may be its subject.
    """
    verb = sentence.main_verb
    if verb is None:
        return False
    repeated = [i for i in token_indices(parts.second) if i < span.start]
    has_verb = any(sentence.finite_token(i) == i for i in repeated)
    group = min((verb, *sentence.auxiliaries(verb)))
    left = (sentence.pos[i] for i in range(max(repeated, default=group) + 1, group))
    behind = range(span.end, sentence.finite_token(span.anchor) or span.anchor)
    right = [sentence.pos[i] for i in behind if not is_listed(sentence, i, "clitics")]
    has_object = [
        any(sentence.dependents(i, name) for name in _OBJECTS) for i in (verb, span.anchor)
    ]
    is_bare = verb == span.start - 1 and has_object == [False, True]
    return has_verb or is_bare or not _ATTRIBUTES.isdisjoint(left) or not _NOUNS.isdisjoint(right)


def _cuts_elision(sentence: DependencyTree, _span: ConfirmedMatch, parts: SentencePieces) -> bool:
    """Return True if an elided word such as `l'` precedes another word than in the text."""
    elisions = tuple(word_set(sentence.language, "elision"))
    after = [(a, b) for part in parts[:2] for a, b in pairwise(part)]
    return any(
        isinstance(a, int) and sentence.tokens[a].endswith(elisions) and b != a + 1
        for a, b in after
    )


def _ends_with_dependent_word(
    sentence: DependencyTree, span: ConfirmedMatch, parts: SentencePieces
) -> bool:
    """Return True if a derived sentence ends with a word that needs another, like a preposition."""
    lasts = [
        next((i for i in reversed(token_indices(part)) if not sentence.is_punctuation(i)), None)
        for part in parts[:2]
    ]
    last = lasts[0] if lasts[0] == span.start - 1 and sentence.pos[lasts[0]] == "ADV" else None
    depends = last is not None and span.end <= sentence.parse.heads[last]  # `apparently because`
    return depends or any(i is not None and _is_dependent_word(sentence, i) for i in lasts)


def _is_dependent_word(sentence: DependencyTree, i: int) -> bool:
    # a verb particle may end a sentence, as in German `fiel ... um`
    is_particle = sentence.parse.deps[i] in word_set(sentence.language, "particles")
    is_open = sentence.pos[i] in _OPEN_ENDS and not is_particle
    return is_open or is_listed(sentence, i, "focus")


def _is_unbalanced(sentence: DependencyTree, _span: ConfirmedMatch, parts: SentencePieces) -> bool:
    return any(
        _has_unbalanced_marks(finish_sentence(sentence, part), sentence.language)
        or _count_dashes(sentence, part) % 2
        for part in (parts.first, parts.second)
    )


def _count_dashes(sentence: DependencyTree, pieces: Sequence[Piece]) -> int:
    """Return the number of dashes in a derived sentence, or 0 if the text has an odd number.

    A dash has a space before it, unlike a hyphen.
    """
    starts, tokens = sentence.parse.starts, sentence.tokens
    inner = range(1, len(sentence) - 1)
    spaced = [
        i
        for i in inner
        if tokens[i] in noun_phrases.DASHES and starts[i - 1] + len(tokens[i - 1]) < starts[i]
    ]
    return 0 if len(spaced) % 2 else sum(i in spaced for i in token_indices(pieces))


def _has_unbalanced_marks(tokens: list[str], language: str) -> bool:
    quotes = tokens.count('"') + tokens.count("''") + tokens.count("``")
    doubled = any(a == b == "," for a, b in pairwise(tokens))
    return (
        bool(quotes % 2)
        or doubled
        or any(tokens.count(a) != tokens.count(b) for a, b in word_lists(language)["brackets"])
    )


def _shares_negation(
    sentence: DependencyTree, span: ConfirmedMatch, _parts: SentencePieces
) -> bool:
    is_negated = any(is_listed(sentence, i, "negations") for i in range(span.start))
    return is_negated and not sentence.is_finite(span.anchor)


def _is_not_action_of_subject(
    sentence: DependencyTree, span: ConfirmedMatch, _parts: SentencePieces
) -> bool:
    has_no_agent = sentence.words[span.end + 1] in {"it", "there"}  # not a subject that acts
    # `Waiting , they say , is no option`
    is_aside = sentence.tokens[span.end + 3 : span.end + 4] == (",",)
    return has_no_agent or is_aside or sentence.words[0] in _NOT_ADVERBIAL


_CHECKS: Sequence[
    tuple[str, Sequence[str], Callable[[DependencyTree, ConfirmedMatch, SentencePieces], bool]]
] = (
    ("no fact without its connective", (), assertion.depends_on_connective),
    ("half of a connective", ["SINGLE_CONN_INNER"], assertion.repeats_connective),
    ("half of a connective", (), assertion.has_half_correlative),
    ("no action of the subject", ["SINGLE_CATAPHORA"], _is_not_action_of_subject),
    ("relative pronoun is no subject", ["SINGLE_RELATIVE"], noun_phrases.is_not_subject_relative),
    ("shared negation", ["SINGLE_VP_COORD"], _shares_negation),
    ("clause before its main clause", ["SINGLE_CONN_START"], _clause_continues_after_comma),
    ("clause before its main clause", ["SINGLE_CONN_INNER"], _opens_other_clause),
    ("unclear borders", ["SINGLE_RELATIVE"], noun_phrases.relative_clause_has_wrong_borders),
    ("unclear borders", ["SINGLE_APPOSITION"], noun_phrases.apposition_has_wrong_borders),
    ("not between subject and verb", _NOUN_PHRASE, noun_phrases.is_not_between_subject_and_verb),
    ("no agreement", ["SINGLE_RELATIVE"], agreement.relative_clause_disagrees),
    ("no agreement", ["SINGLE_S_COORD"], agreement.coordinated_clause_disagrees),
    ("no agreement", ["SINGLE_VP_COORD"], agreement.coordinated_verbs_disagree),
    ("no agreement", ["SINGLE_APPOSITION"], noun_phrases.differs_in_number),
    ("word order", ["SINGLE_S_COORD"], _has_inverted_order),
    ("shared words", ["SINGLE_VP_COORD"], _shares_more_than_subject),
    ("enumeration or address", _NOUN_PHRASE, noun_phrases.repeats_unclear_noun_phrase),
    ("enumeration or address", _COORDINATION, assertion.has_unfinished_list),
    ("subordinate clauses", ["SINGLE_S_COORD"], _is_subordinate),
    ("reported", ["SINGLE_CONN_INNER"], assertion.may_be_reported),
    ("clause between the verbs", ["SINGLE_VP_COORD"], assertion.may_continue_inner_clause),
    ("no clause", (), _lacks_clause),
    ("no clause", (), assertion.lacks_main_verb),
    ("open end", (), _ends_with_dependent_word),
    ("elision", (), _cuts_elision),
    ("unbalanced punctuation", (), _is_unbalanced),
)
"""Each check: the reason for a rejection, the labels of the rules whose results are checked (empty for all rules), and
the function that returns True to reject."""
