"""Label a split pair with two categories and a construction (BiSECT, section 4.2, Table 4).

The category follows the definitions in the paper (EMNLP 2021). If a split separates two independent clauses, it is
a Direct Insertion. If it separates an independent clause from a dependent one, it is Changes Near Split, or Changes
Across Sentence if more than the words at the split are rewritten. Rewording elsewhere is ignored, because both
sides of an alignment were translated independently. Definitions with examples: docs/guideline-constructions.md.
"""

from collections.abc import Sequence
from typing import NamedTuple

from bitext_pivot.core.languages import word_list
from bitext_pivot.core.records import Category, ParsedPair
from bitext_pivot.syntax import clauses
from bitext_pivot.syntax.clauses import ClauseStructure
from bitext_pivot.syntax.labelling import released
from bitext_pivot.syntax.labelling.constructions import (
    OTHER,
    WITH_SUBJECT,
    WITHOUT_SUBJECT,
    clause_head,
    find_construction,
    first_word,
    follows_fronted,
    is_subordinator,
    main_verb,
    sentence_ends_before,
)
from bitext_pivot.syntax.labelling.diffs import (
    count_moved_words,
    find_split_position,
    has_words_on_both_sides,
)
from bitext_pivot.syntax.labelling.split_positions import position_scores
from bitext_pivot.syntax.splices import is_reporting_verb

VERSION = "labels 11"
"""Part of the keys of the shards that contain labels. Increase the number when a labelling rule changes."""
# Words count as moved if at least this share of the words in only one half, and at least two words, changed sides.
_MOVED = 0.2
_LEAST_MOVED = 2
# The same share for two full clauses, which share words by chance if the translation is free.
_MOVED_OF_CLAUSES = 0.5
_MAY_FOLLOW_FRONTED = {"preceding relative clause", "subordinate clause or preposition"}


class PairLabels(NamedTuple):
    """The categories and construction of a split pair, and the position of the split.

    `split_at` is the index in `long` of the first token after the split, or None if the text before or after it has
    no words.
    """

    category: Category
    category_bisect: Category
    construction: str
    split_at: int | None


def label_pair(parsed: ParsedPair) -> PairLabels:
    """Return the categories, construction and split position of a parsed split pair."""
    s = clauses.analyse_clauses(parsed.long, parsed.pair.language)
    by_code = released.category_bisect(s, parsed)
    if s is None:
        return PairLabels("Changes Across Sentence", by_code, OTHER, None)
    long, first, second = (parse.tokens for parse in parsed.parses)
    scores = position_scores(s)
    at = find_split_position(long, first, second, scores)
    is_across = not s.start < at < len(long) or _moves_words(s, at, first, second)
    if is_across:
        reverse = find_split_position(long, second, first, scores)
        is_found = 0 < reverse < len(long) and not _moves_words(s, reverse, second, first)
        at = reverse if is_found else at
    kind = find_construction(s, at)
    if kind == WITHOUT_SUBJECT and not is_across and _has_missed_subject(s, at, parsed):
        kind = WITH_SUBJECT
    category = "Changes Across Sentence" if is_across else _category(s, at, kind)
    return PairLabels(category, by_code, kind, at if has_words_on_both_sides(long, at) else None)


def _has_missed_subject(s: ClauseStructure, at: int, parsed: ParsedPair) -> bool:
    """Return True if a subject and its verb follow the split, but the parser missed them.

    In "My sister plays the piano and my brother sings", a parser may coordinate "piano" with "brother".
    """
    half, start = clauses.analyse_clauses(parsed.split[1], parsed.pair.language), first_word(s, at)
    if half is None or start is None:
        return False
    subject, verb = half.tree.subject(half.root), main_verb(s, start)
    if subject is None:
        return False
    if verb is None:  # mistagged: compare the first words of the half instead
        return s.tree.words[start + 1 : start + 3] == half.tree.words[:2]
    return half.tree.parse.lemmas[subject] in s.tree.parse.lemmas[start:verb]


def _moves_words(s: ClauseStructure, at: int, first: Sequence[str], second: Sequence[str]) -> bool:
    """Return True if the halves of the split are reversed, or words moved to the other half."""
    moved, words = count_moved_words(s.tree.tokens, first, second, at)
    share = _MOVED
    if _category(s, at, find_construction(s, at)) == "Direct Insertion":
        share = _MOVED_OF_CLAUSES
    return moved >= max(_LEAST_MOVED, share * words)


def _category(s: ClauseStructure, at: int, kind: str) -> Category:
    """Return the category of a split, given its construction (`kind`) and the clauses around it."""
    start = first_word(s, at)
    if start is None or at <= s.start or (kind in _MAY_FOLLOW_FRONTED and follows_fronted(s, at)):
        return "Changes Across Sentence"
    if kind == WITH_SUBJECT:
        return "Changes Near Split" if _joins_subordinate(s, start) else "Direct Insertion"
    if _joins_independent_clauses(s, at, start, kind):
        return "Direct Insertion"
    is_fronted = start <= s.main_start and not _has_main_clause_before(s, at)
    if is_fronted or (kind != WITHOUT_SUBJECT and _is_embedded(s, start)):
        return "Changes Across Sentence"
    return "Changes Near Split"


