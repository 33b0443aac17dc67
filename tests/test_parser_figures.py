"""The figures of benchmarks/parsers.py, counted by hand."""

from factories import parse
from parsers import facts, merged, paragraphs, running, spans

from pairs.syntax.treebank import TreebankSentence

GOLD = parse("Do do AUX AUX aux 3\nn't not PART PART advmod 3\nrun run VERB VERB root 0")
JOINED = parse("Don't do AUX AUX aux 2\nrun run VERB VERB root 0")
TWO = parse("Do do AUX AUX root 0\nn't not PART PART advmod 1\nrun run NOUN NOUN root 0")


def sentence(text, *, begins=False, space_after=True, of=GOLD):
    return TreebankSentence(id="", text=text, parse=of, begins=begins, space_after=space_after)


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


def test_neighbours_are_counted_on_from_each_other():
    assert merged([sentence("Don't run"), sentence("Don't run")])["sents"] == {(0, 8), (8, 16)}


def test_running_text_has_the_blanks_that_the_treebank_tells():
    assert running([sentence("A.", space_after=False), sentence("B.")]) == "A.B."
    assert running([sentence("A."), sentence("B.")]) == "A. B."


def test_paragraphs_are_those_marked_or_six_sentences():
    marked = [sentence(name, begins=name in "AC") for name in "ABCD"]
    assert [[one.text for one in run] for run in paragraphs(marked)] == [["A", "B"], ["C", "D"]]
    assert [len(run) for run in paragraphs([sentence("A")] * 8)] == [6, 2]
