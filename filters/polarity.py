"""A negation of one side that the other side lacks: `She did not go` and `She went`.

Not a filter of the paper; overlap and BERTScore hardly notice a negation. A pair is rejected if one side
has more negations than the other may have, and says of the same thing, with the same word, what the other
denies. `refused to sign` denies as `did not sign` does. What may be a negation counts on the side with
fewer: words that deny by themselves (`lack`, `unrelated`), and phrases such as `not only` and `no later
than`, which deny nothing on the side with more.

Off until `max_changed` is given: on real pairs that no rule had seen, 2 of its 6 alarms were right, and
good pairs and translations with a wrong negation are equally rare (docs/quality.md). Of negations that were
dropped or added by hand it finds a third. Words are data of languages (section `polarity`).
"""

import functools
import re
from bisect import bisect
from collections.abc import Iterable
from typing import ClassVar, NamedTuple

from pydantic import Field

from bitext_pivot.core.languages import section
from bitext_pivot.core.records import Parse
from bitext_pivot.filters.base import RuleFilter
from bitext_pivot.filters.english_words import parts_of_speech
from bitext_pivot.filters.view import CONTENT, View
from bitext_pivot.syntax import tagsets

_CLAUSE_HEADS = frozenset({"VERB", "AUX", "ADJ"})
_PREPOSITIONS = frozenset({"ADP", "SCONJ"})
_NOUNS = frozenset({"NOUN", "PROPN"})
_NAMED = _NOUNS | {"NUM"}
"""Parts of speech that say whom a claim is about; a pronoun may be about anyone."""
_Patterns = dict[str, re.Pattern[str]]


class Polarity(RuleFilter):
    """The number of negations of one side that the other side lacks, if the other side says the opposite."""

    VERSION: ClassVar[int] = 2
    DATA: ClassVar[str] = "polarity"
    UNMEASURED: ClassVar[str] = "no data of the language"
    max_changed: int | None = Field(default=None, title="Maximum negations", ge=0, le=1000)
    """Maximum number of negations that only one side may have, for instance 0. Empty: this filter is off.
    Languages without data are not measured."""

    @property
    def is_on(self) -> bool:
        """True if a maximum is given."""
        return self.max_changed is not None

    def measure(self, pair: View) -> float | None:
        """Return the number of negations; None for a language without data."""
        patterns = _patterns(pair.language)
        if patterns is None:
            return None
        texts = [text.lower().replace("’", "'") for text in pair.texts]
        if not any(_may_deny(text, patterns) for text in texts):
            return 0
        sentences = zip(pair.parses, texts, strict=True)
        long, first, second = [
            _Side(parse, text, patterns, is_english=pair.language == "en")
            for parse, text in sentences
        ]
        more, fewer = sorted((long, first.joined(second)), key=lambda side: -side.negations)
        surplus = more.negations - fewer.possible_negations(more)
        is_opposite = surplus > 0 and more.is_contradicted_by(fewer)
        return surplus * is_opposite


class _Claim(NamedTuple):
    """A content word that is said or denied, the verb of a noun, and the nouns of its clause."""

    word: str
    verb: str
    about: frozenset[str]

    def is_of_same(self, other: "_Claim") -> bool:
        """Return True if both are about the same, as far as the words show it."""
        if self.word != other.word or self.verb != other.verb:
            return False
        return not (self.about and other.about) or not self.about.isdisjoint(other.about)


class _Side:
    """What one or two sentences deny and say."""

    def __init__(self, parse: Parse, text: str, patterns: _Patterns, *, is_english: bool) -> None:
        """Read a sentence and its text in lower case."""
        self.is_english = is_english
        lemmas = [lemma.lower() for lemma in parse.lemmas]
        paths, doubled = _paths(parse, text, patterns)
        clauses = {path[-1] for path in paths}
        empty = {n for n, lemma in enumerate(lemmas) if patterns["empty"].fullmatch(lemma)}
        content = {n for n, pos in enumerate(parse.pos) if pos in CONTENT} - empty
        denied = {token for path in paths for token in path}
        denied.update(token for clause in clauses & empty for token in _below(parse, clause))
        in_scope = {n for n in content if not clauses.isdisjoint(_upwards(parse, n))}
        self.negations = len(clauses)
        exempt = len(_places(patterns["negations"], text)) - len(_negating(text, patterns))
        self.phrases = exempt + doubled
        self.denied = _claims(parse, denied & content)
        self.said = _claims(parse, content - denied - in_scope)
        self.words = {*lemmas}
        self.denials = {*patterns["denials"].findall(patterns["denying"].sub(" ", text))}
        self.affixed = {match[0]: match[1] for match in patterns["affixed"].finditer(text)}

    def joined(self, other: "_Side") -> "_Side":
        """Add what another sentence claims, and return the sum."""
        self.negations += other.negations
        self.phrases += other.phrases
        for name in ("denied", "said", "words", "denials", "affixed"):
            getattr(self, name).update(getattr(other, name))
        return self

    def possible_negations(self, other: "_Side") -> int:
        """Return the number of negations, and of what may stand for one and is not on the other side."""
        affixed = [
            word
            for word, stem in self.affixed.items()
            if word not in other.affixed
            and (stem in other.words or (self.is_english and _denies_by_affix(word, stem)))
        ]
        denials = self.denials - other.denials
        phrases = max(0, self.phrases - other.phrases)
        return self.negations + phrases + len(denials) + len(affixed)

    def is_contradicted_by(self, other: "_Side") -> bool:
        """Return True if the other side says what this side denies, and does not deny it, too."""
        said, denied = ({claim.word for claim in claims} for claims in (self.said, other.denied))
        mine = [claim for claim in self.denied if claim.word not in said]
        others = [claim for claim in other.said if claim.word not in denied]
        return any(claim.is_of_same(opposite) for claim in mine for opposite in others)


