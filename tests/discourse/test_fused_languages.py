"""Rules of DiscoFuse in French, Spanish and German: on trees by hand, and on sentences of our own as parsers read them.

`fused/LANGUAGE.txt` has the sentences and what is expected of each, written before the rules were tried.
"""

from dataclasses import replace
from pathlib import Path

import pytest
from conllu import read_treebank
from factories import tree

from bitext_pivot.discourse.connectives import supported_languages, word_lists
from bitext_pivot.discourse.fusion.rules import RULES, unfuse_pair, unfuse_sentence
from bitext_pivot.flows.unfuse_settings import UnfuseText
from bitext_pivot.syntax.dependency_tree import DependencyTree

FIXTURES = Path(__file__).parent / "fused"

SINGLE = [
    ("fr", "Le/DET/det/2 maire/NOUN/nsubj/10 , qui/PRON?/nsubj/5 habite/VERB*/acl:relcl/2 à/ADP/case/7 "
     "Lyon/PROPN/obl/5 , ne/ADV/advmod/10 vient/VERB*/root/0 pas/ADV/advmod/10 .",
     ("SINGLE_RELATIVE", "Le maire ne vient pas .", "Le maire habite à Lyon .")),
    ("fr", "Il/PRON/nsubj/2 reste/VERB*/root/0 parce/SCONJ/mark/6 qu'/SCONJ/fixed/3 il/PRON/expl:subj/6 "
     "pleut/VERB*/advcl/2 .", ("SINGLE_CONN_INNER", "Il reste .", "Il pleut .")),
    ("fr", "Il/PRON/nsubj/3 l'/PRON/obj/3 achète/VERB*/root/0 et/CCONJ/cc/6 le/PRON/obj/6 vend/VERB*/conj/3 .",
     ("SINGLE_VP_COORD", "Il l' achète .", "Il le vend .")),
    ("es", "El/DET/det/2 sol/NOUN/nsubj/3 sale/VERB*/root/0 y/CCONJ/cc/7 los/DET/det/6 niños/NOUN/nsubj/7 "
     "juegan/VERB*/conj/3 .", ("SINGLE_S_COORD", "El sol sale .", "Los niños juegan .")),
    ("es", "Vende/VERB*/root/0 la/DET/det/3 casa/NOUN/obj/1 porque/SCONJ/mark/5 viaja/VERB*/advcl/1 "
     "mucho/ADV/advmod/5 .",
     ("SINGLE_CONN_INNER", "Vende la casa .", "Viaja mucho .")),
    ("de", "Wir/PRON/nsubj/2 gehen/VERB*/root/0 , weil/SCONJ/mark/8 der/DET/det/6 Regen/NOUN/nsubj/8 "
     "morgen/ADV/advmod/8 kommt/VERB*/advcl/2 .", ("SINGLE_CONN_INNER", "Wir gehen .", "Der Regen kommt morgen .")),
    ("de", "Wir/PRON/nsubj/2 gehen/VERB*/root/0 und/CCONJ/cc/5 heute/ADV/advmod/5 "
     "kommt/VERB*/conj/2 Max/PROPN/nsubj/5 .",
     ("SINGLE_S_COORD", "Wir gehen .", "Heute kommt Max .")),
]  # fmt: skip


@pytest.mark.parametrize(("language", "words", "expected"), SINGLE)
def test_a_sentence_becomes_two_in_the_order_of_the_language(
    language: str, words: str, expected: tuple[str, str, str]
) -> None:
    result = unfuse_sentence(DependencyTree(tree(words), language))
    assert result is not None
    assert (result.discourse_type, result.first, result.second, result.rejected_by) == (
        *expected,
        None,
    )


NONE = [
    # a separable verb: `fand morgen statt`
    ("de", "Wir/PRON/nsubj/2 gehen/VERB*/root/0 , weil/SCONJ/mark/7 es/PRON/nsubj/7 "
     "morgen/ADV/advmod/7 stattfindet/VERB*/advcl/2 ."),
    # the subject does not open the clause
    ("de", "Wir/PRON/nsubj/2 gehen/VERB*/root/0 , weil/SCONJ/mark/7 morgen/ADV/advmod/7 "
     "Regen/NOUN/nsubj/7 kommt/VERB*/advcl/2 ."),
    # no finite clause
    ("fr", "Il/PRON/nsubj/2 reste/VERB*/root/0 parce/SCONJ/mark/5 que/SCONJ/fixed/3 fatigué/ADJ/advcl/2 ."),
    ("es", "Lunes/NOUN/nsubj/2 va/VERB*/root/0 , que/SCONJ/mark/5 digo/VERB*/ccomp/2 , bien/ADV/advmod/2 ."),
]  # fmt: skip


@pytest.mark.parametrize(("language", "words"), NONE)
def test_what_the_parse_does_not_confirm_matches_no_rule(language: str, words: str) -> None:
    assert unfuse_sentence(DependencyTree(tree(words), language), "faithful") is None


