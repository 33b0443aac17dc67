"""All labels of a pair, and the category of its split as the paper defines it (EMNLP 2021, section 4.2 and Table 4).

Two independent clauses are a Direct Insertion; an independent and a dependent one are Changes Near Split, or Changes
Across Sentence where more than the split position is rewritten. How freely words are rendered does not matter: both
sides of a link were translated by themselves. Definitions with examples: docs/guideline-constructions.md.
"""

from collections.abc import Sequence
from typing import NamedTuple

from bitext_pivot.core.languages import word_list
from bitext_pivot.core.records import Category, ParsedPair
from bitext_pivot.syntax import clauses
from bitext_pivot.syntax.clauses import Clauses
from bitext_pivot.syntax.labelling import released
from bitext_pivot.syntax.labelling.constructions import (
    OTHER,
    WITH_SUBJECT,
    WITHOUT_SUBJECT,
    clause,
    construction,
    ends_before,
    first_word,
    follows_fronted,
    main_verb,
    subordinates,
)
from bitext_pivot.syntax.labelling.diffs import divides, moved_words, split_position
from bitext_pivot.syntax.labelling.split_positions import position_scores
from bitext_pivot.syntax.splices import reports

VERSION = "labels 11"
"""Part of the key of judged shards. Raise the number when a rule of labels changes."""
_MOVED = 0.2  # share of the words that only one half has, and their number, from which on words changed sides
_LEAST_MOVED = 2
_MOVED_OF_CLAUSES = (
    0.5  # the same share where two full clauses meet: free renderings share words by chance
)
_MAY_FOLLOW_FRONTED = {"preceding relative clause", "subordinate clause or preposition"}


class Labels(NamedTuple):
    """The labels of a pair. `split_at`: the token of `long` before which the split falls; None as in JudgedPair."""

    category: Category
    category_bisect: Category
    construction: str
    split_at: int | None


def label(parsed: ParsedPair) -> Labels:
    """Return the labels of a pair."""
    s = clauses.sentence(parsed.long, parsed.pair.language)
    by_code = released.category_bisect(s, parsed)
    if s is None:
        return Labels("Changes Across Sentence", by_code, OTHER, None)
    long, first, second = (parse.tokens for parse in parsed.parses)
    scores = position_scores(s)
    at = split_position(long, first, second, scores)
    is_across = not s.start < at < len(long) or _moves_words(s, at, first, second)
    if is_across:
        reverse = split_position(long, second, first, scores)
        is_found = 0 < reverse < len(long) and not _moves_words(s, reverse, second, first)
        at = reverse if is_found else at
    kind = construction(s, at)
    if kind == WITHOUT_SUBJECT and not is_across and _has_subject(s, at, parsed):
        kind = WITH_SUBJECT
    category = "Changes Across Sentence" if is_across else _category(s, at, kind)
    return Labels(category, by_code, kind, at if divides(long, at) else None)


def _has_subject(s: Clauses, at: int, parsed: ParsedPair) -> bool:
    """The subject of the second half stands behind the split, with a verb, where the parser did not see it.

    As in "My sister plays the piano and my brother sings", taken for a piano and a brother.
    """
    half, start = clauses.sentence(parsed.split[1], parsed.pair.language), first_word(s, at)
    if half is None or start is None:
        return False
    subject, verb = half.grammar.subject(half.root), main_verb(s, start)
    if subject is None:
        return False
    if verb is None:  # the parser took it for another word: both begin alike
        return s.grammar.words[start + 1 : start + 3] == half.grammar.words[:2]
    return half.grammar.parse.lemmas[subject] in s.grammar.parse.lemmas[start:verb]


def _moves_words(s: Clauses, at: int, first: Sequence[str], second: Sequence[str]) -> bool:
    """Return True if the order is reversed, or a part of `long` changed sides."""
    moved, words = moved_words(s.grammar.tokens, first, second, at)
    share = _MOVED
    if _category(s, at, construction(s, at)) == "Direct Insertion":
        share = _MOVED_OF_CLAUSES
    return moved >= max(_LEAST_MOVED, share * words)


def _category(s: Clauses, at: int, kind: str) -> Category:
    start = first_word(s, at)
    if start is None or at <= s.start or (kind in _MAY_FOLLOW_FRONTED and follows_fronted(s, at)):
        return "Changes Across Sentence"
    if kind == WITH_SUBJECT:
        return "Changes Near Split" if _joins_subordinate(s, start) else "Direct Insertion"
    if _joins_clauses(s, at, start, kind):
        return "Direct Insertion"
    is_fronted = start <= s.subject and not _has_main(s, at)
    if is_fronted or (kind != WITHOUT_SUBJECT and _is_embedded(s, start)):
        return "Changes Across Sentence"
    return "Changes Near Split"


