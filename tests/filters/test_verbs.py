"""A side without a verb, counted by hand."""

import pytest
from support import flat, parse, parsed

from filters.verbs import Verbs
from pairs.records import Parse

TWO_VERBS = "We/PRON had/AUX left/VERB"
ONE_VERB = "They/PRON sat/VERB"
NONE = "A/DET long/ADJ day/NOUN ./PUNCT"


@pytest.mark.parametrize(
    ("sides", "expected"),
    [((TWO_VERBS, TWO_VERBS, TWO_VERBS), 2), ((TWO_VERBS, ONE_VERB, TWO_VERBS), 1), ((NONE, ONE_VERB, TWO_VERBS), 0),
     ((TWO_VERBS, NONE, ONE_VERB), 0), ((TWO_VERBS, ONE_VERB, NONE), 0)],
)  # fmt: skip
def test_the_poorest_of_the_three_sentences_counts(sides: tuple[str, str, str], expected: int) -> None:
    assert Verbs().score([parsed(*map(flat, sides))]) == [expected]


def score(second: Parse) -> float:
    return Verbs().score([parsed(flat("It/PRON expires/VERB soon/ADV"), flat(ONE_VERB), second)])[0]


def test_a_word_that_is_a_verb_in_the_other_sentences_is_one() -> None:
    assert score(flat("This/DET programme/NOUN expires/NOUN tomorrow/NOUN")) == 1


def test_a_function_word_is_no_verb_even_so() -> None:
    assert score(flat("A/DET day/NOUN expires/ADP")) == 0


def test_a_word_with_a_subject_is_a_verb() -> None:
    assert score(parse("Rain rain NN NOUN nsubj 2\nfalls fall NNS NOUN root 0")) == 1


def test_a_fused_tag_is_a_verb() -> None:
    assert score(parse("'s 's PRP_VBZ PRON dep 2\ncold cold JJ ADJ root 0")) == 1


def test_the_threshold_itself_stays() -> None:
    assert [Verbs().accepts(score) for score in (0, 1, 2)] == [False, True, True]