def test_the_second_joined_clause_is_no_part_of_the_first() -> None:
    words = (
        "Puisque/SCONJ/mark/3 Max/PROPN/nsubj/3 dort/VERB*/advcl/10 et/CCONJ/cc/7 puisque/SCONJ/mark/7 "
        "Anna/PROPN/nsubj/7 lit/VERB*/conj/3 , nous/PRON/nsubj/10 partons/VERB*/root/0 ."
    )
    result = unfuse_sentence(DependencyTree(tree(words), "fr"))
    assert result is not None
    assert (result.discourse_type, result.rejected_by) == (
        "SINGLE_CONN_START",
        "clause before its main clause",
    )


PAIRS = [
    ("de", "Deshalb/ADV/advmod/2 wartet/VERB*/root/0 der/DET/det/4 Rat/NOUN/nsubj/2 heute/ADV/advmod/2 .",
     "deshalb", "Der Rat wartet heute ."),
    ("de", "Aber/CCONJ/cc/3 niemand/PRON/nsubj/3 kommt/VERB*/root/0 .", "aber", "Niemand kommt ."),
    ("de", "Deshalb/ADV/advmod/2 wartet/VERB*/root/0 heute/ADV/advmod/2 der/DET/det/5 Rat/NOUN/nsubj/2 .", "", None),
    ("fr", "Le/DET/det/2 maire/NOUN/nsubj/6 , cependant/ADV/advmod/6 , refuse/VERB*/root/0 .",
     ", cependant ,", "Le maire refuse ."),
    ("fr", "Cependant/ADV/advmod/2 vient/VERB*/root/0 le/DET/det/4 maire/NOUN/nsubj/2 .", "", None),
    ("es", "Sin/ADP/advmod/5 embargo/NOUN/fixed/1 , no/ADV/advmod/5 vino/VERB*/root/0 .", "sin embargo ,", "No vino ."),
]  # fmt: skip


@pytest.mark.parametrize(("language", "words", "connective", "expected"), PAIRS)
def test_the_second_neighbour_is_a_main_clause_without_connective(
    language: str, words: str, connective: str, expected: str | None
) -> None:
    doc = DependencyTree(tree(words), language)
    result = unfuse_pair(doc, doc)
    assert (result.connective, result.rejected_by) == (connective, None)
    assert result.second == (expected or " ".join(doc.parse.tokens))


def test_a_french_clause_in_the_subjunctive_is_no_sentence() -> None:
    words = (
        "Alors/SCONJ/mark/4 que/SCONJ/fixed/1 Max/PROPN/nsubj/4 vienne/VERB*/advcl/7 , je/PRON/nsubj/7 "
        "pars/VERB*/root/0 ."
    )
    for mood, is_found in (("Ind", True), ("Sub", False)):
        parse = tree(words)
        morphs = tuple(
            f"{morph}|Mood={mood}" if "Fin" in morph else morph for morph in parse.morphs
        )
        doc = DependencyTree(replace(parse, morphs=morphs), "fr")
        assert (unfuse_sentence(doc) is not None) == is_found


def test_every_language_has_known_lists_in_lower_case() -> None:
    assert supported_languages() == ("de", "en", "es", "fr")
    for language in supported_languages():
        assert word_lists(language).keys() <= word_lists("en").keys() | {"separable"}
        assert set(word_lists(language)["rules"]) <= {"PAIR_CONN", *RULES}
        for kind in ("backward", "inner", "medial", "coordinators"):
            assert [
                phrase for phrase in word_lists(language)[kind] if phrase != phrase.lower()
            ] == []


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"language": "it"}, "no lists of connectives for 'it'; expected one of de, en, es, fr"),
        (
            {"language": "fr", "fusion": {"coreference": "subjects"}},
            "coreference is 'subjects', but there is no coreference resolution for the language 'fr'",
        ),
    ],
)
def test_other_languages_and_their_coreference_are_refused(
    values: dict[str, object], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        UnfuseText.model_validate({"own": ["quickstart/documents"], **values})


@pytest.mark.parametrize(("language", "least"), [("de", 8), ("es", 20), ("fr", 12)])
def test_most_outputs_on_own_sentences_are_right(language: str, least: int) -> None:
    """The trees in `fused/LANGUAGE.conllu` are those of the parsers that `make parsers` trains."""
    rows = [
        line.split(" | ")
        for line in (FIXTURES / f"{language}.txt").read_text(encoding="utf-8").splitlines()[1:]
    ]
    trees: dict[str, list[DependencyTree]] = {}
    for sentence in read_treebank(FIXTURES / f"{language}.conllu"):
        trees.setdefault(sentence.id, []).append(DependencyTree(sentence.parse, language))
    outputs = [output(trees[str(number)]) for number in range(1, len(rows) + 1)]
    expected = [
        (row[0], *(text.replace(" ", "") for text in row[2:])) if row[2:] else None for row in rows
    ]
    made = [(one, other) for one, other in zip(outputs, expected, strict=True) if one]
    assert len(made) >= least
    assert [pair for pair in made if pair[0] != pair[1]] == []


def output(grammars: list[DependencyTree]) -> tuple[str, str, str] | None:
    """Return label and sentences, without spaces, of what the profile `strict` makes and keeps of a row."""
    result = (
        unfuse_sentence(grammars[0])
        if len(grammars) == 1
        else unfuse_pair(grammars[0], grammars[1])
    )
    if result is None or result.rejected_by or result.discourse_type == "PAIR_NONE":
        return None
    return result.discourse_type, result.first.replace(" ", ""), result.second.replace(" ", "")
