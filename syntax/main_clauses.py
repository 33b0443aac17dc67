"""Whether a sentence has a main clause, or is a fragment: a subordinate clause, a noun with a relative clause ...

A small parser takes the main verb of many a good sentence for a noun, or hangs it below a subordinate clause.
A sentence is therefore a fragment only if all sources agree: the tree has no finite verb outside of
subordinate clauses; from left to right, each finite verb belongs to a word that opens a subordinate clause;
and no other word outside of these can be a finite verb. In English lemminflect's dictionary knows such words; where it
and a word's neighbours say verb, they overrule the tag of a noun. Behind a participle that opens a text the main
clause, if any, begins behind a comma.
Other languages have a table of endings (data of languages, section `main_clauses`), and only such fragments
are found as begin with what marks them: a conjunction, a relative pronoun, a participle, a verb without its
subject, or a noun with a relative clause. German clauses are known by the place of their verb (verb_last.py).
Very long sentences, in which parsers err most, count as complete.
"""

import functools
import re
from collections.abc import Iterator, Set
from typing import NamedTuple

from bitext_pivot.core.languages import section
from bitext_pivot.core.records import Parse
from bitext_pivot.syntax import tagsets, verb_last
from bitext_pivot.syntax.english_words import parts_of_speech, verb_forms
from bitext_pivot.syntax.grammar import Grammar

_SECTION = "main_clauses"
_VERBS = frozenset({"VERB", "AUX"})
_NOUNS = frozenset({"NOUN", "PROPN"})
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
_BEFORE_NOUNS = frozenset({"DET", "ADJ", "ADP", "NUM"})
_OPENING_NOUNS = frozenset({"DET", "ADP", "NUM", "CCONJ"})
_BEFORE_WH = frozenset({"ADP", "CCONJ", "ADV", "DET"})
_DEMONSTRATIVES = frozenset({"this", "that"})
_OBJECTS = frozenset({"DET", "PRON"})
_UNTAGGED = frozenset({"NOUN", "PROPN", "ADJ", "ADV", "VERB", "AUX", "X", "NUM"})
_NOUN_TAGS = frozenset({"NN", "NNP", "NNS", "NNPS"})
_PLURALS = frozenset({"NNS", "NNPS"})
_BASE_TAGS = frozenset({"NN", "NNP", "JJ", "VB", "IN"})
_FINITE_TAGS = frozenset({"VBZ", "VBP", "VBD"})
_NOTHING = frozenset({(), ("PUNCT",)})
_PARTICIPLES = frozenset({"VBG", "VBN"})
_BEFORE_PARTICIPLES = frozenset({"ADV", "PART", "PUNCT"})
_PAST_TAGS = frozenset({"JJ", "NN", "NNP"})
_NO_IMPERATIVE = frozenset({"TO", "MD", "VBZ", "VBP", "VBD"})
_BEHIND_IMPERATIVES = frozenset({"DET", "PRON", "ADJ", "ADV", "CCONJ", "NUM"})
_CLAUSE_BORDERS = frozenset({",", ";", ":", "-", "–", "—"})
_BORDERS = _CLAUSE_BORDERS | {"(", ")", "...", "…"}
_QUESTION = frozenset({"?", "؟"})
_END = 3  # tokens of a sentence that may hold its final punctuation
_OPENING = 3  # tokens from a conjunction to the comma behind its clause, at least
_TIMES = frozenset({
    "afternoon", "day", "evening", "month", "moment", "morning", "night", "summer", "time", "today", "week", "winter",
    "year", "yesterday",
})  # fmt: skip
_LONGEST = 45  # tokens of a sentence in which the parse is believed


class _Data(NamedTuple):
    """The data of a language: core/languages/en.toml describes each."""

    recitals: frozenset[str]
    endings: re.Pattern[str]
    participles: re.Pattern[str]
    starts: frozenset[str]
    before_verbs: frozenset[str]
    parts: re.Pattern[str]


def is_measured(language: str) -> bool:
    """Return True if fragments of a language are found."""
    return bool(section(language, _SECTION))


