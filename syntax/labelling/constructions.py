"""Determine the construction of a split (BiSECT, Table 4) from the tokens around the split.

The authors of the paper assigned constructions by hand. The tests of this module and their order are our own.
"""

from collections.abc import Callable

from bitext_pivot.syntax import clauses
from bitext_pivot.syntax.clauses import ClauseStructure
from bitext_pivot.syntax.labelling.diffs import is_word

OTHER = "other"
WITH_SUBJECT = "conjunction with subject"
WITHOUT_SUBJECT = "conjunction without subject"
_FULL_STOPS = frozenset(".!?…")
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
_NO_COORDINATOR = ("preconj", "subj")  # labels of "both": in "both ... and", and as a subject
_NEAR = (
    6  # tokens; longer phrases such as "the parts of the country of which" are left to the parser
)


def find_construction(sentence: ClauseStructure, at: int) -> str:
    """Return the name of the construction of a split before token `at`.

    This is the first construction in `CONSTRUCTIONS` whose test accepts the split, or `other`.
    """
    return next((name for name, test in CONSTRUCTIONS.items() if test(sentence, at)), OTHER)


def _starts_new_sentence(s: ClauseStructure, at: int) -> bool:
    """Return True if no joining word follows the split.

    Either a sentence ends before the split, or a full main clause follows a comma and no clause is fronted.
    """
    start = first_word(s, at)
    if start is None:
        return False
    return sentence_ends_before(s, at) or (
        _starts_main_clause(s, start) and not _has_fronted_clause(s)
    )


def sentence_ends_before(s: ClauseStructure, at: int) -> bool:
    """Return True if the token before `at` ends a sentence; abbreviations do not."""
    last = s.tree.tokens[at - 1] if 1 < at < len(s.tree) else OTHER
    return last[-1] in _FULL_STOPS and not is_word(last)


def _starts_main_clause(s: ClauseStructure, start: int) -> bool:
    """Return True if a full clause begins at or soon after `start`, without a joining word.

    A comma must come before the clause.
    """
    tree = s.tree
    is_joined = _joins_as_coordinator(s, start) or tree.pos[start] in {"CCONJ", "SCONJ"}
    is_relative = _prepositional_wh(s, start) is not None or (
        tree.is_wh(start) and tree.tokens[-1] != "?"
    )
    if is_joined or is_relative or not clauses.follows_comma(tree, start):
        return False
    return any(
        _heads_clause_near(s, i, start) for i in range(start, len(tree)) if tree.has_own_subject(i)
    )


def _heads_clause_near(s: ClauseStructure, i: int, start: int) -> bool:
    tree = s.tree
    if not tree.is_finite(i) or tree.marker(i) is not None or tree.is_relative_clause(i):
        return False
    begin = clauses.subtree_start(tree, i) if i != s.root else s.main_start
    between = range(start, begin)
    return begin == start or (
        0 < len(between) < _NEAR and not any(tree.is_verb(j) or tree.is_wh(j) for j in between)
    )


def _is_at_colon(s: ClauseStructure, at: int) -> bool:
    """Return True if a semicolon or colon is at the split, or before a quotation mark there."""
    tree = s.tree
    begin = next((i for i in range(at, 0, -1) if not tree.is_quote(i - 1)), 0)
    return bool({";", ":"} & set(tree.tokens[max(0, begin - 1) : at + 1]))


def find_coordinator(s: ClauseStructure, at: int) -> int | None:
    """Return the coordinator next to the split, or None.

    It is the first token after the split or, unless punctuation precedes the split, the second.
    """
    tree = s.tree
    is_closed = at >= len(tree) or (at > 0 and tree.is_punctuation(at - 1))
    positions = (at, at - 1) if is_closed else (at, at - 1, at + 1)
    coordinators = (i for i in positions if 0 < i < len(tree) and tree.pos[i] == "CCONJ")
    return next((i for i in coordinators if not tree.parse.deps[i].endswith(_NO_COORDINATOR)), None)


def _joins_clause_with_subject(s: ClauseStructure, at: int) -> bool:
    """Return True if a coordinator at the split joins a clause that has its own subject.

    A word such as "so" after a comma counts as a coordinator.
    """
    conjunct, start = _joined_head(s, at), first_word(s, at)
    if conjunct is None and start is not None and _joins_as_coordinator(s, start):
        return any(map(s.tree.has_own_subject, s.tree.ancestors(start)))
    if conjunct is None:
        return False
    return (
        s.tree.has_own_subject(conjunct)
        or _subject_follows_coordinator(s, at)
        or _is_followed_by_verb(s, conjunct)
    )


