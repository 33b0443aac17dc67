"""Each pattern over constituency trees has its counterpart; the parses are written by hand."""

from collections.abc import Callable

import pytest
from factories import parse, tree

from bitext_pivot.syntax import clauses

COORDINATED = (
    "It/PRON/nsubj/2 rained/VERB*/root/0 and/CCONJ/cc/5 we/PRON/nsubj/5 stayed/VERB*/conj/2 "
    "inside/ADV/advmod/5 ."
)
PREDICATES = "She/PRON/nsubj/2 lit/VERB*/root/0 it/PRON/obj/2 and/CCONJ/cc/5 made/VERB*/conj/2 tea/NOUN/obj/5 ."
LOOSE = "Snow/NOUN/nsubj/2 fell/VERB*/root/0 , so/ADV/advmod/6 buses/NOUN/nsubj/6 stopped/VERB*/advcl/2 ."
SPLICED = "Tides/NOUN/nsubj/2 rose/VERB*/root/0 , boats/NOUN/nsubj/5 left/VERB*/parataxis/2 ."
ALTHOUGH = "Although/SCONJ/mark/3 it/PRON/nsubj/3 rained/VERB*/advcl/6 , they/PRON/nsubj/6 played/VERB*/root/0 ."
AS = "As/SCONJ/mark/3 it/PRON/nsubj/3 rained/VERB*/advcl/6 , they/PRON/nsubj/6 left/VERB*/root/0 ."
# the parser took the subordinate clause for the main one, and its conjunction for a preposition
AS_ROOT = (
    "As/ADP/case/2 rain/NOUN/nsubj/3 fell/VERB*/root/0 , they/PRON/nsubj/6 left/VERB*/parataxis/3 ."
)
# the phrase is the first clause's; it opens no clause itself
IN_MARCH = (
    "In/ADP/case/2 March/PROPN/obl/5 , we/PRON/nsubj/5 open/VERB*/root/0 , they/PRON/nsubj/8 "
    "sell/VERB*/parataxis/5 ."
)
SINCE_MARCH = (
    "Since/ADP/case/2 March/PROPN/obl/4 shops/NOUN/nsubj/4 open/VERB*/root/0 late/ADV/advmod/4 ."
)
WHAT = "What/PRON?/obj/3 she/PRON/nsubj/3 wants/VERB*/csubj/5 is/AUX*/cop/5 rest/NOUN/root/0 ."
WHEN = "When/ADV?/advmod/3 did/AUX*/aux/3 come/VERB/root/0 they/PRON/nsubj/3 ?"
LEAVING = "Leaving/VERB~/advcl/5 town/NOUN/obj/1 , she/PRON/nsubj/5 waved/VERB*/root/0 ."
ABSOLUTE = "He/PRON/nsubj/2 said/VERB*/advcl/5 , she/PRON/nsubj/5 waved/VERB*/root/0 ."
HOWEVER_IF = (
    "However/ADV/advmod/8 , if/SCONJ/mark/5 it/PRON/nsubj/5 rains/VERB*/advcl/8 , we/PRON/nsubj/8 "
    "stay/VERB*/root/0 ."
)
QUOTED = '" It/PRON/nsubj/3 rains/VERB*/ccomp/7 " , he/PRON/nsubj/7 said/VERB*/root/0 .'
SENTENCES = {
    name: value
    for name, value in list(globals().items())
    if name.isupper() and isinstance(value, str)
}


def phrase(length: int) -> str:
    """A sentence that a prepositional phrase of so many words opens."""
    words = ["In/ADP/case/2", f"cases/NOUN/obl/{length + 3}", *["like/ADJ/amod/2"] * (length - 2)]
    return " ".join([*words, ",/PUNCT/punct/2", f"we/PRON/nsubj/{length + 3}", "wait/VERB*/root/0"])


def view(words: str) -> clauses.ClauseStructure:
    found = clauses.analyse_clauses(tree(words), "en")
    assert found is not None
    return found


FIRES: dict[Callable[[clauses.ClauseStructure], bool], set[str]] = {
    clauses.joins_full_clauses: {"COORDINATED", "LOOSE"},
    clauses.is_comma_splice: {"SPLICED", "IN_MARCH"},
    clauses.is_bare_comma_splice: {"SPLICED", "IN_MARCH"},
    clauses.opens_with_subordinate: {"ALTHOUGH", "AS", "AS_ROOT", "WHAT"},
    clauses.has_fronted_clause: {"LEAVING", "HOWEVER_IF", "QUOTED"},
}


@pytest.mark.parametrize("test", FIRES, ids=lambda test: test.__name__)
def test_a_pattern_holds_for_these_sentences_and_no_others(
    test: Callable[[clauses.ClauseStructure], bool],
) -> None:
    assert {name for name, words in SENTENCES.items() if test(view(words))} == FIRES[test]


@pytest.mark.parametrize(("length", "holds"), [(10, False), (11, True)])
def test_a_phrase_is_long_from_eleven_words_on(length: int, holds: bool) -> None:
    assert clauses.opens_with_long_phrase(view(phrase(length))) is holds


