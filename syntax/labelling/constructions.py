"""The construction of a split (BiSECT paper, Table 4), decided by the tokens at the split in the long sentence.

The paper's authors assigned these by hand; the tests and their order are ours.
"""

from collections.abc import Callable

from bitext_pivot.syntax import clauses
from bitext_pivot.syntax.clauses import Clauses
from bitext_pivot.syntax.labelling.diffs import is_word

OTHER = "other"
WITH_SUBJECT = "conjunction with subject"
WITHOUT_SUBJECT = "conjunction without subject"
_FULL_STOPS = frozenset(".!?…")
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
_NO_COORDINATOR = ("preconj", "subj")  # "both ... and", and "both" for two things
_NEAR = 6  # tokens: a longer beginning, "the parts of the country of which", is seen by the parser alone


def construction(sentence: Clauses, at: int) -> str:
    """Return the first kind of `CONSTRUCTIONS` that fits the split before token `at`, else `other`."""
    return next((name for name, test in CONSTRUCTIONS.items() if test(sentence, at)), OTHER)


def _follows_nothing(s: Clauses, at: int) -> bool:
    """Nothing joins what follows: a sentence ended, or a full main clause follows a mere comma (and no fronted one)."""
    start = first_word(s, at)
    if start is None:
        return False
    return ends_before(s, at) or (_opens_main(s, start) and not _has_fronted(s))


def ends_before(s: Clauses, at: int) -> bool:
    """Return True if a sentence ends before a token: a full stop or the like that is no part of a word."""
    last = s.grammar.tokens[at - 1] if 1 < at < len(s.grammar) else OTHER
    return last[-1] in _FULL_STOPS and not is_word(last)


def _opens_main(s: Clauses, start: int) -> bool:
    """A full clause begins behind a comma, or a few tokens further on, with nothing that subordinates or joins it."""
    g = s.grammar
    is_joined = _joins_as_coordinator(s, start) or g.pos[start] in {"CCONJ", "SCONJ"}
    is_relative = _prepositional_wh(s, start) is not None or (
        g.is_wh(start) and g.tokens[-1] != "?"
    )
    if is_joined or is_relative or not clauses.follows_comma(g, start):
        return False
    return any(_is_main(s, i, start) for i in range(start, len(g)) if g.has_own_subject(i))


def _is_main(s: Clauses, i: int, start: int) -> bool:
    g = s.grammar
    if not g.is_finite(i) or g.marker(i) is not None or g.is_relative_clause(i):
        return False
    begin = clauses.opening(g, i) if i != s.root else s.subject
    between = range(start, begin)
    return begin == start or (
        0 < len(between) < _NEAR and not any(g.is_verb(j) or g.is_wh(j) for j in between)
    )


def _at_colon(s: Clauses, at: int) -> bool:
    """A semicolon or colon is at the split, or before a quotation mark there."""
    g = s.grammar
    begin = next((i for i in range(at, 0, -1) if not g.is_quote(i - 1)), 0)
    return bool({";", ":"} & set(g.tokens[max(0, begin - 1) : at + 1]))


def coordinator(s: Clauses, at: int) -> int | None:
    """Return the coordinator at the split, right before it, or, without punctuation, behind a word."""
    g = s.grammar
    is_closed = at >= len(g) or (at > 0 and g.is_punctuation(at - 1))
    positions = (at, at - 1) if is_closed else (at, at - 1, at + 1)
    coordinators = (i for i in positions if 0 < i < len(g) and g.pos[i] == "CCONJ")
    return next((i for i in coordinators if not g.parse.deps[i].endswith(_NO_COORDINATOR)), None)


def _joins_clause(s: Clauses, at: int) -> bool:
    """A coordinator, or after a comma a word such as "so", joins a clause that has its own subject."""
    conjunct, start = _joined(s, at), first_word(s, at)
    if conjunct is None and start is not None and _joins_as_coordinator(s, start):
        return any(map(s.grammar.has_own_subject, s.grammar.ancestors(start)))
    if conjunct is None:
        return False
    return (
        s.grammar.has_own_subject(conjunct)
        or _opens_own_clause(s, at)
        or _has_verb_behind(s, conjunct)
    )