def _joins_as_coordinator(s: ClauseStructure, i: int) -> bool:
    """Return True if token `i` is a word such as "so" that follows a comma and joins clauses.

    Its tag does not matter.
    """
    return clauses.follows_comma(s.tree, i) and s.tree.words[i] in clauses.clause_words(
        s.tree.language, "joining"
    )


def _subject_follows_coordinator(s: ClauseStructure, at: int) -> bool:
    """Return True if the first main clause after the coordinator at the split has its own subject."""
    tree, word = s.tree, find_coordinator(s, at)
    if word is None:
        return False
    heads = (
        i for i in range(word + 1, len(tree)) if tree.is_finite(i) and not _is_subordinate(s, i)
    )
    first = next((i for i in heads if not tree.has_relation(i, "auxiliary")), None)
    return any((tree.subject(i) or 0) > word for i in (first, tree.head(word)) if i is not None)


def _is_subordinate(s: ClauseStructure, i: int) -> bool:
    tree = s.tree
    return (
        tree.marker(i) is not None
        or tree.is_relative_clause(i)
        or any(tree.is_wh(child) for child in tree.children(i))
    )


def _is_followed_by_verb(s: ClauseStructure, conjunct: int) -> bool:
    """Return True if a finite verb follows `conjunct`, which the parser took for a noun."""
    tree = s.tree
    joined = tree.first_conjunct(conjunct)
    if tree.is_verb(conjunct) or (joined is not None and tree.has_relation(joined, "subject")):
        return False
    return main_verb(s, conjunct) is not None


def clause_head(s: ClauseStructure, verb: int) -> int:
    """Return the head of the clause that contains a finite verb, which may be an auxiliary."""
    head = s.tree.head(verb)
    return head if head is not None and verb in s.tree.auxiliaries(head) else verb


def main_verb(s: ClauseStructure, start: int) -> int | None:
    """Return the finite verb of the clause that begins at `start`.

    Return None if the clause is subordinate or has no subject. The verb is found from the order of the words, not
    from the tree, because parsers often err if clauses meet without a joining word. Relative clauses inside the
    subject are skipped, including their coordinated verbs.
    """
    tree, inner, is_named = s.tree, 0, False
    for i in range(start, len(tree)):
        is_named = is_named or (tree.pos[i] in _NOMINAL and not tree.is_wh(i))
        if is_subordinator(s, i):
            if not is_named:
                return None
            inner += 1
        elif tree.finite_token(i) == i and (tree.coordinator(clause_head(s, i)) or 0) <= start:
            if not inner:
                return i if is_named else None
            inner -= 1
    return None


def is_subordinator(s: ClauseStructure, i: int) -> bool:
    """Return True if token `i` is a subordinating conjunction or a WH word."""
    return s.tree.is_wh(i) or s.tree.pos[i] == "SCONJ"


def _joined_head(s: ClauseStructure, at: int) -> int | None:
    """Return the conjunct that the coordinator at the split joins to an earlier token.

    Return the coordinator itself if the parse has no such conjunct, and None if there is no coordinator.
    """
    tree, word = s.tree, find_coordinator(s, at)
    if word is None:
        return None
    heads = (
        i
        for i in range(word + 1, len(tree))
        if tree.has_relation(i, "conjunct") and tree.coordinator(i) == word
    )
    return next(heads, word)


def _has_coordinator(s: ClauseStructure, at: int) -> bool:
    return _joined_head(s, at) is not None


def _starts_relative_clause(s: ClauseStructure, at: int) -> bool:
    """Return True if a relative clause or word follows the split, possibly after a preposition."""
    tree, start = s.tree, first_word(s, at)
    if start is None:
        return False
    if tree.words[start] in clauses.clause_words(tree.language, "subordinators") and not tree.is_wh(
        start
    ):
        return False
    heads = [
        i
        for i in (start, *tree.ancestors(start))
        if tree.is_finite(i) and clauses.subtree_start(tree, i) == start
    ]
    if any(tree.is_relative_clause(i) or _has_relative_marker_as_subject(s, i) for i in heads):
        return True
    if clauses.follows_comma(tree, start) and tree.words[start] in clauses.clause_words(
        tree.language, "relative"
    ):
        return True
    is_pronoun = tree.pos[start] in {"PRON", "DET"} or tree.has_relation(start, "subject")
    return (tree.is_wh(start) and is_pronoun) or _starts_with_prepositional_relative(s, start)


