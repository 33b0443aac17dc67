"""Find sentence fragments: texts without a main clause.

Small parsers often tag the main verb of a good sentence as a noun, or attach it to a subordinate clause. A
text therefore counts as a fragment only if three sources agree:

* the tree has no finite verb outside of subordinate clauses;
* read from left to right, each finite verb can be paired with an earlier word that opens a subordinate clause;
* no other word outside of subordinate clauses can be a finite verb.

In English, lemminflect's dictionary decides which words can be finite verbs. If the dictionary and the
neighbouring words agree on a verb, they overrule the tag of a noun. After a participle that opens the text,
the main clause can only begin after a comma.

Other languages have a table of verb endings (section `main_clauses` of the language's data file). There, a text is
a fragment only if it begins like one: with a conjunction, a relative pronoun, a participle, a verb that lacks its
subject, or a noun with a relative clause. In German, the position of the verb decides (verb_last.py).

Parsers err most in very long sentences, so these always count as complete.
"""

import functools
import re
from collections.abc import Iterator, Set
from typing import NamedTuple

from bitext_pivot.core.languages import section
from bitext_pivot.core.records import Parse
from bitext_pivot.syntax import tagsets, verb_last
from bitext_pivot.syntax.dependency_tree import DependencyTree
from bitext_pivot.syntax.english_words import parts_of_speech, verb_forms

_SECTION = "main_clauses"
_VERBS = frozenset({"VERB", "AUX"})
_NOUNS = frozenset({"NOUN", "PROPN"})
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
_BEFORE_NOUNS = frozenset({"DET", "ADJ", "ADP", "NUM"})
_OPENING_NOUNS = frozenset({"DET", "ADP", "NUM", "CCONJ"})
_BEFORE_WH = frozenset({"ADP", "CCONJ", "ADV", "DET"})
_DEMONSTRATIVES = frozenset({"this", "that"})
_OBJECTS = frozenset({"DET", "PRON"})
_MISTAGGABLE = frozenset({"NOUN", "PROPN", "ADJ", "ADV", "VERB", "AUX", "X", "NUM"})
_NOUN_TAGS = frozenset({"NN", "NNP", "NNS", "NNPS"})
_PLURALS = frozenset({"NNS", "NNPS"})
_BASE_TAGS = frozenset({"NN", "NNP", "JJ", "VB", "IN"})
_FINITE_TAGS = frozenset({"VBZ", "VBP", "VBD"})
_SENTENCE_ENDS = frozenset({(), ("PUNCT",)})
_PARTICIPLES = frozenset({"VBG", "VBN"})
_BEFORE_PARTICIPLES = frozenset({"ADV", "PART", "PUNCT"})
_PAST_TAGS = frozenset({"JJ", "NN", "NNP"})
_FINITE_AUXILIARIES = frozenset({"TO", "MD", "VBZ", "VBP", "VBD"})
_AFTER_IMPERATIVES = frozenset({"DET", "PRON", "ADJ", "ADV", "CCONJ", "NUM"})
_CLAUSE_BORDERS = frozenset({",", ";", ":", "-", "–", "—"})
_BORDERS = _CLAUSE_BORDERS | {"(", ")", "...", "…"}
_QUESTION = frozenset({"?", "؟"})
_END = 3  # number of last tokens that can contain the final punctuation
_OPENING = 3  # minimum distance from a conjunction to the comma after its clause, in tokens
_TIME_NOUNS = frozenset({
    "afternoon", "day", "evening", "month", "moment", "morning", "night", "summer", "time", "today", "week", "winter",
    "year", "yesterday",
})  # fmt: skip
_LONGEST = 45  # tokens; parses of longer sentences are not trusted


class _LanguageRules(NamedTuple):
    """The section `main_clauses` of a language's data file; core/languages/en.toml describes it."""

    recitals: frozenset[str]
    endings: re.Pattern[str]
    participles: re.Pattern[str]
    starts: frozenset[str]
    before_verbs: frozenset[str]
    parts: re.Pattern[str]