def _joins_as_coordinator(s: Clauses, i: int) -> bool:
    """A word such as "so" that is no coordinator in the parse follows a comma."""
    return clauses.follows_comma(s.grammar, i) and s.grammar.words[i] in clauses.words(
        s.grammar.language, "joining"
    )


def _opens_own_clause(s: Clauses, at: int) -> bool:
    """The first clause behind the coordinator that is not subordinate has its subject there too."""
    g, word = s.grammar, coordinator(s, at)
    if word is None:
        return False
    heads = (i for i in range(word + 1, len(g)) if g.is_finite(i) and not _is_subordinate(s, i))
    first = next((i for i in heads if not g.has_relation(i, "auxiliary")), None)
    return any((g.subject(i) or 0) > word for i in (first, g.head(word)) if i is not None)


def _is_subordinate(s: Clauses, i: int) -> bool:
    g = s.grammar
    return (
        g.marker(i) is not None
        or g.is_relative_clause(i)
        or any(g.is_wh(child) for child in g.children(i))
    )


def _has_verb_behind(s: Clauses, conjunct: int) -> bool:
    """A finite verb follows what the parser took for a joined noun."""
    g = s.grammar
    joined = g.first_conjunct(conjunct)
    if g.is_verb(conjunct) or (joined is not None and g.has_relation(joined, "subject")):
        return False
    return main_verb(s, conjunct) is not None


def clause(s: Clauses, verb: int) -> int:
    """Return the head of the clause of a finite verb, which may be an auxiliary."""
    head = s.grammar.head(verb)
    return head if head is not None and verb in s.grammar.auxiliaries(head) else verb


def main_verb(s: Clauses, start: int) -> int | None:
    """Return the finite verb of the clause that begins at a token; None if the clause is subordinate or has no subject.

    Read from the words rather than the tree: where clauses meet without a joining word, parsers often err. Relative
    clauses in the subject are left out, with what a coordinator joins to them.
    """
    g, inner, is_named = s.grammar, 0, False
    for i in range(start, len(g)):
        is_named = is_named or (g.pos[i] in _NOMINAL and not g.is_wh(i))
        if subordinates(s, i):
            if not is_named:
                return None
            inner += 1
        elif g.finite_token(i) == i and (g.coordinator(clause(s, i)) or 0) <= start:
            if not inner:
                return i if is_named else None
            inner -= 1
    return None


def subordinates(s: Clauses, i: int) -> bool:
    """Return True for a subordinating conjunction and an interrogative or relative word."""
    return s.grammar.is_wh(i) or s.grammar.pos[i] == "SCONJ"


def _joined(s: Clauses, at: int) -> int | None:
    """Return the head of what the coordinator at the split joins; the coordinator itself when the parse has none."""
    g, word = s.grammar, coordinator(s, at)
    if word is None:
        return None
    heads = (
        i
        for i in range(word + 1, len(g))
        if g.has_relation(i, "conjunct") and g.coordinator(i) == word
    )
    return next(heads, word)


def _joins_rest(s: Clauses, at: int) -> bool:
    """A coordinator joins what has no subject of its own."""
    return _joined(s, at) is not None


def _opens_relative(s: Clauses, at: int) -> bool:
    """What follows is a relative clause, or begins with a relative word, alone or after a preposition."""
    g, start = s.grammar, first_word(s, at)
    if start is None:
        return False
    if g.words[start] in clauses.words(g.language, "subordinators") and not g.is_wh(start):
        return False
    heads = [
        i for i in (start, *g.ancestors(start)) if g.is_finite(i) and clauses.opening(g, i) == start
    ]
    if any(g.is_relative_clause(i) or _lacks_subject(s, i) for i in heads):
        return True
    if clauses.follows_comma(g, start) and g.words[start] in clauses.words(g.language, "relative"):
        return True
    is_pronoun = g.pos[start] in {"PRON", "DET"} or g.has_relation(start, "subject")
    return (g.is_wh(start) and is_pronoun) or _prepositional_relative(s, start)