def is_fragment(parse: Parse, language: str) -> bool:
    """Return True if a sentence of a measured language has no main clause. Questions are sentences."""
    if len(parse.tokens) > _LONGEST or not _QUESTION.isdisjoint(parse.tokens[-_END:]):
        return False
    g = Grammar(parse, language)
    if _table(language).parts.match(" ".join(g.words)):
        return True
    if not verb_last.has_verb_last(language):
        return _is_one_subordinate(g) or _has_no_main_clause(g)
    finite = [i for i in range(len(g)) if _is_finite(g, i)]
    if verb_last.is_lone_clause(g, finite):
        return True
    if verb_last.opens_with_conjunction(g):
        return False
    return _has_no_main_clause(g) and (_is_first(g, finite) or verb_last.ends_clauses(g, finite))


def _is_one_subordinate(g: Grammar) -> bool:
    """Return True for one clause with one verb behind a conjunction: Spanish `Porque llegó tarde`."""
    if g.words[_first(g)] not in _table(g.language).starts:
        return False
    if not _BORDERS.isdisjoint(g.words):
        return False
    finite = [i for i in range(len(g)) if _is_finite(g, i)]
    others = [i for i in range(len(g)) if i not in finite and _ends_as_finite(g, i)]
    return len(finite) == 1 and not others


def _has_no_main_clause(g: Grammar) -> bool:
    """Return True if the tree has no main clause, and no word may be its verb."""
    verbs = [i for i in range(len(g)) if _is_finite(g, i) or _is_imperative(g, i)]
    main = [
        i for i in verbs if _is_main(g, _clause(g, i)) and not _shares_subject(g, _clause(g, i))
    ]
    if main:
        return _lacks_subject(g, main)
    if _leaves_a_verb(g):
        return False
    if g.language == "en" and _looks_imperative(g, _first(g)):
        return False
    if g.language == "en":
        behind = range(_behind_participle(g), len(g))
        return not any(_may_be_finite(g, i) and _is_main(g, _above(g, i)) for i in behind)
    return _opens_as_fragment(g) and not any(_looks_finite(g, i) for i in range(len(g)))


def _behind_participle(g: Grammar) -> int:
    """Return the place of the comma before which no main clause begins, as a participle opens the text; else 0."""
    root = g.main_verb
    if (
        root is None
        or g.tags[root] not in _PARTICIPLES
        or not {*g.pos[:root]} <= _BEFORE_PARTICIPLES
    ):
        return 0
    return next((i for i in range(root, len(g)) if g.tokens[i] in _BORDERS), len(g))


def _is_first(g: Grammar, finite: list[int]) -> bool:
    """Return True if a text begins with its first finite verb."""
    return bool(finite) and finite[0] == _first(g)


def _is_finite(g: Grammar, i: int) -> bool:
    """Return True for a finite verb, and for a verb of whose form the pipeline says nothing."""
    tag, morph = g.tags[i], g.parse.morphs[i]
    is_unknown = tag in {"", g.pos[i]} and not g.features(i, "VerbForm")
    return tagsets.is_finite(tag, morph) or (is_unknown and g.pos[i] in _VERBS)


def _is_imperative(g: Grammar, i: int) -> bool:
    """Return True for an English base form that heads a sentence, or is coordinated, without `to` or an auxiliary."""
    if g.tags[i] != "VB" or (g.head(i) is not None and not g.has_relation(i, "conjunct")):
        return False
    return not any(g.tags[child] in _NO_IMPERATIVE for child in g.auxiliaries(i))


def _clause(g: Grammar, i: int) -> int:
    """Return the head of the clause that a finite verb belongs to."""
    head = g.head(i)
    return head if head is not None and i in g.auxiliaries(head) else i


def _first(g: Grammar) -> int:
    """Return the first word."""
    words = (i for i in range(len(g)) if not g.is_punctuation(i))
    return next(words, 0)


def _is_main(g: Grammar, i: int) -> bool:
    """Return True if neither the clause that a token heads nor any above it is subordinate."""
    if _begins_behind_comma(g, i):
        return True
    return not _is_subordinate(g, i) and not any(
        _is_subordinate(g, above) for above in g.ancestors(i)
    )


def _is_subordinate(g: Grammar, i: int) -> bool:
    marker = g.marker(i)
    if marker is not None and g.words[marker] not in _table(g.language).recitals:
        return not _follows_a_subject(g, marker, i)
    if g.is_relative_clause(i):
        return not _follows_a_time(g, i)
    if g.has_relation(i, "participle_clause"):
        return True
    return g.is_clause(i) and _wh_word(g, i) is not None