def has_fragment_rules(language: str) -> bool:
    """Return True if the language has the rules by which fragments are found."""
    return bool(section(language, _SECTION))


def is_fragment(parse: Parse, language: str) -> bool:
    """Return True if a text has no main clause. Questions are never fragments.

    "Because he was late." -> True. The language must have fragment rules (`has_fragment_rules`).
    """
    if len(parse.tokens) > _LONGEST or not _QUESTION.isdisjoint(parse.tokens[-_END:]):
        return False
    tree = DependencyTree(parse, language)
    if _language_rules(language).parts.match(" ".join(tree.words)):
        return True
    if not verb_last.is_verb_final_language(language):
        return _is_single_subordinate_clause(tree) or _has_no_main_clause(tree)
    finite = [i for i in range(len(tree)) if _is_finite(tree, i)]
    if verb_last.is_lone_subordinate_clause(tree, finite):
        return True
    if verb_last.opens_with_conjunction(tree):
        return False
    return _has_no_main_clause(tree) and (
        _starts_with_verb(tree, finite) or verb_last.are_clause_final(tree, finite)
    )


def _is_single_subordinate_clause(tree: DependencyTree) -> bool:
    """Return True if a text is only a conjunction with one clause and one verb.

    Spanish `Porque llegó tarde` -> True
    """
    if tree.words[_first_word(tree)] not in _language_rules(tree.language).starts:
        return False
    if not _BORDERS.isdisjoint(tree.words):
        return False
    finite = [i for i in range(len(tree)) if _is_finite(tree, i)]
    others = [i for i in range(len(tree)) if i not in finite and _has_finite_ending(tree, i)]
    return len(finite) == 1 and not others


def _has_no_main_clause(tree: DependencyTree) -> bool:
    """Return True if the tree has no main clause, and no word in it can be the verb of one."""
    verbs = [i for i in range(len(tree)) if _is_finite(tree, i) or _is_imperative(tree, i)]
    main = [
        i
        for i in verbs
        if _is_in_main_clause(tree, _clause_head(tree, i))
        and not _continues_participle(tree, _clause_head(tree, i))
    ]
    if main:
        return _lacks_required_subject(tree, main)
    if _has_unclaimed_verb(tree):
        return False
    if tree.language == "en" and _looks_imperative(tree, _first_word(tree)):
        return False
    if tree.language == "en":
        rest = range(_participle_clause_end(tree), len(tree))
        return not any(
            _may_be_finite(tree, i) and _is_in_main_clause(tree, _modified_head(tree, i))
            for i in rest
        )
    return _starts_like_fragment(tree) and not any(_looks_finite(tree, i) for i in range(len(tree)))


def _participle_clause_end(tree: DependencyTree) -> int:
    """Return the index of the comma after a participle clause that opens the text, or 0.

    No main clause begins before that comma: "Founded in 1900, the club ..."
    """
    root = tree.main_verb
    if (
        root is None
        or tree.tags[root] not in _PARTICIPLES
        or not {*tree.pos[:root]} <= _BEFORE_PARTICIPLES
    ):
        return 0
    return next((i for i in range(root, len(tree)) if tree.tokens[i] in _BORDERS), len(tree))


def _starts_with_verb(tree: DependencyTree, finite: list[int]) -> bool:
    return bool(finite) and finite[0] == _first_word(tree)


def _is_finite(tree: DependencyTree, i: int) -> bool:
    """Return True for a finite verb, and for any verb if the pipeline does not state its form."""
    tag, morph = tree.tags[i], tree.parse.morphs[i]
    is_unknown = tag in {"", tree.pos[i]} and not tree.features(i, "VerbForm")
    return tagsets.is_finite_form(tag, morph) or (is_unknown and tree.pos[i] in _VERBS)


def _is_imperative(tree: DependencyTree, i: int) -> bool:
    """Return True if a token is an English base form used as an imperative.

    It must be the root or a conjunct, and have neither "to" nor an auxiliary.
    """
    if tree.tags[i] != "VB" or (tree.head(i) is not None and not tree.has_relation(i, "conjunct")):
        return False
    return not any(tree.tags[child] in _FINITE_AUXILIARIES for child in tree.auxiliaries(i))


