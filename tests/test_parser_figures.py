"""The figures of benchmarks/parsers.py, counted by hand."""

from factories import parse
from parsers import facts, spans

GOLD = parse("Do do AUX AUX aux 3\nn't not PART PART advmod 3\nrun run VERB VERB root 0")
JOINED = parse("Don't do AUX AUX aux 2\nrun run VERB VERB root 0")
TWO = parse("Do do AUX AUX root 0\nn't not PART PART advmod 1\nrun run NOUN NOUN root 0")


def test_words_cut_otherwise_are_aligned_by_their_characters():
    assert spans(JOINED.tokens) == [(0, 5), (5, 8)]
    gold, found = facts(GOLD), facts(JOINED)
    assert {name: len(gold[name] & found[name]) for name in gold} == {
        "upos": 1,
        "lemma": 1,
        "uas": 1,
        "las": 1,
        "sents": 1,
    }


def test_a_wrong_head_spoils_both_scores_and_a_wrong_tree_the_sentence():
    gold, found = facts(GOLD), facts(TWO)
    assert {name: len(gold[name] & found[name]) for name in gold} == {
        "upos": 2,
        "lemma": 3,
        "uas": 1,
        "las": 1,
        "sents": 0,
    }
    assert found["sents"] == {(0, 5), (5, 8)}


def test_a_root_needs_no_label():
    assert facts(parse("run run VERB VERB ROOT 0"))["las"] == facts(parse("run run VERB VERB root 0"))["las"]