def _may_deny(text: str, patterns: _Patterns) -> bool:
    return bool(patterns["negations"].search(text) or patterns["denying"].search(text))


def _claims(parse: Parse, tokens: Iterable[int]) -> set[_Claim]:
    return {_Claim(parse.lemmas[n].lower(), _verb(parse, n), _about(parse, n)) for n in tokens}


def _verb(parse: Parse, i: int) -> str:
    """Return the verb that a noun depends on; "" for another word."""
    if parse.pos[i] not in _NOUNS:
        return ""
    return parse.lemmas[_clause(parse, i)].lower()


def _about(parse: Parse, i: int) -> frozenset[str]:
    """Return the names and nouns of the clause of a token, without the token."""
    clause = _clause(parse, i)
    named = (n for n, pos in enumerate(parse.pos) if pos in _NAMED and n != i)
    return frozenset(parse.lemmas[n].lower() for n in named if _clause(parse, n) == clause)


def _clause(parse: Parse, i: int) -> int:
    """Return the head of the clause of a token."""
    path = _upwards(parse, i)
    return next((n for n in path if parse.pos[n] in _CLAUSE_HEADS), path[-1])


def _places(pattern: re.Pattern[str], text: str) -> list[int]:
    return [match.start() for match in pattern.finditer(text)]


def _negating(text: str, patterns: _Patterns) -> list[int]:
    """Return where the negations of a text are, without those of phrases that deny nothing."""
    exempt: set[int] = set()
    for phrase in patterns["exempt"].finditer(text):
        exempt.update(range(*phrase.span()))
    return [place for place in _places(patterns["negations"], text) if place not in exempt]


def _paths(parse: Parse, text: str, patterns: _Patterns) -> tuple[list[list[int]], int]:
    """Return for each negation the tokens from what it belongs to up to the head of its clause.

    A verb that denies (`refused to sign`) has the verb behind it. If it is denied itself (`did not refuse to
    sign`), neither has any; the number of these is returned, too.
    """
    negating = [bisect(parse.starts, place) - 1 for place in _negating(text, patterns)]
    paths, doubled = [_path(parse, token) for token in negating], 0
    for match in patterns["denying"].finditer(text):
        verb = bisect(parse.starts, match.start()) - 1
        single = [path for path in paths if verb not in path]
        if len(single) < len(paths):
            paths, doubled = single, doubled + 1
            continue
        behind = range(bisect(parse.starts, match.end() - 1), len(parse.pos))
        denied = next((n for n in behind if parse.pos[n] == "VERB"), None)
        if denied is not None:
            paths.append([denied])
    return paths, doubled


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
    """Return the tokens that depend on a token, its subject aside, with those behind a preposition."""
    below = [
        n
        for n, head in enumerate(parse.heads)
        if head == i and not tagsets.is_named(parse.scheme, "subject", parse.deps[n])
    ]
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


def _denies_by_affix(word: str, stem: str) -> bool:
    """Return True if an English word is an adjective, adverb or verb, and so is what its affix negates."""
    kinds = {"ADJ", "ADV"} if word.startswith("i") else {"ADJ", "ADV", "VERB"}
    return not kinds.isdisjoint(parts_of_speech(word)) and not kinds.isdisjoint(
        parts_of_speech(stem)
    )


@functools.cache
def _patterns(language: str) -> _Patterns | None:
    """Return the patterns of a language, None if it has none."""
    patterns = {
        name: re.compile(pattern) for name, pattern in section(language, "polarity").items()
    }
    if not patterns:
        return None
    never = re.compile(r"(?!)")
    return {"denying": never, **patterns}
