"""The finer kind of a split: Table 4 of the BiSECT paper, told by what stands at the split in the long sentence.

The paper's authors assigned these by hand; the tests and their order are ours.
"""

from collections.abc import Callable

from pairs import clauses
from pairs.clauses import Sentence

OTHER = "other"
_NEAR = 5  # tokens: a longer beginning, "the parts of the country of which", is seen by the parser alone


def construction(sentence: Sentence | None, at: int) -> str:
    """Return the first kind of `CONSTRUCTIONS` that fits the split before token `at` of `long`, else `other`.

    `sentence` is the view on `long`; None, of a text without words, is `other`.
    """
    if sentence is None:
        return OTHER
    return next((name for name, test in CONSTRUCTIONS.items() if test(sentence, at)), OTHER)


def _at_mark(s: Sentence, at: int) -> bool:
    """A semicolon or colon stands at the split."""
    return bool({";", ":"} & set(s.grammar.parse.tokens[max(0, at - 1) : at + 1]))


def _at_conjunction(s: Sentence, at: int) -> int | None:
    """Return the coordinator at the split, right before it, or right behind a comma there."""
    places = (at, at - 1) if clauses.follows_comma(s.grammar, at) or at >= len(s.grammar) else (at, at - 1, at + 1)
    tags = s.grammar.parse.pos
    return next((i for i in places if 0 < i < len(tags) and tags[i] == "CCONJ"), None)


def _joins_clause(s: Sentence, at: int) -> bool:
    """A coordinator, or after a comma a word such as "so", joins a clause that has its own subject."""
    conjunct, start = _joined(s, at), _start(s, at)
    if conjunct is None and start is not None and clauses.joins_loosely(s.grammar, start):
        return any(map(s.grammar.has_own_subject, s.grammar.ancestors(start)))
    return conjunct is not None and s.grammar.has_own_subject(conjunct)


def _joined(s: Sentence, at: int) -> int | None:
    """Return the head of what the coordinator at the split joins; the coordinator itself when the parse has none."""
    g, word = s.grammar, _at_conjunction(s, at)
    if word is None:
        return None
    heads = (i for i in range(word + 1, len(g)) if g.has_relation(i, "conjunct") and g.coordinator(i) == word)
    return next(heads, word)


def _joins_rest(s: Sentence, at: int) -> bool:
    """A coordinator joins what has no subject of its own."""
    return _joined(s, at) is not None


def _opens_relative(s: Sentence, at: int) -> bool:
    """What follows is a relative clause, or begins with a relative word, alone or after a preposition."""
    g, start = s.grammar, _start(s, at)
    if start is None:
        return False
    if any(g.is_relative_clause(i) and clauses.opening(g, i) == start for i in (start, *g.ancestors(start))):
        return True
    return (g.is_wh(start) and g.parse.pos[start] in {"PRON", "DET"}) or _prepositional_relative(s, start)


def _prepositional_relative(s: Sentence, start: int) -> bool:
    """A relative word stands behind a preposition near the beginning: "in which", "the majority of whom"."""
    g = s.grammar
    places = range(start + 1, min(start + _NEAR, len(g)))
    return any(g.is_wh(i) and g.parse.pos[i - 1] in {"ADP", "SCONJ"} for i in places)


def _start(s: Sentence, at: int) -> int | None:
    """Return the first word at or behind the split."""
    return next((i for i in range(at, len(s.grammar)) if not s.grammar.is_punctuation(i)), None)


def _opens_gerund(s: Sentence, at: int) -> bool:
    """What follows is a present participle or gerund, after words such as "thereby"."""
    g, start = s.grammar, _start(s, at)
    if start is None:
        return False
    if g.parse.tokens[start].lower() in clauses.words(g.language, "concluding") and start + 1 < len(g):
        start += 1
    return _is_gerund(s, start)


def _is_gerund(s: Sentence, i: int) -> bool:
    g = s.grammar
    if g.parse.pos[i] not in {"VERB", "AUX"}:
        return False
    is_present = "Pres" in g.features(i, "Tense") and "Part" in g.features(i, "VerbForm")
    return g.parse.tags[i] == "VBG" or is_present or "Ger" in g.features(i, "VerbForm")


def _opens_subordinate(s: Sentence, at: int) -> bool:
    """What follows begins with a subordinating conjunction, a WH word or a preposition."""
    g, start = s.grammar, _start(s, at)
    if start is None or start == s.first:
        return False
    is_listed = g.parse.tokens[start].lower() in clauses.words(g.language, "subordinators")
    return is_listed or g.is_wh(start) or g.parse.pos[start] in {"ADP", "SCONJ"} or g.has_relation(start, "marker")


def _follows_fronted(s: Sentence, at: int) -> bool:
    """B1 or B2 fires and the split is not behind the beginning of the main clause."""
    if not (clauses.opens_with_subordinate(s) or clauses.opens_with_clause(s)):
        return False
    return at <= clauses.main_start(s)


CONSTRUCTIONS: dict[str, Callable[[Sentence, int], bool]] = {
    "colon or semicolon": _at_mark,
    "conjunction with subject": _joins_clause,
    "conjunction without subject": _joins_rest,
    "concluding relative clause": _opens_relative,
    "gerund": _opens_gerund,
    "subordinate clause or preposition": _opens_subordinate,
    "preceding relative clause": _follows_fronted,
}