def _clause_head(tree: DependencyTree, i: int) -> int:
    """Return the head of the clause that a finite verb or auxiliary belongs to."""
    head = tree.head(i)
    return head if head is not None and i in tree.auxiliaries(head) else i


def _first_word(tree: DependencyTree) -> int:
    words = (i for i in range(len(tree)) if not tree.is_punctuation(i))
    return next(words, 0)


def _is_in_main_clause(tree: DependencyTree, i: int) -> bool:
    """Return True if neither the clause headed by `i` nor any clause above it is subordinate."""
    if _subject_follows_comma(tree, i):
        return True
    return not _heads_subordinate_clause(tree, i) and not any(
        _heads_subordinate_clause(tree, above) for above in tree.ancestors(i)
    )


def _heads_subordinate_clause(tree: DependencyTree, i: int) -> bool:
    marker = tree.marker(i)
    if marker is not None and tree.words[marker] not in _language_rules(tree.language).recitals:
        return not _subject_precedes_marker(tree, marker, i)
    if tree.is_relative_clause(i):
        return not _modifies_time_noun(tree, i)
    if tree.has_relation(i, "participle_clause"):
        return True
    return tree.is_clause(i) and _opening_wh_word(tree, i) is not None


def _subject_precedes_marker(tree: DependencyTree, marker: int, clause: int) -> bool:
    """Return True if a conjunction comes after the subject of its clause.

    Such a conjunction belongs to an inserted phrase: "The share, after its entry, is set".
    """
    return any(subject < marker for subject in tree.dependents(clause, "subject"))


def _modifies_time_noun(tree: DependencyTree, clause: int) -> bool:
    """Return True if a clause without a relative pronoun is attached to a noun of time.

    In "One day I ran too fast", the parser took the main clause for a relative clause.
    """
    head = tree.head(clause)
    return (
        tree.relative_pronoun(clause) is None
        and head is not None
        and tree.words[head] in _TIME_NOUNS
    )


def _opening_wh_word(tree: DependencyTree, clause: int) -> int | None:
    """Return the index of the WH word that opens a clause, possibly after a preposition, or None."""
    for i in tree.subtree(clause):
        if i >= clause:
            return None
        if tree.is_wh(i):
            above = (head for head in tree.ancestors(i) if tree.is_clause(head))
            return i if next(above, None) == clause else None
        if not tree.is_punctuation(i) and tree.pos[i] not in _BEFORE_WH:
            return None
    return None


def _subject_follows_comma(tree: DependencyTree, clause: int) -> bool:
    """Return True if a comma precedes the subject of a clause.

    A conjunction before that comma then opens another clause.
    """
    if tree.is_relative_clause(clause):
        return False
    marker = tree.marker(clause)
    opener = _opening_wh_word(tree, clause) if marker is None else marker
    for subject in tree.dependents(clause, "subject"):
        start = tree.subtree(subject)[0]
        is_after_comma = start > 0 and tree.tokens[start - 1] in _CLAUSE_BORDERS
        if is_after_comma and (opener is None or start - opener >= _OPENING):
            return True
    return False


def _continues_participle(tree: DependencyTree, clause: int) -> bool:
    """Return True if a verb is coordinated with an opening participle: "Invaded and left"."""
    if not tree.has_relation(clause, "conjunct") or tree.has_own_subject(clause):
        return False
    first = tree.first_conjunct(clause)
    return (
        first == _first_word(tree) and not tree.is_finite(first) and not _is_imperative(tree, first)
    )