def _follows_a_subject(g: Grammar, marker: int, clause: int) -> bool:
    """Return True for a conjunction behind the subject: "The share, after its entry, is set"."""
    return any(subject < marker for subject in g.related(clause, "subject"))


def _follows_a_time(g: Grammar, clause: int) -> bool:
    """Return True for what the parser took for a relative clause without a pronoun: "One day I ran too fast"."""
    head = g.head(clause)
    return g.relative_pronoun(clause) is None and head is not None and g.words[head] in _TIMES


def _wh_word(g: Grammar, clause: int) -> int | None:
    """Return the interrogative or relative word that opens a clause, a preposition before it aside."""
    for i in g.subtree(clause):
        if i >= clause:
            return None
        if g.is_wh(i):
            above = (head for head in g.ancestors(i) if g.is_clause(head))
            return i if next(above, None) == clause else None
        if not g.is_punctuation(i) and g.pos[i] not in _BEFORE_WH:
            return None
    return None


def _begins_behind_comma(g: Grammar, clause: int) -> bool:
    """Return True if the subject stands behind a comma, so that the conjunction before it opens another clause."""
    if g.is_relative_clause(clause):
        return False
    marker = g.marker(clause)
    opener = _wh_word(g, clause) if marker is None else marker
    for subject in g.related(clause, "subject"):
        start = g.subtree(subject)[0]
        is_behind = start > 0 and g.tokens[start - 1] in _CLAUSE_BORDERS
        if is_behind and (opener is None or start - opener >= _OPENING):
            return True
    return False


def _shares_subject(g: Grammar, clause: int) -> bool:
    """Return True for a verb coordinated with a participle that opens the sentence, as in `Invaded and left`."""
    if not g.has_relation(clause, "conjunct") or g.has_own_subject(clause):
        return False
    first = g.first_conjunct(clause)
    return first == _first(g) and not g.is_finite(first) and not _is_imperative(g, first)


def _lacks_subject(g: Grammar, main: list[int]) -> bool:
    """Return True if the first word is the finite verb, cannot be an imperative, and no main clause has a subject."""
    verb = main[0]
    if g.drops_subjects or verb != _first(g) or _may_be_imperative(g, verb):
        return False
    if g.pos[verb] == "PRON" or g.has_relation(verb, "subject"):  # "It's", whose parts share a tag
        return False
    clause = _clause(g, verb)
    if g.language != "en" and g.has_own_subject(clause):
        return False
    others = {_clause(g, i) for i in main} - {clause, *g.conjuncts(clause)}
    return not any(map(g.has_own_subject, others))


def _may_be_imperative(g: Grammar, i: int) -> bool:
    """Return True for an English base form, an imperative, and a verb of whose form the pipeline says nothing."""
    return g.tags[i] in {"VBP", "VB", "", g.pos[i]} or "Imp" in g.features(i, "Mood")


def _leaves_a_verb(g: Grammar) -> bool:
    """Return True if a finite verb is left when each word that opens a subordinate clause has taken the next one."""
    opened, first = 0, _first(g)
    for i in range(len(g)):
        if _opens(g, i):
            opened += not (i and _opens(g, i - 1))
        elif _is_finite(g, i) or (g.language == "en" and i and _is_overruled(g, i)):
            if _continues(g, _clause(g, i)) or (not opened and _is_bare_relative(g, _clause(g, i))):
                continue
            if not opened and i != first:
                return True
            opened = max(0, opened - 1)
    return False


def _opens(g: Grammar, i: int) -> bool:
    if g.words[i] in _table(g.language).recitals or g.tags[i] == "LS":
        return False
    return g.is_wh(i) or (g.has_relation(i, "marker") and not g.is_infinitive_marker(i))


