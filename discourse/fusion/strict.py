"""Checks of the profile `strict`, one per known fault of the released data (DiscoFuse, section 4.2, Tables 3 and 4)."""

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

from bitext_pivot.discourse.connectives import phrase_at, table
from bitext_pivot.discourse.connectives import words as listed
from bitext_pivot.discourse.fusion.agreement import disagrees
from bitext_pivot.discourse.fusion.base import Parts, Piece, Span, words
from bitext_pivot.discourse.fusion.relative_clause import is_possessive
from bitext_pivot.syntax.grammar import Grammar
from bitext_pivot.syntax.tagsets import Relation

_OPEN_ENDS = frozenset({"ADP", "AUX", "CCONJ", "DET", "SCONJ"})
_DASHES = frozenset({"-", "--", "–", "—"})
_SIDE_BY_SIDE: tuple[Relation, ...] = ("conjunct", "parataxis")
_NOT_ADVERBIAL = frozenset(
    {"according", "barring", "considering", "concerning", "depending", "during", "excluding", "failing", "following",
     "including", "notwithstanding", "pending", "regarding"}
)  # fmt: skip
_NOMINAL = frozenset({"SINGLE_RELATIVE", "SINGLE_APPOSITION"})
_COORDINATION = frozenset({"SINGLE_S_COORD", "SINGLE_VP_COORD"})
_ATTRIBUTES = frozenset({"ADJ", "ADP", "NOUN", "PROPN", "NUM"})
_VERB_GROUP = frozenset({"VERB", "AUX", "ADV", "PART"})
_BUILT = frozenset({"SINGLE_RELATIVE", "SINGLE_APPOSITION", "SINGLE_CATAPHORA", "SINGLE_VP_COORD"})
"""Rules that give one of the sentences its subject or verb; only the other one is checked for a clause."""


def reason(kind: str, sentence: Grammar, span: Span, parts: Parts) -> str | None:
    """Return why the two sentences that rule `kind` made must not be used, or None."""
    return next((name for name, is_bad in _CHECKS.items() if is_bad(kind, sentence, span, parts)), None)


def _is_question(_kind: str, sentence: Grammar, _span: Span, _parts: Parts) -> bool:
    return "?" in sentence.parse.tokens


def _is_unconfirmed(_kind: str, _z: Grammar, span: Span, _parts: Parts) -> bool:
    return span.anchor is None


def _lacks_clause(kind: str, sentence: Grammar, span: Span, parts: Parts) -> bool:
    checked = [parts.second] if kind in {"SINGLE_CATAPHORA", "PAIR_CONN"} else [parts.first]
    if kind not in _BUILT | {"PAIR_CONN"}:
        checked = [parts.first, parts.second]
    may_drop = sentence.drops_subjects and kind not in _COORDINATION
    return not all(
        has_clause(sentence, pieces) or (may_drop and _has_verb(sentence, span, pieces)) for pieces in checked
    )


def _has_verb(sentence: Grammar, span: Span, pieces: Sequence[Piece]) -> bool:
    """Return True if the pieces have the main verb or that of the clause, which need no subject in this language."""
    heads = [i for i in (sentence.main_verb, span.anchor) if i is not None and i in pieces]
    return any(sentence.finite_token(i) in pieces and sentence.marker(i) not in pieces for i in heads)


def has_clause(sentence: Grammar, pieces: Sequence[Piece]) -> bool:
    """Return True if the pieces have a finite verb and its subject, and no subordinate or relative clause opens it."""
    present = {piece for piece in pieces if isinstance(piece, int)}
    return any(_is_whole(sentence, i, present) for i in present)


def _is_whole(sentence: Grammar, i: int, present: Collection[int]) -> bool:
    if sentence.subject(i) not in present or sentence.finite_token(i) not in present or sentence.marker(i) in present:
        return False
    return not any(sentence.is_wh(child) for child in sentence.children(i) if child < i and child in present)


def _is_subordinate(kind: str, sentence: Grammar, span: Span, parts: Parts) -> bool:
    """Return True if a coordinated clause is subordinate, or joined to one: it is no sentence by itself."""
    if kind != "SINGLE_S_COORD" or span.anchor is None:
        return False
    heads = [span.anchor, *sentence.ancestors(span.anchor)]
    is_main = all(any(sentence.has_relation(i, name) for name in _SIDE_BY_SIDE) for i in heads[:-1])
    return not is_main or not _is_whole(sentence, span.anchor, {p for p in parts.second if isinstance(p, int)})