def _lacks_required_subject(tree: DependencyTree, main: list[int]) -> bool:
    """Return True if the text begins with a finite verb that lacks its subject.

    The verb cannot be an imperative, and no other main clause has a subject: "Was built in 1900."
    """
    verb = main[0]
    if tree.allows_dropped_subjects or verb != _first_word(tree) or _may_be_imperative(tree, verb):
        return False
    # In "It's", both parts have the same tag.
    if tree.pos[verb] == "PRON" or tree.has_relation(verb, "subject"):
        return False
    clause = _clause_head(tree, verb)
    if tree.language != "en" and tree.has_own_subject(clause):
        return False
    others = {_clause_head(tree, i) for i in main} - {clause, *tree.conjuncts(clause)}
    return not any(map(tree.has_own_subject, others))


def _may_be_imperative(tree: DependencyTree, i: int) -> bool:
    """Return True if a verb is an imperative, an English base form, or of unknown form."""
    return tree.tags[i] in {"VBP", "VB", "", tree.pos[i]} or "Imp" in tree.features(i, "Mood")


def _has_unclaimed_verb(tree: DependencyTree) -> bool:
    """Return True if the text has more finite verbs than openers of subordinate clauses.

    Words are read from left to right, and each opener claims the next finite verb. A verb that no opener has
    claimed belongs to a main clause.
    """
    opened, first = 0, _first_word(tree)
    for i in range(len(tree)):
        if _opens_subordinate_clause(tree, i):
            opened += not (i and _opens_subordinate_clause(tree, i - 1))
        elif _is_finite(tree, i) or (tree.language == "en" and i and _is_mistagged_verb(tree, i)):
            if _is_coordinated_verb(tree, _clause_head(tree, i)) or (
                not opened and _is_zero_relative(tree, _clause_head(tree, i))
            ):
                continue
            if not opened and i != first:
                return True
            opened = max(0, opened - 1)
    return False


def _opens_subordinate_clause(tree: DependencyTree, i: int) -> bool:
    if tree.words[i] in _language_rules(tree.language).recitals or tree.tags[i] == "LS":
        return False
    return tree.is_wh(i) or (tree.has_relation(i, "marker") and not tree.is_infinitive_marker(i))


def _is_mistagged_verb(tree: DependencyTree, i: int) -> bool:
    """Return True if a noun tag is wrong because the neighbouring words show a finite verb.

    The word has a subject or is followed by an object ("measures concern the trade"), or it can only be a
    verb ("involves"). A base form after coordinated names counts, too: "Anna and Ben decide".
    """
    before, after = tree.pos[i - 1], tree.pos[i + 1 : i + 2]
    if tree.tags[i] == "VB":
        return tree.pos[i - 2 : i] == ("CCONJ", "PROPN")
    is_noun = tree.tags[i] in _NOUN_TAGS and tree.tokens[i].islower()
    if not is_noun or verb_forms(tree.words[i]).isdisjoint(_FINITE_TAGS):
        return False
    if parts_of_speech(tree.words[i]) == {"verb"}:
        return before not in _BEFORE_NOUNS - {"ADP"} and after not in _SENTENCE_ENDS
    return bool(tree.dependents(i, "subject")) or (
        before not in _BEFORE_NOUNS and after == ("DET",)
    )


def _is_coordinated_verb(tree: DependencyTree, clause: int) -> bool:
    """Return True if a verb is coordinated with an earlier verb and shares its subject.

    "He came and left" -> True for "left"
    """
    return tree.coordinator(clause) is not None and not tree.has_own_subject(clause)


def _is_zero_relative(tree: DependencyTree, clause: int) -> bool:
    """Return True if a relative clause without a pronoun modifies the first noun: "the man I met"."""
    subject = tree.subject(clause)
    if _modifies_time_noun(tree, clause):
        return False
    if (
        subject is None
        or not tree.has_relation(clause, "relative_clause")
        or tree.relative_pronoun(clause) is not None
    ):
        return False
    start = tree.subtree(subject)[0]
    return start > 0 and tree.pos[start - 1] in _NOMINAL and tree.head(clause) == tree.main_verb


def _modified_head(tree: DependencyTree, i: int) -> int:
    """Return the noun that a participle modifies, or `i` itself for any other token."""
    head = tree.head(i)
    return head if head is not None and tree.has_relation(i, "participle_clause") else i