def _is_overruled(g: Grammar, i: int) -> bool:
    """Return True for a word tagged as a noun that is a finite verb by the dictionary and by what stands beside it.

    It has a subject by the parse, or an object (`measures concern the trade`), or is nothing but a verb (`involves`).
    So is a base form behind a list of names (`Anna and Ben decide`).
    """
    before, after = g.pos[i - 1], g.pos[i + 1 : i + 2]
    if g.tags[i] == "VB":
        return g.pos[i - 2 : i] == ("CCONJ", "PROPN")
    is_noun = g.tags[i] in _NOUN_TAGS and g.tokens[i].islower()
    if not is_noun or verb_forms(g.words[i]).isdisjoint(_FINITE_TAGS):
        return False
    if parts_of_speech(g.words[i]) == {"verb"}:
        return before not in _BEFORE_NOUNS - {"ADP"} and after not in _NOTHING
    return bool(g.related(i, "subject")) or (before not in _BEFORE_NOUNS and after == ("DET",))


def _continues(g: Grammar, clause: int) -> bool:
    """Return True for `and left` behind another verb."""
    return g.coordinator(clause) is not None and not g.has_own_subject(clause)


def _is_bare_relative(g: Grammar, clause: int) -> bool:
    """Return True for a relative clause without a pronoun behind the noun that heads the sentence: `the man I met`."""
    subject = g.subject(clause)
    if _follows_a_time(g, clause):
        return False
    if (
        subject is None
        or not g.has_relation(clause, "relative_clause")
        or g.relative_pronoun(clause) is not None
    ):
        return False
    start = g.subtree(subject)[0]
    return start > 0 and g.pos[start - 1] in _NOMINAL and g.head(clause) == g.main_verb


def _above(g: Grammar, i: int) -> int:
    """Return the head of a participle that depends on a noun, any other token itself."""
    head = g.head(i)
    return head if head is not None and g.has_relation(i, "participle_clause") else i


def _may_be_finite(g: Grammar, i: int) -> bool:
    """Return True if an English word that is not tagged as a finite verb may be one where it stands."""
    forms = verb_forms(g.words[i])
    if not i or not forms:
        return "VB" in forms and g.tags[i] == "VB"
    if g.tags[i] == "VBN":
        return "VBD" in forms and _may_be_past(g, i)
    return _may_be_misread(g, i, forms)


def _looks_imperative(g: Grammar, i: int) -> bool:
    """Return True for a first word that may be a base form and is tagged as a noun or adjective: `Use only plastic`."""
    if i + 1 >= len(g) or g.tags[i] not in _BASE_TAGS:
        return False
    return g.pos[i + 1] in _BEHIND_IMPERATIVES and "VB" in verb_forms(g.words[i])


def _may_be_misread(g: Grammar, i: int, forms: Set[str]) -> bool:
    """Return True if a word that is tagged as a noun or adjective may be one of these forms of a verb."""
    tag, before = g.tags[i], _before(g, i)
    is_past, is_singular = (
        tag in _PAST_TAGS and "VBD" in forms,
        tag in _NOUN_TAGS and "VBZ" in forms,
    )
    if is_singular and i + 1 < len(g) and g.pos[i + 1] in _OBJECTS:
        return True
    if "VBD" in forms and g.words[i - 1] in _DEMONSTRATIVES:
        return True
    if is_past or is_singular:
        is_behind_subject = g.has_relation(i - 1, "subject")  # "the younger one prefers"
        return is_behind_subject or before in _NOMINAL - {"NUM"} or before == "ADV"
    return (
        before not in _BEFORE_NOUNS
        and tag in _BASE_TAGS
        and "VBP" in forms
        and _may_be_plural_verb(g, i)
    )


def _may_be_past(g: Grammar, i: int) -> bool:
    """Return True if a word tagged as a participle may be the past form: it has an object, or follows a subject."""
    if g.related(i, "object") and not g.auxiliaries(i):
        return True
    if g.head(i) is None and any(pos in _NOMINAL - {"NUM"} for pos in g.pos[:i]):
        return True
    before = g.pos[i - 1]
    if before == "PUNCT" and i > 1 and g.words[i - 1] != ",":
        before = g.pos[i - 2]
    return before in _NOMINAL or before == "ADV"


def _before(g: Grammar, i: int) -> str:
    """Return the part of speech before a token; a number behind a noun is a part of its name."""
    before = g.pos[i - 1]
    is_name = before == "NUM" and i > 1 and g.pos[i - 2] in _NOMINAL
    return "NOUN" if is_name else before


def _may_be_plural_verb(g: Grammar, i: int) -> bool:
    """Return True if what stands before a base form may be its subject."""
    if g.tags[i - 1] == "PRP" or g.tags[i - 1] in _PLURALS:
        return True
    is_last = i + 1 == len(g)
    return (
        g.pos[i - 1] in _NOUNS
        and not is_last
        and (g.pos[i + 1] in _OBJECTS or g.words[i + 1] == "to")
    )