def _lacks_subject(s: Clauses, i: int) -> bool:
    """What the parser took for the conjunction of a clause is its only subject: "that will open"."""
    marker, g = s.grammar.marker(i), s.grammar
    return (
        marker is not None and g.is_wh(marker) and not g.drops_subjects and not g.has_own_subject(i)
    )


def _prepositional_relative(s: Clauses, start: int) -> bool:
    """A relative word follows a preposition near the beginning: "in which", not "in what", "that when"."""
    word = _prepositional_wh(s, start)
    return word is not None and s.grammar.words[word] not in clauses.words(
        s.grammar.language, "free_relative"
    )


def _prepositional_wh(s: Clauses, start: int) -> int | None:
    """Return the WH word behind a preposition near the beginning."""
    g = s.grammar
    linking = (
        i for i in range(start, min(start + _NEAR, len(g)) - 1) if g.pos[i] in {"ADP", "SCONJ"}
    )
    return next(
        (i + 1 for i in linking if g.is_wh(i + 1) and not g.has_relation(i, "marker")), None
    )


def first_word(s: Clauses, at: int) -> int | None:
    """Return the first word at or behind the split; None if there is none."""
    return next((i for i in range(at, len(s.grammar)) if not s.grammar.is_punctuation(i)), None)


def _opens_gerund(s: Clauses, at: int) -> bool:
    """What follows is a present participle or gerund, also after an adverb such as "thereby"."""
    g, start = s.grammar, first_word(s, at)
    if start is None:
        return False
    is_adverb = g.pos[start] == "ADV" or g.words[start] in clauses.words(g.language, "concluding")
    return clauses.is_gerund(g, start + 1 if is_adverb and start + 1 < len(g) else start)


def _opens_subordinate(s: Clauses, at: int) -> bool:
    """What follows begins with a subordinating conjunction, a WH word or a preposition, also behind "just"."""
    g, start = s.grammar, first_word(s, at)
    if start is None or start == s.first:
        return False
    if g.pos[start : start + 2] == ("ADV", "SCONJ"):
        start += 1
    is_listed = any(clauses.is_listed(g, start, kind) for kind in ("subordinators", "prepositions"))
    is_linking = g.pos[start] in {"ADP", "SCONJ"} or g.is_wh(start) or g.is_infinitive_marker(start)
    return (
        is_listed
        or is_linking
        or g.has_relation(start, "marker")
        or g.has_relation(start, "adposition")
    )


def follows_fronted(s: Clauses, at: int) -> bool:
    """B1 or B2 fires, and the split is not behind a main clause or the beginning of one."""
    if not _has_fronted(s) or _has_main_before(s, at):
        return False
    start = first_word(s, at)
    tokens = s.grammar.tokens
    is_first_comma = (
        at > 0
        and tokens[at - 1] == ","
        and not any(t[-1] in ",.!?…" for t in tokens[s.first : at - 1])
    )
    main = max(clauses.main_start(s), s.grammar.finite_token(s.root) or 0)
    return at <= main or is_first_comma or (start is not None and _opens_main(s, start))


def _has_main_before(s: Clauses, at: int) -> bool:
    """What seems fronted has a main clause of its own: "Then, I like how they sing, / I do it a lot"."""
    return not clauses.opens_with_subordinate(s) and (main_verb(s, s.first) or at) < at


def _has_fronted(s: Clauses) -> bool:
    return clauses.opens_with_subordinate(s) or clauses.opens_with_clause(s)


CONSTRUCTIONS: dict[str, Callable[[Clauses, int], bool]] = {
    OTHER: _follows_nothing,
    "colon or semicolon": _at_colon,
    WITH_SUBJECT: _joins_clause,
    WITHOUT_SUBJECT: _joins_rest,
    "concluding relative clause": _opens_relative,
    "gerund": _opens_gerund,
    "subordinate clause or preposition": _opens_subordinate,
    "preceding relative clause": follows_fronted,
}