def _joins_subordinate(s: Clauses, start: int) -> bool:
    """A clause such as "and when ..." or "and whose ..." follows, and no main clause; "and that" does not count."""
    g, behind = s.grammar, range(start + 1, len(s.grammar))
    word = next((i for i in behind if not g.is_punctuation(i)), start)
    is_plain = g.pos[start] != "CCONJ" or g.tokens[word].lower() == "that" or "?" in g.tokens[-2:]
    if is_plain or not subordinates(s, word):
        return False
    subordinated = [
        next(filter(g.is_clause, g.ancestors(i)), i) for i in behind if subordinates(s, i)
    ]
    return sum(g.finite_token(i) == i for i in behind) <= sum(map(g.is_finite, subordinated))


def _joins_clauses(s: Clauses, at: int, start: int, kind: str) -> bool:
    """Two independent clauses meet at the split, with nothing but punctuation between them."""
    g = s.grammar
    if kind == "colon or semicolon":
        is_recital = g.words[start] in word_list(g.language, "main_clauses", "recitals")
        return (
            is_recital
            or main_verb(s, start) is not None
            or any(_makes_clause(s, i, start) for i in range(start, len(g)))
        )
    if ends_before(s, start) or (kind == WITHOUT_SUBJECT and _commands_twice(s, start)):
        return True
    if kind != OTHER or not (s.root < at or _has_main(s, at)) or not g.is_punctuation(start - 1):
        return False
    if _is_imperative(s, start) or ("?" in g.tokens[-2:] and g.finite_token(start) == start):
        return True
    verb = main_verb(s, start)
    return verb is not None and _is_independent(s, verb, start) and not _reports(s, verb, start)


def _commands_twice(s: Clauses, start: int) -> bool:
    """A coordinator joins a second imperative to a main clause that is one: "lock the door and do not wait"."""
    is_command = _is_command(s, s.root) and not s.grammar.has_own_subject(s.root)
    return is_command and start + 1 < len(s.grammar) and _is_command(s, start + 1)


def _is_command(s: Clauses, verb: int) -> bool:
    return s.grammar.is_verb(verb) and _is_imperative(s, clause(s, verb))


def _makes_clause(s: Clauses, i: int, start: int) -> bool:
    """A finite or imperative verb, in no relative clause behind `start`."""
    g = s.grammar
    if g.finite_token(i) != i and not _is_imperative(s, i):
        return False
    return not any(g.is_relative_clause(j) for j in (i, *g.ancestors(i)) if j >= start)


def _is_imperative(s: Clauses, start: int) -> bool:
    """A verb in its base form, or marked so, at the beginning of a clause."""
    return s.grammar.tags[start] == "VB" or "Imp" in s.grammar.features(start, "Mood")


def _has_main(s: Clauses, at: int) -> bool:
    """A finite verb stands before the split, or the sentence begins with a command."""
    return _is_command(s, s.first) or any(s.grammar.finite_token(i) == i for i in range(at))


def _is_independent(s: Clauses, verb: int, start: int) -> bool:
    """The clause of a finite verb has its subject behind `start`; without a subject, it is no participle."""
    g = s.grammar
    head = clause(s, verb)
    subjects = g.related(head, "subject")
    is_participle = g.has_relation(head, "relative_clause") or g.has_relation(
        head, "participle_clause"
    )
    return max(subjects) >= start if subjects else not is_participle


def _reports(s: Clauses, verb: int, start: int) -> bool:
    """A reporting clause: "the clerk said", "said the clerk"; what is said comes before it."""
    g, verb = s.grammar, clause(s, verb)
    if not reports(g, verb, clauses.words(g.language, "reporting")):
        return False
    is_reported_before = any(child < start for child in g.related(verb, "clausal_complement"))
    is_last = all(map(g.is_punctuation, range(verb + 1, len(g))))
    return is_reported_before or is_last or (g.subject(verb) or 0) > verb


def _is_embedded(s: Clauses, start: int) -> bool:
    """The split falls between the subject of the main clause and its verb, behind a comma or a clause."""
    g, verb = s.grammar, s.grammar.finite_token(s.root)
    if verb is None:  # the parser took the subject for the root
        verb = g.finite_token(start)
    if verb is None or not s.subject < start <= verb:
        return False
    return g.is_punctuation(start - 1) or any(map(g.is_verb, range(s.subject, start)))
