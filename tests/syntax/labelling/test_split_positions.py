"""What the parse says of the places where a sentence may have been split."""

from dataclasses import replace

import pytest
from factories import tree

from bitext_pivot.core.records import Parse
from bitext_pivot.syntax import clauses
from bitext_pivot.syntax.labelling.split_positions import position_scores

CASES = [
    # words, places that are worth something, places that are barred
    ("It/PRON/nsubj/2 rained/VERB*/root/0 and/CCONJ/cc/5 we/PRON/nsubj/5 stayed/VERB*/conj/2", {2}, {3}),
    ("She/PRON/nsubj/2 lit/VERB*/root/0 it/PRON/obj/2 and/CCONJ/cc/5 left/VERB*/conj/2", {3}, {4}),
    ("cats/NOUN/nsubj/4 or/CCONJ/cc/3 dogs/NOUN/conj/1 bark/VERB*/root/0", set(), {2}),
    ("We/PRON/nsubj/2 left/VERB*/root/0 because/SCONJ/mark/5 it/PRON/nsubj/5 rained/VERB*/advcl/2", {2}, {3}),
    ("We/PRON/nsubj/2 met/VERB*/root/0 in/ADP/case/5 the/DET/det/5 park/NOUN/obl/2", set(), {3, 4}),
    ("We/PRON/nsubj/2 lost/VERB*/root/0 given/VERB/case/4 rain/NOUN/obl/2", set(), {3}),
    # adverbs and commas between a conjunction and its clause; a conjunction behind another one
    ("It/PRON/nsubj/2 rained/VERB*/root/0 and/CCONJ/cc/9 , here/ADV/advmod/9 too/ADV/advmod/9 , we/PRON/nsubj/9 "
     "stayed/VERB*/conj/2", {2}, {3, 4, 5, 6, 7}),
    ("It/PRON/nsubj/2 rained/VERB*/root/0 and/CCONJ/cc/9 even/ADV/advmod/7 if/SCONJ/mark/7 we/PRON/nsubj/7 "
     "slept/VERB*/advcl/9 they/PRON/nsubj/9 sang/VERB*/conj/2", {2}, {3, 4, 5}),
    ("I/PRON/nsubj/2 own/VERB*/root/0 huts/NOUN/obj/2 which/PRON?/nsubj/5 leak/VERB*/acl:relcl/3", {3}, {4}),
    # an auxiliary behind a relative word; a gerund before "that"; "to" before its verb
    ("I/PRON/nsubj/2 own/VERB*/root/0 huts/NOUN/obj/2 which/PRON?/nsubj/6 will/AUX*/aux/6 leak/VERB/acl:relcl/3",
     {3}, {4, 5}),
    ("He/PRON/nsubj/2 left/VERB*/root/0 , adding/VERB~/advcl/2 that/SCONJ/mark/7 it/PRON/nsubj/7 rains/VERB*/ccomp/4",
     {3}, {4, 5}),
    ("We/PRON/nsubj/2 left/VERB*/root/0 to/PART/mark/4 sleep/VERB/advcl/2", set(), {3}),
    ("They/PRON/nsubj/2 gave/VERB*/root/0 up/ADP/compound:prt/2 hope/NOUN/obj/2", set(), set()),
]  # fmt: skip


def scores(long: Parse) -> dict[int, int]:
    """Return the scores of an English sentence that has words."""
    s = clauses.analyse_clauses(long, "en")
    assert s is not None
    return position_scores(s)


@pytest.mark.parametrize(("words", "openings", "barred"), CASES)
def test_clauses_open_and_leaning_words_bar_the_next_place(
    words: str, openings: set[int], barred: set[int]
) -> None:
    found = scores(tree(words))
    assert {place for place, worth in found.items() if worth > 0} == openings
    assert {place for place, worth in found.items() if worth < 0} == barred


def test_a_preposition_that_heads_its_noun_leans_on_it() -> None:
    words = "We/PRON/nsubj/2 met/VERB*/ROOT/0 in/ADP/prep/2 town/NOUN/pobj/3"
    assert scores(tree(words, "clear")) == {3: -4}


def test_a_coordinator_leans_on_what_follows_in_clear_too() -> None:
    words = "It/PRON/nsubj/2 rained/VERB*/ROOT/0 but/CCONJ/cc/2 now/ADV/advmod/7 , we/PRON/nsubj/7 stayed/VERB*/conj/2"
    found = scores(tree(words, "clear"))
    assert {place for place, worth in found.items() if worth < 0} == {3, 4, 5}


def test_a_word_that_was_cut_into_tokens_is_not_split() -> None:
    joined = replace(
        tree("We/PRON/nsubj/4 ca/AUX*/aux/4 n't/PART/advmod/4 go/VERB/root/0"), starts=(0, 3, 5, 9)
    )
    assert scores(joined) == {2: -4, 3: -4}