def _has_wrong_borders(kind: str, sentence: Grammar, span: Span, _parts: Parts) -> bool:
    """Return True if a relative clause or apposition does not end at its closing comma, by the parse and its verbs."""
    inside, tokens = range(span.start, span.end), sentence.parse.tokens
    if kind == "SINGLE_APPOSITION":
        head = next((i for i in inside if sentence.has_relation(i, "apposition")), None)
        is_listed = span.end + 1 < len(sentence) and sentence.parse.pos[span.end + 1] == "CCONJ"
        return is_listed or head is None or sentence.subtree(head)[-1] not in {span.end - 1, span.end}
    if kind != "SINGLE_RELATIVE":
        return False
    verb = next((i for i in sentence.ancestors(span.start) if sentence.is_relative_clause(i)), None)
    is_verb_behind_comma = any(tokens[i] == "," and sentence.finite_token(i + 1) == i + 1 for i in inside)
    is_late = tokens[span.start + 1] == "," or is_verb_behind_comma
    return is_late or verb is None or sentence.subtree(verb)[-1] not in {span.end - 1, span.end}


def _is_inside(kind: str, sentence: Grammar, span: Span, parts: Parts) -> bool:
    """Return True unless the clause or apposition is between a whole subject and its verb.

    Elsewhere its end and its noun are often wrong: in an enumeration, or at the end of a sentence.
    """
    if kind not in _NOMINAL or span.anchor is None:
        return False
    verb = sentence.head(span.anchor) if sentence.has_relation(span.anchor, "subject") else None
    start = next((piece for piece in parts.second if isinstance(piece, int)), 0)
    is_cut = not _DASHES.isdisjoint(sentence.parse.tokens[max(start - 1, 0) : start + 1])  # `President - in - Office`
    if verb is None or verb <= span.end or is_cut:
        return True
    after = span.end + 1
    return sentence.parse.pos[after] not in _VERB_GROUP and sentence.words[after] not in listed(
        sentence.language, "clitics"
    )


def _opens_subordinate(kind: str, sentence: Grammar, span: Span, _parts: Parts) -> bool:
    """Return True if the clause of an inner connective is before its main clause: `it is clear : unless ...`.

    So is the first of two clauses that a forward connective opens, `Since A(,) and since B , C`.
    """
    if kind == "SINGLE_CONN_START" and table(sentence.language)["is_confirmed"]:
        joined = (i + 1 for i in range(span.start, span.end) if sentence.parse.pos[i] == "CCONJ")
        is_joined = any(phrase_at(sentence.words, i, sentence.language, "forward") for i in joined)
        return is_joined or not {"CCONJ", "SCONJ"}.isdisjoint(sentence.parse.pos[span.end + 1 : span.end + 2])
    before = span.start - (sentence.parse.tokens[span.start - 1] == ",")
    return kind == "SINGLE_CONN_INNER" and sentence.words[before - 1] in {":", ";", "-", "–", "that"}


def _opens_with_verb(kind: str, sentence: Grammar, span: Span, _parts: Parts) -> bool:
    """Return True if a second main clause begins with its verb where that comes second: it shares what is before."""
    is_verb_second = table(sentence.language)["is_verb_second"]
    return kind == "SINGLE_S_COORD" and is_verb_second and sentence.parse.pos[span.end] in {"VERB", "AUX"}


def _shares_more(kind: str, sentence: Grammar, span: Span, parts: Parts) -> bool:
    """Return True if two verbs share more than a subject: an object behind both, or words that are not repeated."""
    verb = sentence.main_verb
    if kind != "SINGLE_VP_COORD" or verb is None or not table(sentence.language)["is_confirmed"]:
        return False
    repeated = [piece for piece in parts.second if isinstance(piece, int) and piece < span.start]
    has_verb = any(sentence.finite_token(i) == i for i in repeated)
    group = min((verb, *sentence.auxiliaries(verb)))
    left = (sentence.parse.pos[i] for i in range(max(repeated, default=group) + 1, group))
    is_bare = verb == span.start - 1 and not sentence.related(verb, "object")
    return has_verb or is_bare or sentence.parse.pos[span.end] == "SCONJ" or not _ATTRIBUTES.isdisjoint(left)


