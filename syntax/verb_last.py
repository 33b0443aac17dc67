"""Recognise German texts without a main clause by the position of their verbs.

A German main clause has its finite verb in second position, and a subordinate clause has its finite verb at the
end. A comma separates the two. Therefore, whatever the parser returns, a text is a fragment in three cases:

* it opens with a subordinating conjunction, and no part after a comma can be a main clause;
* it is a single clause that ends in a participle or infinitive with its auxiliary (`der gestern gekommen ist`);
* it is a noun phrase with relative clauses.

The conjunctions and other words are in the section `main_clauses` of the language's data file.
"""

from collections.abc import Sequence

from bitext_pivot.core.languages import word_list
from bitext_pivot.syntax.dependency_tree import DependencyTree

_BORDERS = frozenset({",", ";", ":", "-", "–", "—", "--", "(", ")"})
_SHORTEST = 3  # words of a fragment
_NOMINAL = frozenset({"DET", "ADJ", "NOUN", "PROPN", "ADP", "NUM", "CCONJ", "ADV", "PRON", "PUNCT"})
_CAPITAL = frozenset({"NOUN", "PROPN"})
_INFLECTED = ("e", "em", "en", "er", "es")


def is_verb_final_language(language: str) -> bool:
    """Return True if subordinate clauses of a language end in their finite verb."""
    return bool(_words(language, "conjunctions"))


def opens_with_conjunction(tree: DependencyTree) -> bool:
    """Return True if the first word of a text can only be a subordinating conjunction."""
    inner = _inner_tokens(tree)
    return bool(inner) and tree.words[inner[0]] in _words(tree.language, "conjunctions")


def is_lone_subordinate_clause(tree: DependencyTree, finite: Sequence[int]) -> bool:
    """Return True if a text consists of subordinate clauses only, as in `Weil es regnet`.

    `finite` contains the finite verbs of the text.
    """
    inner = _inner_tokens(tree)
    if len(inner) < _SHORTEST:
        return False
    borders = [i for i in inner if tree.words[i] in _BORDERS]
    if opens_with_conjunction(tree):
        return all(_starts_subordinate_clause(tree, border, inner) for border in borders)
    if not borders:
        return _is_verb_final_clause(tree, inner, finite)
    return _is_noun_with_relative_clauses(tree, inner, borders, finite)


def are_clause_final(tree: DependencyTree, finite: Sequence[int]) -> bool:
    """Return True if each finite verb can be the last word of its clause."""
    after_verbs = _words(tree.language, "coordinators") | _BORDERS
    last = _inner_tokens(tree).stop - 1
    return all(i >= last or tree.words[i + 1] in after_verbs or i + 1 in finite for i in finite)


def _inner_tokens(tree: DependencyTree) -> range:
    """Return the range of tokens of a text without punctuation at its start and end."""
    words = [i for i in range(len(tree)) if not tree.is_punctuation(i)]
    if not words:
        return range(0)
    return range(words[0], words[-1] + 1)


def _is_verb_final_clause(tree: DependencyTree, inner: range, finite: Sequence[int]) -> bool:
    """Return True if a text is a single clause whose verb is at the end, as in no main clause.

    `inner` contains the tokens without outer punctuation, `finite` the finite verbs.
    """
    last = inner[-1]
    if tree.words[inner[0]] in _words(tree.language, "openers"):
        return list(finite) == [last]
    is_auxiliary = tree.words[last] in _words(tree.language, "auxiliaries")
    has_participle = bool(tree.features(last - 1, "VerbForm") & {"Inf", "Part"})
    is_alone = all(i >= last - 1 for i in finite)
    return len(inner) > _SHORTEST and is_auxiliary and has_participle and is_alone


def _starts_subordinate_clause(tree: DependencyTree, border: int, inner: range) -> bool:
    """Return True if a subordinate clause can begin after the comma at index `border`."""
    conjunctions = _words(tree.language, "conjunctions") | _words(tree.language, "behind_commas")
    return _starts_with(tree, border, inner, conjunctions | _words(tree.language, "relatives"))


def _starts_relative_clause(tree: DependencyTree, border: int, inner: range) -> bool:
    """Return True if a relative clause can begin after the comma at index `border`."""
    relatives = _words(tree.language, "relatives") | _words(tree.language, "demonstrative")
    return _starts_with(tree, border, inner, relatives)


def _starts_with(tree: DependencyTree, border: int, inner: range, openers: frozenset[str]) -> bool:
    """Return True if a word of `openers` follows the comma `border`, maybe after a preposition."""
    words = [tree.words[i] for i in range(border + 1, min(border + 3, inner.stop))]
    if not words or words[0] in openers:
        return True
    is_led = words[0] in _words(tree.language, "leading")
    return is_led and len(words) > 1 and words[1] in openers


def _is_noun_with_relative_clauses(
    tree: DependencyTree, inner: range, borders: Sequence[int], finite: Sequence[int]
) -> bool:
    """Return True if a text is a noun phrase, a comma, and relative clauses until its end.

    `Der Mann, der gestern kam.` -> True
    """
    start, (comma, *others) = inner[0], borders
    if tree.words[start] in _words(tree.language, "openers") or inner[-1] not in finite:
        return False
    if not _starts_relative_clause(tree, comma, inner):
        return False
    if not all(_starts_dependent_clause(tree, border, inner) for border in others):
        return False
    return all(_may_be_in_noun_phrase(tree, i) for i in range(start, comma))


def _starts_dependent_clause(tree: DependencyTree, border: int, inner: range) -> bool:
    return _starts_relative_clause(tree, border, inner) or _starts_subordinate_clause(
        tree, border, inner
    )


def _may_be_in_noun_phrase(tree: DependencyTree, i: int) -> bool:
    """Return True if a token can be part of a German noun phrase.

    Nouns must be capitalised, and adjectives must have an inflectional ending.
    """
    pos, token = tree.pos[i], tree.tokens[i]
    if not token.islower():
        return pos in _NOMINAL
    if pos in {"ADJ", "ADV"} and tree.pos[i + 1] in {"DET", "ADP"}:
        return False
    if pos == "ADJ":
        return token.endswith(_INFLECTED)
    return pos in _NOMINAL - _CAPITAL


def _words(language: str, kind: str) -> frozenset[str]:
    return word_list(language, "main_clauses", kind)
