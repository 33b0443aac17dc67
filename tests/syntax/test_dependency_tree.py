"""The grammar view: the same sentence in three inventories of labels gives the same answers."""

import pytest
from factories import flat, parse
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.core.records import Parse
from bitext_pivot.syntax.dependency_tree import DependencyTree
from bitext_pivot.syntax.tagsets import Scheme, detect_scheme

CLEAR = """
Because because IN SCONJ mark 3
it it PRP PRON nsubj 3
rained rain VBD VERB advcl 7
, , , PUNCT punct 7
the the DT DET det 6
man man NN NOUN nsubj 7
slept sleep VBD VERB ROOT 0
, , , PUNCT punct 7
ate eat VBD VERB conj 7
and and CC CCONJ cc 9
his his PRP$ PRON poss 12
dog dog NN NOUN nsubj 13
barked bark VBD VERB conj 9
. . . PUNCT punct 7
"""
UD = """
Because because IN SCONJ mark 3
it it PRP PRON nsubj 3
rained rain VBD VERB advcl 7 VerbForm=Fin
, , , PUNCT punct 7
the the DT DET det 6
man man NN NOUN nsubj 7
slept sleep VBD VERB root 0 VerbForm=Fin
, , , PUNCT punct 9
ate eat VBD VERB conj 7 VerbForm=Fin
and and CC CCONJ cc 13
his his PRP$ PRON nmod:poss 12
dog dog NN NOUN nsubj 13
barked bark VBD VERB conj 7 VerbForm=Fin
. . . PUNCT punct 7
"""
TIGER = """
Weil weil KOUS SCONJ cp 3
es es PPER PRON sb 3
regnete regnen VVFIN VERB mo 5
, -- $, PUNCT punct 5
schlief schlafen VVFIN VERB ROOT 0
der der ART DET nk 7
Mann Mann NN NOUN sb 5
, -- $, PUNCT punct 5
aß essen VVFIN VERB cj 5
und und KON CCONJ cd 9
sein mein PPOSAT DET nk 12
Hund Hund NN NOUN sb 13
bellte bellen VVFIN VERB cj 10
. -- $. PUNCT punct 5
"""
SCHEMES = {"clear": (CLEAR, 6, 5, 8), "ud": (UD, 6, 5, 6), "tiger": (TIGER, 4, 6, 8)}


@pytest.mark.parametrize(("scheme", "case"), SCHEMES.items())
def test_the_same_sentence_gives_the_same_answers(
    scheme: str, case: tuple[str, int, int, int]
) -> None:
    lines, root, subject, first = case
    grammar = DependencyTree(parse(lines, scheme), "de" if scheme == "tiger" else "en")
    assert grammar.roots == (root,)
    assert grammar.main_verb == root
    assert grammar.subject(root) == subject
    assert grammar.is_finite(root)
    assert grammar.is_adverbial_clause(2)
    assert grammar.marker(2) == 0
    assert grammar.subtree(2)[:3] == (0, 1, 2)
    assert grammar.conjuncts(root) == (8, 12)
    assert grammar.coordinator(8) is None
    assert grammar.coordinator(12) == 9
    assert not grammar.has_own_subject(8)
    assert grammar.has_own_subject(12)
    assert not grammar.is_relative_clause(2)
    assert (grammar.first_conjunct(12), grammar.first_conjunct(3)) == (first, None)


RUNS = "ran run VBD VERB ROOT 0\nor or CC CCONJ cc 1\nate eat VBD VERB conj 1\n"


@pytest.mark.parametrize(
    ("rest", "coordinators"),
    [
        ("and and CC CCONJ cc 1\nsat sit VBD VERB conj 1", [1, None, 3]),
        ("sat sit VBD VERB conj 1", [1, None]),
    ],
)
def test_clear_gives_each_conjunct_the_coordinator_just_before_it(
    rest: str, coordinators: list[int | None]
) -> None:
    grammar = DependencyTree(parse(RUNS + rest, "clear"), "en")
    assert [grammar.coordinator(i) for i in range(2, len(grammar))] == coordinators


RELATIVES = {
    "clear": "man man NN NOUN ROOT 0\nwhose whose WP$ PRON poss 3\ndog dog NN NOUN nsubj 4\n"
    "barks bark VBZ VERB relcl 1",
    "ud": "man man NN NOUN root 0\nwhose whose WP$ PRON nmod:poss 3 PronType=Rel\ndog dog NN NOUN nsubj 4\n"
    "barks bark VBZ VERB acl:relcl 1",
    "tiger": "Mann Mann NN NOUN ROOT 0\ndessen der PRELAT PRON ag 3\nHund Hund NN NOUN sb 4\n"
    "bellt bellen VVFIN VERB rc 1",
}


@pytest.mark.parametrize("scheme", RELATIVES)
def test_a_relative_clause_is_known_with_its_pronoun(scheme: str) -> None:
    grammar = DependencyTree(parse(RELATIVES[scheme], scheme), "en")
    assert grammar.is_relative_clause(3)
    assert grammar.relative_pronoun(3) == 1