def _cuts_elision(_kind: str, sentence: Grammar, _span: Span, parts: Parts) -> bool:
    """Return True if an elided word (`l'`) gets another next word."""
    elisions = tuple(listed(sentence.language, "elision"))
    after = [(a, b) for side in parts[:2] for a, b in pairwise(side)]
    return any(isinstance(a, int) and sentence.parse.tokens[a].endswith(elisions) and b != a + 1 for a, b in after)


def _names_several(kind: str, sentence: Grammar, span: Span, parts: Parts) -> bool:
    """Return True if the noun phrase that is repeated has a comma: an enumeration or an address."""
    is_copied = kind in _NOMINAL
    repeated = (piece for piece in parts.second if isinstance(piece, int) and piece < span.start)
    return is_copied and any(sentence.parse.tokens[i] == "," for i in repeated)


def _ends_open(_kind: str, sentence: Grammar, _span: Span, parts: Parts) -> bool:
    lasts = [
        next((p for p in reversed(side) if isinstance(p, int) and not sentence.is_punctuation(p)), None)
        for side in parts[:2]
    ]
    return any(last is not None and _is_open(sentence, last) for last in lasts)


def _is_open(sentence: Grammar, i: int) -> bool:
    is_particle = sentence.parse.deps[i] in listed(sentence.language, "particles")  # German `fiel ... um`
    return (sentence.parse.pos[i] in _OPEN_ENDS and not is_particle) or sentence.words[i] in listed(
        sentence.language, "focus"
    )


def _is_unbalanced(_kind: str, sentence: Grammar, _span: Span, parts: Parts) -> bool:
    return any(
        _is_odd(words(sentence, side), sentence.language) or _dashes(sentence, side) % 2
        for side in (parts.first, parts.second)
    )


def _dashes(sentence: Grammar, pieces: Sequence[Piece]) -> int:
    """Return the number of dashes, of a sentence in which they are in pairs; hyphens touch a word."""
    starts, tokens = sentence.parse.starts, sentence.parse.tokens
    inner = range(1, len(sentence) - 1)
    spaced = [i for i in inner if tokens[i] in _DASHES and starts[i - 1] + len(tokens[i - 1]) < starts[i]]
    return 0 if len(spaced) % 2 else sum(i in spaced for i in pieces if isinstance(i, int))


def _is_odd(tokens: list[str], language: str) -> bool:
    quotes = tokens.count('"') + tokens.count("''") + tokens.count("``")
    doubled = any(a == b == "," for a, b in pairwise(tokens))
    return (
        bool(quotes % 2) or doubled or any(tokens.count(a) != tokens.count(b) for a, b in table(language)["brackets"])
    )


def _relates_to_no_subject(kind: str, sentence: Grammar, span: Span, _parts: Parts) -> bool:
    pronoun = span.start
    return kind == "SINGLE_RELATIVE" and not (
        sentence.has_relation(pronoun, "subject") or is_possessive(sentence, pronoun)
    )


def _shares_negation(kind: str, sentence: Grammar, span: Span, _parts: Parts) -> bool:
    return (
        kind == "SINGLE_VP_COORD"
        and not listed(sentence.language, "negations").isdisjoint(sentence.words[: span.start])
        and not (sentence.is_finite(span.anchor or 0))
    )


def _is_no_adverbial(kind: str, sentence: Grammar, span: Span, _parts: Parts) -> bool:
    if kind != "SINGLE_CATAPHORA":
        return False
    has_no_agent = sentence.words[span.end + 1] in {"it", "there"}
    return has_no_agent or sentence.words[0] in _NOT_ADVERBIAL


_CHECKS: dict[str, Callable[[str, Grammar, Span, Parts], bool]] = {
    "question": _is_question,
    "not confirmed by the parse": _is_unconfirmed,
    "no action of the subject": _is_no_adverbial,
    "relative pronoun is no subject": _relates_to_no_subject,
    "shared negation": _shares_negation,
    "clause before its main clause": _opens_subordinate,
    "unclear borders": _has_wrong_borders,
    "not between subject and verb": _is_inside,
    "no agreement": disagrees,
    "word order": _opens_with_verb,
    "shared words": _shares_more,
    "enumeration or address": _names_several,
    "subordinate clauses": _is_subordinate,
    "no clause": _lacks_clause,
    "open end": _ends_open,
    "elision": _cuts_elision,
    "unbalanced punctuation": _is_unbalanced,
}
