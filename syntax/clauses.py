"""BiSECT's patterns over constituency trees, rewritten as tests on a dependency parse.

The rule numbers (A1, B2 ...) are explained in syntax/labelling/released.py. The word lists are in the section
`clauses` of each language's data file.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from bitext_pivot.core.languages import word_list
from bitext_pivot.core.records import Parse
from bitext_pivot.syntax.dependency_tree import DependencyTree
from bitext_pivot.syntax.splices import main_clause_start, reattach_spliced_clauses, subtree_end

_LONG_PHRASE = 10  # tokens
_LONGEST_CONJUNCTION = 4  # words: Spanish "a pesar de que"
_LINKING = frozenset({"CCONJ", "SCONJ", "PRON", "DET", "ADV"})


@dataclass(frozen=True, slots=True)
class ClauseStructure:
    """A parsed sentence, and the token indices that locate its main clause.

    Attributes:
        tree: the parse.
        start: first token of the sentence after a number such as `( 11 )`.
        first: first word from `start` on that is not a coordinator.
        root: main verb, or another head of the main clause.
        main_start: first token of the main clause after anything fronted. This is where its subject begins, or its
            verb if there is no subject or if the verb comes first, as in German.
    """

    tree: DependencyTree
    start: int
    first: int
    root: int
    main_start: int


def analyse_clauses(parse: Parse, language: str) -> ClauseStructure | None:
    """Return the clause structure of a parsed sentence, or None if it contains no words."""
    tree = reattach_spliced_clauses(
        DependencyTree(parse, language), clause_words(language, "reporting")
    )
    start, root = recital_number_end(parse.tokens), tree.main_verb
    positions = (i for i in range(start, len(tree)) if not tree.is_punctuation(i))
    first = next((i for i in positions if parse.pos[i] != "CCONJ"), None)
    if root is None or first is None:
        return None
    return ClauseStructure(tree, start, first, root, main_clause_start(tree, root))


def recital_number_end(tokens: Sequence[str]) -> int:
    """Return the index of the token after a leading number such as `( 11 )` or `11 )`, or 0.

    Recitals in legal texts are numbered in this way.
    """
    number = 1 if tokens and tokens[0] == "(" else 0
    is_numbered = (
        len(tokens) > number + 1 and tokens[number].isdigit() and tokens[number + 1] == ")"
    )
    return number + 2 if is_numbered else 0


def clause_words(language: str, kind: str) -> frozenset[str]:
    """Return a lower-case word list of a language, or an empty set if there is none.

    `kind` is the name of the list in the section `clauses` of the language's data file, such as the list of
    coordinators.
    """
    return word_list(language, "clauses", kind)


def clause_openers(s: ClauseStructure) -> frozenset[int]:
    """Return the indices of tokens that open a clause or conjunct: conjunctions and WH words.

    A preposition before a WH word belongs to the opener. Of several adjacent openers, as in "and that" or "in
    which", only the first is returned.
    """
    tree = s.tree
    openers = [
        i
        for i, pos in enumerate(tree.pos)
        if pos in _LINKING and (pos.endswith("CONJ") or tree.is_wh(i))
    ]
    linking = {i - 1 if i and tree.pos[i - 1] == "ADP" else i for i in openers} | set(openers)
    return frozenset(i for i in linking if i - 1 not in linking)


def is_gerund(tree: DependencyTree, i: int) -> bool:
    """Return True if token `i` is a present participle or gerund, but not used as a preposition.

    "leaving" -> True, "according" (to) -> False
    """
    if tree.pos[i] not in {"VERB", "AUX"} or tree.words[i] in clause_words(
        tree.language, "prepositions"
    ):
        return False
    is_present = "Pres" in tree.features(i, "Tense") and "Part" in tree.features(i, "VerbForm")
    return tree.tags[i] == "VBG" or is_present or "Ger" in tree.features(i, "VerbForm")


def joins_full_clauses(s: ClauseStructure) -> bool:
    """Rule A1, `S CC S`: a full clause is coordinated with the main clause.

    A full clause is finite and has its own subject. The joining word is a coordinator, or a word such as "so" after
    a comma. Instead of the main clause itself, it may also be coordinated with a full clause that a bare comma
    joins to the main clause.
    """
    tree = s.tree
    heads = (s.root, *_juxtaposed_clauses(s))
    joined = (
        i
        for head in heads
        for i in tree.conjuncts(head)
        if i > s.root and tree.coordinator(i) is not None
    )
    return any(_is_full_clause(tree, i) for i in joined) or any(
        _is_full_clause(tree, i) and is_loose_joiner(tree, subtree_start(tree, i))
        for i in tree.children(s.root)
        if i > s.root
    )


def is_loose_joiner(tree: DependencyTree, i: int) -> bool:
    """Return True if token `i` is a word such as "so" or "then" after a comma."""
    return follows_comma(tree, i) and tree.words[i] in clause_words(tree.language, "loose")


def _juxtaposed_clauses(s: ClauseStructure) -> list[int]:
    """Return the heads of the full clauses that only a comma joins to the main clause.

    "Rain fell, the river rose." -> the index of "rose"
    """
    tree = s.tree
    sides = (
        i for i in (*tree.conjuncts(s.root), *tree.dependents(s.root, "parataxis")) if i > s.root
    )
    return [
        i
        for i in sides
        if tree.coordinator(i) is None
        and _is_full_clause(tree, i)
        and _begins_with_subject(tree, i)
    ]


def _begins_with_subject(tree: DependencyTree, i: int) -> bool:
    """Return True if the clause headed by `i` follows a comma and begins with its subject.

    A WH word is not such a subject.
    """
    subject, start = tree.subject(i), subtree_start(tree, i)
    is_first = subject is not None and subtree_start(tree, subject) == start
    return is_first and follows_comma(tree, start) and not any(map(tree.is_wh, range(start, i)))


def _is_full_clause(tree: DependencyTree, i: int) -> bool:
    return tree.is_finite(i) and tree.has_own_subject(i)


def subtree_start(tree: DependencyTree, i: int) -> int:
    """Return the index of the first token in the subtree of `i` that is not punctuation."""
    return next((token for token in tree.subtree(i) if not tree.is_punctuation(token)), i)


def follows_comma(tree: DependencyTree, i: int) -> bool:
    """Return True if the token before `i` is a comma."""
    return 0 < i < len(tree) and tree.tokens[i - 1] in {",", "،", "，"}


def opens_with_subordinate(s: ClauseStructure) -> bool:
    """Rule B1, `SBAR ...`: the first word opens a subordinate clause. Questions do not count.

    The word is a conjunction or a WH word. The head of the clause is not checked, because parsers often
    choose a wrong head but rarely mistag the word.
    """
    tree = s.tree
    if _is_question(tree):
        return False
    is_ambiguous = tree.words[s.first] in clause_words(tree.language, "opening") and tree.pos[
        s.first
    ] in {
        "ADP",
        "SCONJ",
        "ADV",
    }
    is_phrase = follows_comma(tree, s.main_start)
    return _opens_subordinate_clause(tree, s.first) or (
        is_ambiguous and not is_phrase and bool(_juxtaposed_clauses(s))
    )


def starts_listed_phrase(tree: DependencyTree, i: int, kind: str) -> bool:
    """Return True if a listed phrase of one to four words begins at token `i`.

    `kind` is the name of the word list (`clause_words`).
    """
    following = [tree.words[token] for token in range(i, min(len(tree), i + _LONGEST_CONJUNCTION))]
    return any(
        " ".join(following[:n]) in clause_words(tree.language, kind)
        for n in range(1, len(following) + 1)
    )


def _opens_subordinate_clause(tree: DependencyTree, i: int) -> bool:
    """Return True if token `i` is a subordinating conjunction or a WH word that opens a clause."""
    if starts_listed_phrase(tree, i, "subordinators"):
        return True
    head = tree.head(i)
    if head is None or not tree.is_clause(head):
        return tree.is_wh(i) and tree.pos[i] != "DET"
    return tree.marker(head) == i or tree.is_wh(i)


def _is_question(tree: DependencyTree) -> bool:
    return any(token in {"?", "¿", "؟"} for token in tree.tokens[-2:])


def has_fronted_clause(s: ClauseStructure) -> bool:
    """Rule B2, `S , NP VP`: a comma separates a fronted clause from the main clause.

    At the start of the sentence, the fronted clause is a participle, an infinitive or quoted speech. Later in
    the sentence (`... SBAR , NP VP`), it opens with a conjunction or a WH word.
    """
    tree = s.tree
    if (
        tree.pos[s.first] == "ADV"
        and follows_comma(tree, s.first + 2)
        and _opens_subordinate_clause(tree, s.first + 2)
    ):
        return True
    fronted = [
        i
        for i in tree.children(s.root)
        if i < min(s.root, s.main_start) and _ends_before_main_clause(s, i)
    ]
    return any(_is_fronted_clause(s, i) for i in fronted) or _ends_with_reporting_clause(s)


def _ends_with_reporting_clause(s: ClauseStructure) -> bool:
    """Return True if a reporting clause, such as "he said", comes after quoted speech.

    The parse must attach it to the speech with the label `parataxis`, as Universal Dependencies do for French
    `dit-il`. A reporting clause before the speech is the main clause instead.
    """
    tree = s.tree
    asides = (i for i in tree.dependents(s.root, "parataxis") if i > s.root and tree.is_finite(i))
    is_bare = tree.allows_dropped_subjects and any(map(tree.is_quote, range(s.root)))
    speakers = (
        i
        for i in asides
        if _has_inverted_subject(tree, i) or (is_bare and not tree.has_own_subject(i))
    )
    return any(
        tree.is_punctuation(subtree_start(tree, i) - 1)
        and not is_loose_joiner(tree, subtree_start(tree, i))
        for i in speakers
    )


def _has_inverted_subject(tree: DependencyTree, i: int) -> bool:
    """Return True if the language has inversion and the subject of verb `i` comes after the verb."""
    return tree.allows_inversion and (tree.subject(i) or 0) > i


def _is_fronted_clause(s: ClauseStructure, i: int) -> bool:
    """Return True if dependent `i` of the main verb is a fronted clause in the sense of rule B2."""
    tree = s.tree
    if tree.has_relation(i, "clausal_complement") or (
        tree.allows_inversion and tree.has_relation(i, "parataxis")
    ):
        return any(map(tree.is_quote, range(s.main_start))) or _has_inverted_subject(tree, s.root)
    if not tree.is_adverbial_clause(i):
        return False
    if subtree_start(tree, i) == s.first:
        return not tree.has_own_subject(i) and not tree.is_finite(i)
    return tree.marker(i) is not None or any(
        token < i and tree.is_wh(token) for token in tree.subtree(i)
    )


def _ends_before_main_clause(s: ClauseStructure, i: int) -> bool:
    """Return True if only punctuation with a comma is between dependent `i` and the main clause."""
    tree = s.tree
    between = range(subtree_end(tree, i) + 1, s.main_start)
    return all(map(tree.is_punctuation, between)) and any(
        follows_comma(tree, token + 1) for token in between
    )


def is_comma_splice(s: ClauseStructure) -> bool:
    """Rule A1, `S , S`: only a comma joins two full clauses, and no clause is fronted."""
    return (
        bool(_juxtaposed_clauses(s)) and not opens_with_subordinate(s) and not has_fronted_clause(s)
    )


def is_bare_comma_splice(s: ClauseStructure) -> bool:
    """Rule B6, `S , S`: a comma splice without a coordinator near the comma.

    No coordinator may be between the last finite verb of the first clause and the head of the second.
    """
    tree = s.tree
    for second in _juxtaposed_clauses(s) if is_comma_splice(s) else ():
        verbs = [i for i in range(subtree_start(tree, second)) if tree.finite_token(i) == i]
        if verbs and not any(tree.pos[i] == "CCONJ" for i in range(verbs[-1], second)):
            return True
    return False


def opens_with_long_phrase(s: ClauseStructure) -> bool:
    """Rule B3, `PP , NP VP`: the sentence opens with a prepositional phrase of over ten tokens."""
    tree = s.tree
    fronted = (
        i
        for i in tree.dependents(s.root, "prepositional")
        if i < s.main_start and subtree_start(tree, i) == s.first
    )
    phrases = map(tree.subtree, fronted)
    return any(len(phrase) - tree.is_punctuation(phrase[-1]) > _LONG_PHRASE for phrase in phrases)


def last_clause_start(s: ClauseStructure) -> int:
    """Return the index where the main clause, or the last clause a comma joins to it, begins.

    In a comma splice, the parser may have taken the clause that opens the sentence for the main clause, and
    attached the real main clause to it.
    """
    tree = s.tree
    return max([s.main_start, *(subtree_start(tree, i) for i in _juxtaposed_clauses(s))])