def _opens_as_fragment(g: Grammar) -> bool:
    """Return True if a text begins with what marks a fragment."""
    root, first = g.main_verb, _first(g)
    if root is None:
        return False
    if g.is_finite(root):
        return any(_opens(g, i) for i in range(first, min(first + 2, len(g))))
    if root == first and _may_be_participle(g, root):
        return True
    if root == first and _may_be_verb_of_saying(g, root):
        return False
    relatives = [i for i in _below(g, root) if g.is_relative_clause(i) and _is_opened(g, i)]
    return g.pos[root] in _NOUNS and bool(relatives) and not _hides_a_verb(g, relatives)


def _may_be_verb_of_saying(g: Grammar, i: int) -> bool:
    """Return True for a first word taken for a name, if a conjunction follows: Spanish `Creo que`."""
    is_name = g.drops_subjects and g.pos[i] == "PROPN"
    return is_name and i + 1 < len(g) and _opens(g, i + 1)


def _is_opened(g: Grammar, clause: int) -> bool:
    """Return True for a clause with a relative pronoun, even if taken for a conjunction: Spanish `que`."""
    if g.relative_pronoun(clause) is not None:
        return True
    marker = g.marker(clause)
    return marker is not None and _follows_noun(g, marker)


def _follows_noun(g: Grammar, marker: int) -> bool:
    """Return True behind a noun with an article or preposition; others may be verbs: `creen que`."""
    noun = marker - 1
    while noun > 0 and (g.is_punctuation(noun) or g.pos[noun] == "ADP"):
        noun -= 1
    if noun > 1 and g.pos[noun - 1] == "ADJ":
        return g.pos[noun] in _NOUNS and g.pos[noun - 2] in _OPENING_NOUNS
    return noun > 0 and g.pos[noun] in _NOUNS and g.pos[noun - 1] in _OPENING_NOUNS


def _may_be_participle(g: Grammar, i: int) -> bool:
    """Return True if a word is a participle by its features, or by its ending."""
    is_tagged = bool(g.features(i, "VerbForm") & {"Part", "Ger"})
    return is_tagged or bool(_table(g.language).participles.fullmatch(g.words[i]))


def _below(g: Grammar, i: int) -> Iterator[int]:
    return (child for child in g.subtree(i) if child != i)


def _hides_a_verb(g: Grammar, relatives: list[int]) -> bool:
    """Return True if a determiner behind a noun, or a word before verbs, is outside of relative clauses."""
    inside = {i for relative in relatives for i in g.subtree(relative)}
    outside = [i for i in range(len(g)) if i not in inside]
    if any(g.words[i] in _table(g.language).before_verbs for i in outside):
        return True
    pairs = [i for i in outside if i and g.pos[i] == "DET"]
    return any(g.pos[i - 1] in {*_NOUNS, "ADJ"} for i in pairs)


def _looks_finite(g: Grammar, i: int) -> bool:
    """Return True if a word outside of subordinate clauses is not tagged as a finite verb, but ends as one."""
    if not _ends_as_finite(g, i):
        return False
    return not any(_is_subordinate(g, above) for above in (i, *g.ancestors(i)))


def _ends_as_finite(g: Grammar, i: int) -> bool:
    """Return True if a word is not tagged as a finite verb, but ends as one."""
    word = g.words[i]
    is_name = i != _first(g) and not g.tokens[i].islower()
    if g.pos[i] not in _UNTAGGED or is_name or _is_finite(g, i):
        return False
    if i and g.pos[i - 1] in {"DET", "ADP"}:
        return False
    return bool(_table(g.language).endings.fullmatch(word))


@functools.cache
def _table(language: str) -> _Data:
    """Return the data of a language."""
    table = section(language, _SECTION)
    return _Data(
        frozenset(table.get("recitals", ())),
        re.compile(table.get("endings", "")),
        re.compile(table.get("participles", "")),
        frozenset(table.get("starts", "").split()),
        frozenset(table.get("before_verbs", "").split()),
        re.compile(rf"\W*(?:{table.get('parts', '(?!)')})\b"),
    )