def _may_be_finite(tree: DependencyTree, i: int) -> bool:
    """Return True if an English word, despite its tag, can be a finite verb in its context."""
    forms = verb_forms(tree.words[i])
    if not i or not forms:
        return "VB" in forms and tree.tags[i] == "VB"
    if tree.tags[i] == "VBN":
        return "VBD" in forms and _may_be_past(tree, i)
    return _may_be_mistagged(tree, i, forms)


def _looks_imperative(tree: DependencyTree, i: int) -> bool:
    """Return True if the first word can be an imperative although it is tagged otherwise.

    An example is "Use only plastic" with "Use" tagged as a noun.
    """
    if i + 1 >= len(tree) or tree.tags[i] not in _BASE_TAGS:
        return False
    return tree.pos[i + 1] in _AFTER_IMPERATIVES and "VB" in verb_forms(tree.words[i])


def _may_be_mistagged(tree: DependencyTree, i: int, forms: Set[str]) -> bool:
    """Return True if a word tagged as a noun or adjective can be one of `forms` in its context."""
    tag, before = tree.tags[i], _preceding_pos(tree, i)
    is_past = tag in _PAST_TAGS and "VBD" in forms
    is_singular = tag in _NOUN_TAGS and "VBZ" in forms
    if is_singular and i + 1 < len(tree) and tree.pos[i + 1] in _OBJECTS:
        return True
    if "VBD" in forms and tree.words[i - 1] in _DEMONSTRATIVES:
        return True
    if is_past or is_singular:
        follows_subject = tree.has_relation(i - 1, "subject")  # "the younger one prefers"
        return follows_subject or before in _NOMINAL - {"NUM"} or before == "ADV"
    return (
        before not in _BEFORE_NOUNS
        and tag in _BASE_TAGS
        and "VBP" in forms
        and _may_be_plural_verb(tree, i)
    )


def _may_be_past(tree: DependencyTree, i: int) -> bool:
    """Return True if a word tagged as a past participle can be a past tense form.

    The word has an object, or follows a possible subject.
    """
    if tree.dependents(i, "object") and not tree.auxiliaries(i):
        return True
    if tree.head(i) is None and any(pos in _NOMINAL - {"NUM"} for pos in tree.pos[:i]):
        return True
    before = tree.pos[i - 1]
    if before == "PUNCT" and i > 1 and tree.words[i - 1] != ",":
        before = tree.pos[i - 2]
    return before in _NOMINAL or before == "ADV"


def _preceding_pos(tree: DependencyTree, i: int) -> str:
    """Return the part of speech of the token before `i`.

    A number after a noun counts as a noun: "in Table 3".
    """
    before = tree.pos[i - 1]
    is_name = before == "NUM" and i > 1 and tree.pos[i - 2] in _NOMINAL
    return "NOUN" if is_name else before


def _may_be_plural_verb(tree: DependencyTree, i: int) -> bool:
    """Return True if the word before a base form can be its plural subject."""
    if tree.tags[i - 1] == "PRP" or tree.tags[i - 1] in _PLURALS:
        return True
    is_last = i + 1 == len(tree)
    return (
        tree.pos[i - 1] in _NOUNS
        and not is_last
        and (tree.pos[i + 1] in _OBJECTS or tree.words[i + 1] == "to")
    )


def _starts_like_fragment(tree: DependencyTree) -> bool:
    """Return True if a text begins with a conjunction, a participle or a modified noun."""
    root, first = tree.main_verb, _first_word(tree)
    if root is None:
        return False
    if tree.is_finite(root):
        return any(
            _opens_subordinate_clause(tree, i) for i in range(first, min(first + 2, len(tree)))
        )
    if root == first and _may_be_participle(tree, root):
        return True
    if root == first and _may_be_verb_of_saying(tree, root):
        return False
    relatives = [
        i
        for i in _descendants(tree, root)
        if tree.is_relative_clause(i) and _has_relative_opener(tree, i)
    ]
    return (
        tree.pos[root] in _NOUNS and bool(relatives) and not _may_contain_main_verb(tree, relatives)
    )


