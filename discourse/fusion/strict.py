"""Checks of the profile `strict`, one per known fault of the released data (DiscoFuse, section 4.2, Tables 3 and 4)."""

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

from bitext_pivot.discourse.connectives import phrase_at, table
from bitext_pivot.discourse.connectives import words as listed
from bitext_pivot.discourse.fusion import assertion, noun_phrases
from bitext_pivot.discourse.fusion.agreement import disagrees
from bitext_pivot.discourse.fusion.base import Parts, Piece, Span, words
from bitext_pivot.syntax.grammar import Grammar
from bitext_pivot.syntax.tagsets import Relation

_OPEN_ENDS = frozenset({"ADP", "AUX", "CCONJ", "DET", "SCONJ"})
_DASHES = frozenset({"-", "--", "–", "—"})
_SIDE_BY_SIDE: tuple[Relation, ...] = ("conjunct", "parataxis")
_NOT_ADVERBIAL = frozenset(
    {"according", "barring", "considering", "concerning", "depending", "during", "excluding", "failing", "following",
     "including", "notwithstanding", "pending", "regarding"}
)  # fmt: skip
_COORDINATION = frozenset({"SINGLE_S_COORD", "SINGLE_VP_COORD"})
_OBJECTS: tuple[Relation, ...] = ("object", "clausal_complement")
_NOUNS = frozenset({"NOUN", "PROPN", "PRON", "SCONJ"})
_ATTRIBUTES = frozenset({"ADJ", "ADP", "NOUN", "PROPN", "NUM"})
_BUILT = frozenset({"SINGLE_RELATIVE", "SINGLE_APPOSITION", "SINGLE_CATAPHORA", "SINGLE_VP_COORD"})
"""Rules that give one of the sentences its subject or verb; only the other one is checked for a clause."""


def reason(kind: str, sentence: Grammar, span: Span, parts: Parts) -> str | None:
    """Return why the two sentences that rule `kind` made must not be used, or None."""
    return next(
        (name for name, is_bad in _CHECKS.items() if is_bad(kind, sentence, span, parts)), None
    )


def _is_question(_kind: str, sentence: Grammar, _span: Span, _parts: Parts) -> bool:
    return "?" in sentence.tokens


def _is_unconfirmed(_kind: str, _z: Grammar, span: Span, _parts: Parts) -> bool:
    return span.anchor is None


def _lacks_clause(kind: str, sentence: Grammar, span: Span, parts: Parts) -> bool:
    checked = [parts.second] if kind in {"SINGLE_CATAPHORA", "PAIR_CONN"} else [parts.first]
    if kind not in _BUILT | {"PAIR_CONN"}:
        checked = [parts.first, parts.second]
    may_drop = sentence.drops_subjects and kind not in _COORDINATION
    return not all(
        has_clause(sentence, pieces) or (may_drop and _has_verb(sentence, span, pieces))
        for pieces in checked
    )


def _has_verb(sentence: Grammar, span: Span, pieces: Sequence[Piece]) -> bool:
    """Return True if the pieces have the main verb or that of the clause, which need no subject in this language."""
    heads = [i for i in (sentence.main_verb, span.anchor) if i is not None and i in pieces]
    return any(
        sentence.finite_token(i) in pieces and sentence.marker(i) not in pieces for i in heads
    )


def has_clause(sentence: Grammar, pieces: Sequence[Piece]) -> bool:
    """Return True if the pieces have a finite verb and its subject, and no subordinate or relative clause opens it."""
    present = {piece for piece in pieces if isinstance(piece, int)}
    return any(_is_whole(sentence, i, present) for i in present)


def _is_whole(sentence: Grammar, i: int, present: Collection[int]) -> bool:
    if (
        sentence.subject(i) not in present
        or sentence.finite_token(i) not in present
        or sentence.marker(i) in present
    ):
        return False
    return not any(
        sentence.is_wh(child) for child in sentence.children(i) if child < i and child in present
    )


def _is_subordinate(kind: str, sentence: Grammar, span: Span, parts: Parts) -> bool:
    """Return True if a coordinated clause is subordinate, or joined to one: it is no sentence by itself."""
    if kind != "SINGLE_S_COORD" or span.anchor is None:
        return False
    heads = [span.anchor, *sentence.ancestors(span.anchor)]
    is_main = all(any(sentence.has_relation(i, name) for name in _SIDE_BY_SIDE) for i in heads[:-1])
    return not is_main or not _is_whole(
        sentence, span.anchor, {p for p in parts.second if isinstance(p, int)}
    )


def _opens_subordinate(kind: str, sentence: Grammar, span: Span, _parts: Parts) -> bool:
    """Return True if the clause of an inner connective is before its main clause: `it is clear : unless ...`.

    So is the clause of a forward connective that goes on behind the comma, or is joined there to another one:
    `Since A(,) and since B , C`.
    """
    if kind == "SINGLE_CONN_START":
        joined = (i + 1 for i in range(span.start, span.end) if sentence.pos[i] == "CCONJ")
        is_joined = any(phrase_at(sentence.words, i, sentence.language, "forward") for i in joined)
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
    before = span.start - (sentence.tokens[span.start - 1] == ",")
    return kind == "SINGLE_CONN_INNER" and sentence.words[before - 1] in {
        ":",
        ";",
        "-",
        "–",
        "that",
    }


def _is_inverted(kind: str, sentence: Grammar, span: Span, _parts: Parts) -> bool:
    """Return True if the verb of a second main clause is before its subject: it shares what is before."""
    if kind != "SINGLE_S_COORD" or span.anchor is None:
        return False
    if table(sentence.language)["is_verb_second"]:
        return sentence.pos[span.end] in {"VERB", "AUX"}
    subject, verb = sentence.subject(span.anchor), sentence.finite_token(span.anchor)
    return not sentence.inverts and subject is not None and verb is not None and verb < subject