def test_coordination_is_seen_in_clear_labels_too() -> None:
    sentence = clauses.analyse_clauses(
        tree(COORDINATED.replace("cc/5", "cc/2").replace("root/0", "ROOT/0"), "clear"), "en"
    )
    assert sentence is not None and clauses.joins_full_clauses(sentence)


SPLICED_FIRST = (
    "Tides/NOUN/nsubj/2 rose/VERB*/ccomp/5 , boats/NOUN/nsubj/5 left/VERB*/ROOT/0 us/PRON/dobj/5 ."
)
CLEAR = [
    # words, token that is the main verb
    (SPLICED_FIRST, 1),
    (SPLICED_FIRST.replace(" , ", " - "), 1),
    ("Tides/NOUN/nsubj/2 rose/VERB*/ccomp/8 , winds/NOUN/nsubj/5 fell/VERB*/ccomp/8 , boats/NOUN/nsubj/8 "
     "left/VERB*/ROOT/0", 1),
    ("It/PRON/nsubj/2 rains/VERB*/ccomp/5 , that/PRON/nsubj/5 is/AUX*/ROOT/0 all/PRON/attr/5 .", 1),
    ("It/PRON/nsubj/2 rains/VERB*/ccomp/6 , we/PRON/nsubj/6 have/AUX*/aux/6 say/VERB/ROOT/0 .", 1),
    ("It/PRON/nsubj/2 rains/VERB*/ccomp/5 , boats/NOUN/nsubj/5 leave/VERB*/ROOT/0 .", 1),
    ("It/PRON/nsubj/2 rains/VERB*/ccomp/5 , they/PRON/nsubj/5 say/VERB*/ROOT/0 prayers/NOUN/dobj/5 .", 1),
    # a reporting clause; a clause that is no full one; no punctuation between
    ("It/PRON/nsubj/2 rains/VERB*/ccomp/5 , they/PRON/nsubj/5 say/VERB*/ROOT/0 .", 4),
    ("It/PRON/nsubj/2 rains/VERB*/ccomp/4 , say/VERB*/ROOT/0 farmers/NOUN/nsubj/4 .", 3),
    ("That/SCONJ/mark/3 it/PRON/nsubj/3 rains/VERB*/ccomp/6 , they/PRON/nsubj/6 know/VERB*/ROOT/0 it/PRON/dobj/6 .", 5),
    ("Raining/VERB~/ccomp/4 , it/PRON/nsubj/4 left/VERB*/ROOT/0 us/PRON/dobj/4 .", 3),
    ("It/PRON/nsubj/2 rains/VERB*/ccomp/4 they/PRON/nsubj/4 see/VERB*/ROOT/0 it/PRON/dobj/4 .", 3),
    ("They/PRON/nsubj/2 see/VERB*/ROOT/0 it/PRON/nsubj/4 rains/VERB*/ccomp/2 .", 1),
]  # fmt: skip


@pytest.mark.parametrize(("words", "root"), CLEAR)
def test_without_joining_word_the_first_clause_is_main(words: str, root: int) -> None:
    found = clauses.analyse_clauses(tree(words, "clear"), "en")
    assert found is not None and found.root == root


def test_a_splice_in_clear_is_one() -> None:
    found = clauses.analyse_clauses(tree(SPLICED_FIRST, "clear"), "en")
    assert (
        found is not None
        and clauses.is_comma_splice(found)
        and not clauses.has_fronted_clause(found)
    )


def test_universal_dependencies_stay_as_they_are() -> None:
    found = clauses.analyse_clauses(tree(SPLICED_FIRST.replace("ROOT", "root")), "en")
    assert found is not None and found.root == 4


NUMBERED = [
    ("( 11 ) If", 3),
    ("11 ) If", 2),
    ("( a ) If", 0),
    ("( 11", 0),
    ("11", 0),
    ("(", 0),
    ("If ( 11 )", 0),
    ("", 0),
]


@pytest.mark.parametrize(("text", "end"), NUMBERED)
def test_a_recital_s_number_is_no_part_of_the_sentence(text: str, end: int) -> None:
    assert clauses.recital_number_end(tuple(text.split())) == end


def test_the_first_word_is_no_number_mark_or_coordinator() -> None:
    words = "( 3/NUM/nummod/6 ) And/CCONJ/cc/6 we/PRON/nsubj/6 wait/VERB*/root/0"
    assert view(words).first == 4


@pytest.mark.parametrize("lines", ["", "... ... . PUNCT ROOT 0"])
def test_a_text_without_words_is_no_sentence(lines: str) -> None:
    assert clauses.analyse_clauses(parse(lines), "en") is None


def test_openings_are_the_first_words_of_conjuncts_and_clauses() -> None:
    words = (
        "We/PRON/nsubj/2 saw/VERB*/root/0 boats/NOUN/obj/2 in/ADP/case/5 which/PRON?/obl/7 they/PRON/nsubj/7 "
        "sleep/VERB*/acl:relcl/3 and/CCONJ/cc/11 that/PRON?/nsubj/11 never/ADV/advmod/11 leave/VERB*/conj/7"
    )
    assert clauses.clause_openers(view(words)) == {3, 7}


def test_a_language_without_a_list_has_no_words() -> None:
    assert clauses.clause_words("xx", "opening") == frozenset()
    assert "although" in clauses.clause_words("en", "opening")