def _may_be_verb_of_saying(tree: DependencyTree, i: int) -> bool:
    """Return True if the first word is tagged as a name but precedes a conjunction.

    Spanish `Creo que` -> True
    """
    is_name = tree.allows_dropped_subjects and tree.pos[i] == "PROPN"
    return is_name and i + 1 < len(tree) and _opens_subordinate_clause(tree, i + 1)


def _has_relative_opener(tree: DependencyTree, clause: int) -> bool:
    """Return True if a clause opens with a relative pronoun, or a conjunction used as one.

    spaCy's pipelines tag Spanish `que` as a conjunction.
    """
    if tree.relative_pronoun(clause) is not None:
        return True
    marker = tree.marker(clause)
    return marker is not None and _follows_full_noun_phrase(tree, marker)


def _follows_full_noun_phrase(tree: DependencyTree, marker: int) -> bool:
    """Return True if a noun with an article or preposition precedes `marker`.

    Other nouns may be mistagged verbs, as in Spanish `creen que`.
    """
    noun = marker - 1
    while noun > 0 and (tree.is_punctuation(noun) or tree.pos[noun] == "ADP"):
        noun -= 1
    if noun > 1 and tree.pos[noun - 1] == "ADJ":
        return tree.pos[noun] in _NOUNS and tree.pos[noun - 2] in _OPENING_NOUNS
    return noun > 0 and tree.pos[noun] in _NOUNS and tree.pos[noun - 1] in _OPENING_NOUNS


def _may_be_participle(tree: DependencyTree, i: int) -> bool:
    """Return True if a word is a participle by its features or can be one by its ending."""
    is_tagged = bool(tree.features(i, "VerbForm") & {"Part", "Ger"})
    return is_tagged or bool(_language_rules(tree.language).participles.fullmatch(tree.words[i]))


def _descendants(tree: DependencyTree, i: int) -> Iterator[int]:
    return (child for child in tree.subtree(i) if child != i)


def _may_contain_main_verb(tree: DependencyTree, relatives: list[int]) -> bool:
    """Return True if the words outside of the relative clauses suggest a mistagged verb.

    This is the case if they contain a determiner right after a noun, or a word that usually precedes a verb.
    """
    inside = {i for relative in relatives for i in tree.subtree(relative)}
    outside = [i for i in range(len(tree)) if i not in inside]
    if any(tree.words[i] in _language_rules(tree.language).before_verbs for i in outside):
        return True
    pairs = [i for i in outside if i and tree.pos[i] == "DET"]
    return any(tree.pos[i - 1] in {*_NOUNS, "ADJ"} for i in pairs)


def _looks_finite(tree: DependencyTree, i: int) -> bool:
    """Return True if token `i` is outside of subordinate clauses and ends like a finite verb.

    It must not be tagged as a finite verb.
    """
    if not _has_finite_ending(tree, i):
        return False
    return not any(_heads_subordinate_clause(tree, above) for above in (i, *tree.ancestors(i)))


def _has_finite_ending(tree: DependencyTree, i: int) -> bool:
    """Return True if token `i` ends like a finite verb, but is not tagged as a finite verb."""
    word = tree.words[i]
    is_name = i != _first_word(tree) and not tree.tokens[i].islower()
    if tree.pos[i] not in _MISTAGGABLE or is_name or _is_finite(tree, i):
        return False
    if i and tree.pos[i - 1] in {"DET", "ADP"}:
        return False
    return bool(_language_rules(tree.language).endings.fullmatch(word))


@functools.cache
def _language_rules(language: str) -> _LanguageRules:
    table = section(language, _SECTION)
    return _LanguageRules(
        frozenset(table.get("recitals", ())),
        re.compile(table.get("endings", "")),
        re.compile(table.get("participles", "")),
        frozenset(table.get("starts", "").split()),
        frozenset(table.get("before_verbs", "").split()),
        re.compile(rf"\W*(?:{table.get('parts', '(?!)')})\b"),
    )
