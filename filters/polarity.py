"""A negation of one side that the other side lacks: `She did not go` and `She went`.

Not a filter of the paper; overlap and BERTScore hardly notice a negation. A pair is rejected if one side has fewer
negations and says with the same word what the other side denies. It is accepted if the side with fewer has a word that
denies by itself: `failed to` for `did not`, `unable` for `not able`. Phrases such as `not only` and `no later than` are
no negations. Words are data of languages (section `polarity`); figures are in docs/quality.md.
"""

import functools
import re
from bisect import bisect

from pydantic import Field

from bitext_pivot.core.languages import section
from bitext_pivot.core.records import Parse
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.view import CONTENT, View

_CLAUSE_HEADS = frozenset({"VERB", "AUX", "ADJ"})
_PREPOSITIONS = frozenset({"ADP", "SCONJ"})
_Patterns = dict[str, re.Pattern[str]]


class Polarity(RuleFilter):
    """The number of negations of one side that the other side lacks, if the other side says the opposite."""

    max_changed: int = Field(default=0, title="Maximum negations", ge=0, le=1000)
    """Maximum number of negations that only one side may have. Languages without data are not measured."""

    def measure(self, pair: View) -> float | None:
        """Return the number of negations; None for a language without data."""
        patterns = _patterns(pair.language)
        if patterns is None:
            return None
        texts = [text.lower().replace("’", "'") for text in pair.texts]
        if not any(map(patterns["negations"].search, texts)):
            return 0
        long, first, second = [
            _Claims(parse, text, patterns) for parse, text in zip(pair.parses, texts, strict=True)
        ]
        more, fewer = sorted((long, first.joined(second)), key=lambda side: -side.negations)
        is_opposite = more.denied - more.said & fewer.said - fewer.denied
        return more.negations - fewer.negations if is_opposite and not fewer.explains(more) else 0


class _Claims:
    """What one or two sentences deny and say."""

    def __init__(self, parse: Parse, text: str, patterns: _Patterns) -> None:
        """Read a sentence and its text in lower case."""
        lemmas = [lemma.lower() for lemma in parse.lemmas]
        paths = [_path(parse, token) for token in _negating(parse, text, patterns)]
        clauses = {path[-1] for path in paths}
        empty = {n for n, lemma in enumerate(lemmas) if patterns["empty"].fullmatch(lemma)}
        content = {n for n, pos in enumerate(parse.pos) if pos in CONTENT} - empty
        denied = {token for path in paths for token in path}
        denied.update(token for clause in clauses & empty for token in _below(parse, clause))
        in_scope = {n for n in content if not clauses.isdisjoint(_upwards(parse, n))}
        self.negations = len(clauses)
        self.denied = {lemmas[n] for n in denied & content}
        self.said = {lemmas[n] for n in content - denied - in_scope}
        self.words = {*lemmas}
        self.denials = {*patterns["denials"].findall(text)}
        self.affixed = {*patterns["affixed"].findall(text)}

    def joined(self, other: "_Claims") -> "_Claims":
        """Add what another sentence claims, and return the sum."""
        self.negations += other.negations
        for name in ("denied", "said", "words", "denials", "affixed"):
            getattr(self, name).update(getattr(other, name))
        return self

    def explains(self, other: "_Claims") -> bool:
        """Return True if a word denies by itself, and the other side has none such or the word without its affix."""
        return bool(self.denials - other.denials or self.affixed & other.words)


def _negating(parse: Parse, text: str, patterns: _Patterns) -> list[int]:
    """Return the tokens that negate."""
    exempt = {
        place for phrase in patterns["exempt"].finditer(text) for place in range(*phrase.span())
    }
    places = (match.start() for match in patterns["negations"].finditer(text))
    return [bisect(parse.starts, place) - 1 for place in places if place not in exempt]


def _path(parse: Parse, i: int) -> list[int]:
    """Return the tokens from what a negation belongs to up to the head of its clause; the object of `without`."""
    if parse.pos[i] in _PREPOSITIONS:
        return [next((n for n, head in enumerate(parse.heads) if head == i < n), parse.heads[i])]
    path = []
    for head in _upwards(parse, i)[1:]:
        path.append(head)
        if parse.pos[head] in _CLAUSE_HEADS:
            break
    return path or [i]


def _below(parse: Parse, i: int) -> list[int]:
    """Return the tokens that depend on a token, with those behind a preposition."""
    below = [n for n, head in enumerate(parse.heads) if head == i]
    return [
        *below,
        *(
            n
            for n, head in enumerate(parse.heads)
            if head in below and parse.pos[head] in _PREPOSITIONS
        ),
    ]


def _upwards(parse: Parse, i: int) -> list[int]:
    """Return a token, its head, and so on up to the root."""
    path = [i]
    while (head := parse.heads[path[-1]]) not in path:
        path.append(head)
    return path


@functools.cache
def _patterns(language: str) -> _Patterns | None:
    """Return the patterns of a language, None if it has none."""
    patterns = section(language, "polarity")
    return {name: re.compile(pattern) for name, pattern in patterns.items()} or None