def _shares_more(kind: str, sentence: Grammar, span: Span, parts: Parts) -> bool:
    """Return True if two verbs share more than a subject, or have another one each.

    They share an object behind both, or words that are not repeated; a noun between the coordinator and the second verb
    may be its subject.
    """
    verb = sentence.main_verb
    if kind != "SINGLE_VP_COORD" or verb is None or span.anchor is None:
        return False
    repeated = [piece for piece in parts.second if isinstance(piece, int) and piece < span.start]
    has_verb = any(sentence.finite_token(i) == i for i in repeated)
    group = min((verb, *sentence.auxiliaries(verb)))
    left = (sentence.pos[i] for i in range(max(repeated, default=group) + 1, group))
    clitics = listed(sentence.language, "clitics")
    behind = range(span.end, sentence.finite_token(span.anchor) or span.anchor)
    right = [sentence.pos[i] for i in behind if sentence.words[i] not in clitics]
    has_object = [any(sentence.related(i, name) for name in _OBJECTS) for i in (verb, span.anchor)]
    is_bare = verb == span.start - 1 and has_object == [False, True]
    return has_verb or is_bare or not _ATTRIBUTES.isdisjoint(left) or not _NOUNS.isdisjoint(right)


def _cuts_elision(_kind: str, sentence: Grammar, _span: Span, parts: Parts) -> bool:
    """Return True if an elided word (`l'`) gets another next word."""
    elisions = tuple(listed(sentence.language, "elision"))
    after = [(a, b) for part in parts[:2] for a, b in pairwise(part)]
    return any(
        isinstance(a, int) and sentence.tokens[a].endswith(elisions) and b != a + 1
        for a, b in after
    )


def _ends_open(_kind: str, sentence: Grammar, span: Span, parts: Parts) -> bool:
    """Return True if a sentence ends with a word that belongs to what follows, such as a preposition or `partly`."""
    lasts = [
        next(
            (p for p in reversed(part) if isinstance(p, int) and not sentence.is_punctuation(p)),
            None,
        )
        for part in parts[:2]
    ]
    last = lasts[0] if lasts[0] == span.start - 1 and sentence.pos[lasts[0]] == "ADV" else None
    depends = last is not None and span.end <= sentence.parse.heads[last]  # `apparently because`
    return depends or any(i is not None and _is_open(sentence, i) for i in lasts)


def _is_open(sentence: Grammar, i: int) -> bool:
    is_particle = sentence.parse.deps[i] in listed(
        sentence.language, "particles"
    )  # German `fiel ... um`
    return (sentence.pos[i] in _OPEN_ENDS and not is_particle) or sentence.words[i] in listed(
        sentence.language, "focus"
    )


def _is_unbalanced(_kind: str, sentence: Grammar, _span: Span, parts: Parts) -> bool:
    return any(
        _is_odd(words(sentence, part), sentence.language) or _dashes(sentence, part) % 2
        for part in (parts.first, parts.second)
    )


def _dashes(sentence: Grammar, pieces: Sequence[Piece]) -> int:
    """Return the number of dashes, of a sentence in which they are in pairs; hyphens touch a word."""
    starts, tokens = sentence.parse.starts, sentence.tokens
    inner = range(1, len(sentence) - 1)
    spaced = [
        i for i in inner if tokens[i] in _DASHES and starts[i - 1] + len(tokens[i - 1]) < starts[i]
    ]
    return 0 if len(spaced) % 2 else sum(i in spaced for i in pieces if isinstance(i, int))


def _is_odd(tokens: list[str], language: str) -> bool:
    quotes = tokens.count('"') + tokens.count("''") + tokens.count("``")
    doubled = any(a == b == "," for a, b in pairwise(tokens))
    return (
        bool(quotes % 2)
        or doubled
        or any(tokens.count(a) != tokens.count(b) for a, b in table(language)["brackets"])
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
    is_aside = sentence.tokens[span.end + 3 : span.end + 4] == (
        ",",
    )  # `Waiting , they say , is no option`
    return has_no_agent or is_aside or sentence.words[0] in _NOT_ADVERBIAL


_CHECKS: dict[str, Callable[[str, Grammar, Span, Parts], bool]] = {
    "question": _is_question,
    "not confirmed by the parse": _is_unconfirmed,
    "no fact without its connective": assertion.is_no_fact,
    "half of a connective": assertion.is_correlated,
    "no action of the subject": _is_no_adverbial,
    "relative pronoun is no subject": noun_phrases.relates_to_no_subject,
    "shared negation": _shares_negation,
    "clause before its main clause": _opens_subordinate,
    "unclear borders": noun_phrases.has_wrong_borders,
    "not between subject and verb": noun_phrases.is_not_between,
    "no agreement": lambda *case: disagrees(*case) or noun_phrases.is_other_in_number(*case),
    "word order": _is_inverted,
    "shared words": _shares_more,
    "enumeration or address": lambda *case: (
        noun_phrases.names_more(*case) or assertion.is_unfinished(*case)
    ),
    "subordinate clauses": _is_subordinate,
    "reported": assertion.is_reported,
    "clause between the verbs": assertion.may_be_inner,
    "no clause": lambda *case: _lacks_clause(*case) or assertion.opens_subordinate(*case),
    "open end": _ends_open,
    "elision": _cuts_elision,
    "unbalanced punctuation": _is_unbalanced,
}