def _joins_subordinate(s: ClauseStructure, start: int) -> bool:
    """Return True if a coordinator and a subordinate clause, but no main clause, follow the split.

    "and when ..." and "and whose ..." count, "and that ..." does not.
    """
    tree, following = s.tree, range(start + 1, len(s.tree))
    word = next((i for i in following if not tree.is_punctuation(i)), start)
    is_plain = (
        tree.pos[start] != "CCONJ" or tree.tokens[word].lower() == "that" or "?" in tree.tokens[-2:]
    )
    if is_plain or not is_subordinator(s, word):
        return False
    subordinated = [
        next(filter(tree.is_clause, tree.ancestors(i)), i)
        for i in following
        if is_subordinator(s, i)
    ]
    return sum(tree.finite_token(i) == i for i in following) <= sum(
        map(tree.is_finite, subordinated)
    )


def _joins_independent_clauses(s: ClauseStructure, at: int, start: int, kind: str) -> bool:
    """Return True if only punctuation is between two independent clauses at the split."""
    tree = s.tree
    if kind == "colon or semicolon":
        is_recital = tree.words[start] in word_list(tree.language, "main_clauses", "recitals")
        return (
            is_recital
            or main_verb(s, start) is not None
            or any(_heads_independent_clause(s, i, start) for i in range(start, len(tree)))
        )
    if sentence_ends_before(s, start) or (kind == WITHOUT_SUBJECT and _joins_imperatives(s, start)):
        return True
    if (
        kind != OTHER
        or not (s.root < at or _has_main_clause_before(s, at))
        or not tree.is_punctuation(start - 1)
    ):
        return False
    if _is_imperative(s, start) or ("?" in tree.tokens[-2:] and tree.finite_token(start) == start):
        return True
    verb = main_verb(s, start)
    return (
        verb is not None
        and _is_independent(s, verb, start)
        and not _is_reporting_clause(s, verb, start)
    )


def _joins_imperatives(s: ClauseStructure, start: int) -> bool:
    """Return True if a coordinator joins two imperatives: "lock the door and do not wait"."""
    is_command = _is_command(s, s.root) and not s.tree.has_own_subject(s.root)
    return is_command and start + 1 < len(s.tree) and _is_command(s, start + 1)


def _is_command(s: ClauseStructure, verb: int) -> bool:
    return s.tree.is_verb(verb) and _is_imperative(s, clause_head(s, verb))


def _heads_independent_clause(s: ClauseStructure, i: int, start: int) -> bool:
    """Return True if verb `i` is finite or imperative, but not in a relative clause after `start`."""
    tree = s.tree
    if tree.finite_token(i) != i and not _is_imperative(s, i):
        return False
    return not any(tree.is_relative_clause(j) for j in (i, *tree.ancestors(i)) if j >= start)


def _is_imperative(s: ClauseStructure, start: int) -> bool:
    """Return True if the clause at `start` begins with a base form or a verb in the imperative."""
    return s.tree.tags[start] == "VB" or "Imp" in s.tree.features(start, "Mood")


def _has_main_clause_before(s: ClauseStructure, at: int) -> bool:
    """Return True if a finite verb precedes the split, or the sentence begins with an imperative."""
    return _is_command(s, s.first) or any(s.tree.finite_token(i) == i for i in range(at))


def _is_independent(s: ClauseStructure, verb: int, start: int) -> bool:
    """Return True if the clause of a finite verb is independent.

    Either its subject comes after `start`, or it has no subject and is neither a participle nor a relative clause.
    """
    tree = s.tree
    head = clause_head(s, verb)
    subjects = tree.dependents(head, "subject")
    is_participle = tree.has_relation(head, "relative_clause") or tree.has_relation(
        head, "participle_clause"
    )
    return max(subjects) >= start if subjects else not is_participle


def _is_reporting_clause(s: ClauseStructure, verb: int, start: int) -> bool:
    """Return True for a clause that reports the speech before it, such as "the clerk said"."""
    tree, verb = s.tree, clause_head(s, verb)
    if not is_reporting_verb(tree, verb, clauses.clause_words(tree.language, "reporting")):
        return False
    is_reported_before = any(child < start for child in tree.dependents(verb, "clausal_complement"))
    is_last = all(map(tree.is_punctuation, range(verb + 1, len(tree))))
    return is_reported_before or is_last or (tree.subject(verb) or 0) > verb


def _is_embedded(s: ClauseStructure, start: int) -> bool:
    """Return True if the split separates the subject of the main clause from its verb.

    A comma or another verb must come before the split.
    """
    tree, verb = s.tree, s.tree.finite_token(s.root)
    if verb is None:  # the parser took the subject for the root
        verb = tree.finite_token(start)
    if verb is None or not s.main_start < start <= verb:
        return False
    return tree.is_punctuation(start - 1) or any(map(tree.is_verb, range(s.main_start, start)))
