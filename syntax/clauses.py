"""BiSECT's patterns over constituency trees, as tests on a dependency parse.

Numbers are those of the rules in syntax/labelling/released.py. Word lists are data of languages (section `clauses`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bitext_pivot.core.languages import word_list
from bitext_pivot.core.records import Parse
from bitext_pivot.syntax.grammar import Grammar
from bitext_pivot.syntax.splices import last_word, main_core, unspliced

_LONG_PHRASE = 10
_LONGEST_CONJUNCTION = 4  # words: Spanish "a pesar de que"
_LINKING = frozenset({"CCONJ", "SCONJ", "PRON", "DET", "ADV"})


@dataclass(frozen=True, slots=True)
class Clauses:
    """A parsed sentence as the rules see it; all fields are token indices.

    `start` is where the sentence begins behind a number such as `( 11 )`, `first` its first word that is no
    coordinator, `root` the main verb, `subject` where the main clause begins behind what is fronted: at its subject, or
    at its verb where there is no subject or the language lets the verb come first.
    """

    grammar: Grammar
    start: int
    first: int
    root: int
    subject: int


def sentence(parse: Parse, language: str) -> Clauses | None:
    """Return the view of a parse for the rules; None if it has no word."""
    grammar = unspliced(Grammar(parse, language), words(language, "reporting"))
    start, root = number_end(parse.tokens), grammar.main_verb
    positions = (i for i in range(start, len(grammar)) if not grammar.is_punctuation(i))
    first = next((i for i in positions if parse.pos[i] != "CCONJ"), None)
    if root is None or first is None:
        return None
    return Clauses(grammar, start, first, root, main_core(grammar, root))


def number_end(tokens: Sequence[str]) -> int:
    """Return where a sentence begins behind the number that recitals carry, `( 11 )` or `11 )`; 0 without one."""
    number = 1 if tokens and tokens[0] == "(" else 0
    is_numbered = (
        len(tokens) > number + 1 and tokens[number].isdigit() and tokens[number + 1] == ")"
    )
    return number + 2 if is_numbered else 0


def words(language: str, kind: str) -> frozenset[str]:
    """Return a word list of the section `clauses`, lower-cased; empty for a language that has none."""
    return word_list(language, "clauses", kind)


def openings(s: Clauses) -> frozenset[int]:
    """Return the tokens that open a clause or a conjunct: conjunctions and WH words, with a preposition before them.

    Of several side by side ("and that", "in which") the first.
    """
    g = s.grammar
    openers = [
        i for i, pos in enumerate(g.pos) if pos in _LINKING and (pos.endswith("CONJ") or g.is_wh(i))
    ]
    linking = {i - 1 if i and g.pos[i - 1] == "ADP" else i for i in openers} | set(openers)
    return frozenset(i for i in linking if i - 1 not in linking)


def is_gerund(g: Grammar, i: int) -> bool:
    """Return True if a token is a present participle or gerund, and not one that serves as a preposition."""
    if g.pos[i] not in {"VERB", "AUX"} or g.words[i] in words(g.language, "prepositions"):
        return False
    is_present = "Pres" in g.features(i, "Tense") and "Part" in g.features(i, "VerbForm")
    return g.tags[i] == "VBG" or is_present or "Ger" in g.features(i, "VerbForm")


def joins_full_clauses(s: Clauses) -> bool:
    """A1 `S CC S`: a finite clause with its own subject is joined to the main one by a coordinator.

    Or by a word such as "so" after a comma (`S , IN S`). A main clause whose head opens the sentence counts.
    """
    g = s.grammar
    heads = (s.root, *_side_by_side(s))
    joined = (
        i
        for head in heads
        for i in g.conjuncts(head)
        if i > s.root and g.coordinator(i) is not None
    )
    return any(_is_full(g, i) for i in joined) or any(
        _is_full(g, i) and joins_loosely(g, opening(g, i)) for i in g.children(s.root) if i > s.root
    )


def joins_loosely(g: Grammar, i: int) -> bool:
    """Return True if a token is a word such as "so" after a comma."""
    return follows_comma(g, i) and g.words[i] in words(g.language, "loose")


def _side_by_side(s: Clauses) -> list[int]:
    """Return the heads of clauses that follow the main one after a comma, subject first, without any joining word."""
    g = s.grammar
    sides = (i for i in (*g.conjuncts(s.root), *g.related(s.root, "parataxis")) if i > s.root)
    return [
        i
        for i in sides
        if g.coordinator(i) is None and _is_full(g, i) and _begins_with_subject(g, i)
    ]


def _begins_with_subject(g: Grammar, i: int) -> bool:
    subject, start = g.subject(i), opening(g, i)
    is_first = subject is not None and opening(g, subject) == start
    return is_first and follows_comma(g, start) and not any(map(g.is_wh, range(start, i)))


def _is_full(g: Grammar, i: int) -> bool:
    return g.is_finite(i) and g.has_own_subject(i)


def opening(g: Grammar, i: int) -> int:
    """Return the first token below `i` (or `i`) that is not punctuation."""
    return next((token for token in g.subtree(i) if not g.is_punctuation(token)), i)


def follows_comma(g: Grammar, i: int) -> bool:
    """Return True if there is a comma right before a token."""
    return 0 < i < len(g) and g.tokens[i - 1] in {",", "،", "，"}


def opens_with_subordinate(s: Clauses) -> bool:
    """B1 `SBAR ...`: the first word opens a subordinate clause, with a conjunction or a WH word; questions do not.

    The head of the clause does not matter: parsers often err there, seldom on the word.
    """
    g = s.grammar
    if _is_question(g):
        return False
    is_ambiguous = g.words[s.first] in words(g.language, "opening") and g.pos[s.first] in {
        "ADP",
        "SCONJ",
        "ADV",
    }
    is_phrase = follows_comma(g, s.subject)
    return _is_subordinate(g, s.first) or (
        is_ambiguous and not is_phrase and bool(_side_by_side(s))
    )


def is_listed(g: Grammar, i: int, kind: str) -> bool:
    """Return True if a word, or a phrase of up to four words, of a list of cue words begins at a token."""
    following = [g.words[token] for token in range(i, min(len(g), i + _LONGEST_CONJUNCTION))]
    return any(
        " ".join(following[:n]) in words(g.language, kind) for n in range(1, len(following) + 1)
    )


def _is_subordinate(g: Grammar, i: int) -> bool:
    if is_listed(g, i, "subordinators"):
        return True
    head = g.head(i)
    if head is None or not g.is_clause(head):
        return g.is_wh(i) and g.pos[i] != "DET"
    return g.marker(head) == i or g.is_wh(i)


def _is_question(g: Grammar) -> bool:
    return any(token in {"?", "¿", "؟"} for token in g.tokens[-2:])


def opens_with_clause(s: Clauses) -> bool:
    """B2 `S , NP VP`, `... SBAR , NP VP`: a clause before the main one, which a comma divides from its subject.

    Sentence-initial it is a participle, an infinitive or quoted speech, further in one with a conjunction or WH word.
    """
    g = s.grammar
    if (
        g.pos[s.first] == "ADV"
        and follows_comma(g, s.first + 2)
        and _is_subordinate(g, s.first + 2)
    ):
        return True
    fronted = [
        i for i in g.children(s.root) if i < min(s.root, s.subject) and _ends_at_subject(s, i)
    ]
    return any(_is_fronted_clause(s, i) for i in fronted) or _is_reported_after(s)


def _is_reported_after(s: Clauses) -> bool:
    """Return True if speech is followed by `dit-il`, a parataxis in treebanks, where `he says` is the main clause."""
    g = s.grammar
    asides = (i for i in g.related(s.root, "parataxis") if i > s.root and g.is_finite(i))
    is_bare = g.drops_subjects and any(map(g.is_quote, range(s.root)))
    speakers = (i for i in asides if _is_inverted(g, i) or (is_bare and not g.has_own_subject(i)))
    return any(
        g.is_punctuation(opening(g, i) - 1) and not joins_loosely(g, opening(g, i))
        for i in speakers
    )


def _is_inverted(g: Grammar, i: int) -> bool:
    return g.inverts and (g.subject(i) or 0) > i


def _is_fronted_clause(s: Clauses, i: int) -> bool:
    g = s.grammar
    if g.has_relation(i, "clausal_complement") or (g.inverts and g.has_relation(i, "parataxis")):
        return any(map(g.is_quote, range(s.subject))) or _is_inverted(g, s.root)
    if not g.is_adverbial_clause(i):
        return False
    if opening(g, i) == s.first:
        return not g.has_own_subject(i) and not g.is_finite(i)
    return g.marker(i) is not None or any(token < i and g.is_wh(token) for token in g.subtree(i))


def _ends_at_subject(s: Clauses, i: int) -> bool:
    """Return True if there is only punctuation with a comma between a dependent and the subject."""
    g = s.grammar
    between = range(last_word(g, i) + 1, s.subject)
    return all(map(g.is_punctuation, between)) and any(
        follows_comma(g, token + 1) for token in between
    )


def is_spliced(s: Clauses) -> bool:
    """A1 `S , S`: two full clauses side by side with a mere comma, and no clause before the main one."""
    return bool(_side_by_side(s)) and not opens_with_subordinate(s) and not opens_with_clause(s)


def meets_at_comma(s: Clauses) -> bool:
    """B6 `S , S`: a splice without any coordinator between the last finite verb and the head of the second clause."""
    g = s.grammar
    for second in _side_by_side(s) if is_spliced(s) else ():
        verbs = [i for i in range(opening(g, second)) if g.finite_token(i) == i]
        if verbs and not any(g.pos[i] == "CCONJ" for i in range(verbs[-1], second)):
            return True
    return False


def opens_with_long_phrase(s: Clauses) -> bool:
    """B3 `PP , NP VP`: a prepositional phrase of more than ten tokens opens the sentence, before the subject."""
    g = s.grammar
    fronted = (
        i for i in g.related(s.root, "prepositional") if i < s.subject and opening(g, i) == s.first
    )
    phrases = map(g.subtree, fronted)
    return any(len(phrase) - g.is_punctuation(phrase[-1]) > _LONG_PHRASE for phrase in phrases)


def main_start(s: Clauses) -> int:
    """Return where the subject of the main clause begins, also if the main clause depends on the opening one."""
    g = s.grammar
    return max([s.subject, *(opening(g, i) for i in _side_by_side(s))])