def _has_relative_marker_as_subject(s: ClauseStructure, i: int) -> bool:
    """Return True if a clause's only subject was parsed as a conjunction: "that will open"."""
    marker, tree = s.tree.marker(i), s.tree
    return (
        marker is not None
        and tree.is_wh(marker)
        and not tree.allows_dropped_subjects
        and not tree.has_own_subject(i)
    )


def _starts_with_prepositional_relative(s: ClauseStructure, start: int) -> bool:
    """Return True if a preposition and relative word are near `start`: "in which", not "in what"."""
    word = _prepositional_wh(s, start)
    return word is not None and s.tree.words[word] not in clauses.clause_words(
        s.tree.language, "free_relative"
    )


def _prepositional_wh(s: ClauseStructure, start: int) -> int | None:
    """Return the index of a WH word that follows a preposition near `start`, or None."""
    tree = s.tree
    linking = (
        i
        for i in range(start, min(start + _NEAR, len(tree)) - 1)
        if tree.pos[i] in {"ADP", "SCONJ"}
    )
    return next(
        (i + 1 for i in linking if tree.is_wh(i + 1) and not tree.has_relation(i, "marker")), None
    )


def first_word(s: ClauseStructure, at: int) -> int | None:
    """Return the index of the first word after the split, or None."""
    return next((i for i in range(at, len(s.tree)) if not s.tree.is_punctuation(i)), None)


def _starts_gerund(s: ClauseStructure, at: int) -> bool:
    """Return True if a participle or gerund in "-ing" follows the split.

    It may come after an adverb such as "thereby".
    """
    tree, start = s.tree, first_word(s, at)
    if start is None:
        return False
    is_adverb = tree.pos[start] == "ADV" or tree.words[start] in clauses.clause_words(
        tree.language, "concluding"
    )
    return clauses.is_gerund(tree, start + 1 if is_adverb and start + 1 < len(tree) else start)


def _starts_subordinate_clause(s: ClauseStructure, at: int) -> bool:
    """Return True if a subordinating conjunction, WH word or preposition follows the split.

    An adverb such as "just" may come before that word.
    """
    tree, start = s.tree, first_word(s, at)
    if start is None or start == s.first:
        return False
    if tree.pos[start : start + 2] == ("ADV", "SCONJ"):
        start += 1
    is_listed = any(
        clauses.starts_listed_phrase(tree, start, kind)
        for kind in ("subordinators", "prepositions")
    )
    is_linking = (
        tree.pos[start] in {"ADP", "SCONJ"} or tree.is_wh(start) or tree.is_infinitive_marker(start)
    )
    return (
        is_listed
        or is_linking
        or tree.has_relation(start, "marker")
        or tree.has_relation(start, "adposition")
    )


def follows_fronted(s: ClauseStructure, at: int) -> bool:
    """Return True if a fronted clause (rules B1 and B2) ends, and its main clause begins, at `at`."""
    if not _has_fronted_clause(s) or _has_main_before(s, at):
        return False
    start = first_word(s, at)
    tokens = s.tree.tokens
    is_first_comma = (
        at > 0
        and tokens[at - 1] == ","
        and not any(t[-1] in ",.!?…" for t in tokens[s.first : at - 1])
    )
    main = max(clauses.last_clause_start(s), s.tree.finite_token(s.root) or 0)
    return at <= main or is_first_comma or (start is not None and _starts_main_clause(s, start))


def _has_main_before(s: ClauseStructure, at: int) -> bool:
    """Return True if the part before the split is a main clause rather than a fronted clause.

    In "Then, I like how they sing, / I do it a lot", a main clause precedes the split at the slash.
    """
    return not clauses.opens_with_subordinate(s) and (main_verb(s, s.first) or at) < at


def _has_fronted_clause(s: ClauseStructure) -> bool:
    return clauses.opens_with_subordinate(s) or clauses.has_fronted_clause(s)


CONSTRUCTIONS: dict[str, Callable[[ClauseStructure, int], bool]] = {
    OTHER: _starts_new_sentence,
    "colon or semicolon": _is_at_colon,
    WITH_SUBJECT: _joins_clause_with_subject,
    WITHOUT_SUBJECT: _has_coordinator,
    "concluding relative clause": _starts_relative_clause,
    "gerund": _starts_gerund,
    "subordinate clause or preposition": _starts_subordinate_clause,
    "preceding relative clause": follows_fronted,
}