def test_a_clause_of_a_noun_is_relative_by_its_pronoun() -> None:
    spanish = parse(
        "hombre hombre NOUN NOUN root 0\nque que PRON PRON nsubj 3 PronType=Int,Rel\n"
        "duerme dormir VERB VERB acl 1 VerbForm=Fin"
    )
    assert DependencyTree(spanish, "es").is_relative_clause(2)
    participle = parse("man man NN NOUN root 0\nsleeping sleep VBG VERB acl 1 VerbForm=Part")
    assert not DependencyTree(participle, "en").is_relative_clause(1)


def test_a_word_list_serves_where_tags_and_features_are_silent() -> None:
    bare = parse(
        "homme homme X NOUN root 0\nqui qui X PRON nsubj 3\ndort dormir X VERB acl:relcl 1"
    )
    assert DependencyTree(bare, "fr").relative_pronoun(2) == 1
    assert DependencyTree(bare, "xx").relative_pronoun(2) is None


def test_a_copula_makes_its_predicate_a_finite_clause() -> None:
    grammar = DependencyTree(
        parse("It it PRP PRON nsubj 3\nis be VBZ AUX cop 3 VerbForm=Fin\ncold cold JJ ADJ root 0"),
        "en",
    )
    assert grammar.is_clause(2)
    assert grammar.finite_token(2) == 1
    assert not grammar.is_verb(2)


@pytest.mark.parametrize(
    ("label", "expected"),
    [("nsubj:pass", True), ("expl", True), ("expl:pv", False), ("obj", False)],
)
def test_a_subtype_counts_only_where_the_table_says_so(label: str, expected: bool) -> None:
    assert (
        DependencyTree(
            parse(f"se se PRON PRON {label} 2\nva ir VERB VERB root 0"), "es"
        ).has_own_subject(1)
        is expected
    )


def test_the_to_of_an_infinitive_is_no_marker() -> None:
    lines = (
        "left leave VBD VERB root 0\nto to TO PART mark 3\nsleep sleep VB VERB advcl 1 VerbForm=Inf"
    )
    grammar = DependencyTree(parse(lines), "en")
    assert grammar.marker(2) is None
    assert not grammar.is_finite(2)


def test_german_adverbs_are_no_clauses() -> None:
    lines = "schläft schlafen VVFIN VERB ROOT 0\nheute heute ADV ADV mo 1\nwartend warten VVPP VERB mo 1"
    grammar = DependencyTree(parse(lines, "tiger"), "de")
    assert [grammar.is_adverbial_clause(1), grammar.is_adverbial_clause(2)] == [False, True]


def test_quotes_and_punctuation_are_told_from_apostrophes() -> None:
    grammar = DependencyTree(flat("boys/NOUN '/PART ``/PUNCT ;/X %/SYM word/NOUN"), "en")
    assert [i for i in range(6) if grammar.is_quote(i)] == [2]
    assert [i for i in range(6) if grammar.is_punctuation(i)] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("labels", "scheme"),
    [
        (["nsubj", "pobj", "prep"], "clear"),
        (["nsubj", "case", "obl"], "ud"),
        (["sb", "nk"], "tiger"),
        (["dep"], None),
    ],
)
def test_the_labels_tell_the_scheme(labels: list[str], scheme: str | None) -> None:
    assert detect_scheme(labels) == scheme


LABELS = [
    "nsubj",
    "conj",
    "cc",
    "advcl",
    "acl:relcl",
    "acl",
    "cop",
    "punct",
    "cj",
    "cd",
    "mark",
    "root",
]
NODES = st.lists(st.tuples(st.integers(-3, 14), st.sampled_from(LABELS)), min_size=1, max_size=10)


@given(NODES, st.sampled_from(["clear", "ud", "tiger"]))
def test_any_heads_get_an_answer(nodes: list[tuple[int, str]], scheme: Scheme) -> None:
    size = len(nodes)
    words = ("who",) * size
    heads, deps = zip(*nodes, strict=True)
    grammar = DependencyTree(
        Parse(tokens=words, starts=tuple(range(size)), lemmas=words, tags=("VBD",) * size, pos=("VERB",) * size,
              morphs=("",) * size, deps=deps, heads=heads, scheme=scheme), "en"
    )  # fmt: skip
    for i in range(size):
        assert i in grammar.subtree(i)
        assert list(grammar.subtree(i)) == sorted(set(grammar.subtree(i)))
        assert i not in grammar.conjuncts(i)
        assert len(list(grammar.ancestors(i))) < size
        (
            grammar.coordinator(i),
            grammar.first_conjunct(i),
            grammar.is_relative_clause(i),
            grammar.finite_token(i),
        )
    assert all(grammar.head(root) is None for root in grammar.roots)


def test_some_languages_drop_subjects_and_some_put_verbs_first() -> None:
    views = {
        language: DependencyTree(flat("x"), language) for language in ("de", "fr", "es", "en", "xx")
    }
    assert [language for language, view in views.items() if view.allows_dropped_subjects] == ["es"]
    assert [language for language, view in views.items() if view.allows_inversion] == [
        "de",
        "fr",
        "es",
    ]
