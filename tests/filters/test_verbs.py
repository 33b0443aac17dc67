"""A side without a verb, counted by hand."""

import pytest
from factories import flat, parse, parsed

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


AMOUNTS = "amounts amount NNS NOUN root 0"
MISREAD = {
    "a singular determiner": f"This this DT DET det 3\ntax tax NN NOUN compound 3\n{AMOUNTS}\nto to IN ADP case 3",
    "an adjective between": f"A a DT DET det 4\nhigh high JJ ADJ amod 4\ntax tax NN NOUN x 4\n{AMOUNTS}",
    "a determiner behind": f"Tax tax NN NOUN compound 2\n{AMOUNTS}\nthe the DT DET det 4\nsum sum NN NOUN x 2",
    "an adjective behind": f"Tax tax NN NOUN compound 2\n{AMOUNTS}\nlarge large JJ ADJ amod 2",
}
PLURALS = {
    "no determiner": f"Tax tax NN NOUN compound 2\n{AMOUNTS}\nto to IN ADP case 2",
    "one that plurals have": f"The the DT DET det 3\ntax tax NN NOUN compound 3\n{AMOUNTS}\nof of IN ADP case 3",
    "no noun before": f"This this DT DET det 2\n{AMOUNTS}\nlarge large JJ ADJ amod 2",
    "a name": "This this DT DET det 3\ntax tax NN NOUN x 3\nAmounts amount NNS NOUN root 0",
    "the first word": f"{AMOUNTS}\nlarge large JJ ADJ amod 1",
}


@pytest.mark.parametrize("case", MISREAD)
def test_a_plural_that_cannot_stand_there_is_a_verb(case: str) -> None:
    assert score(parse(MISREAD[case])) == 1


@pytest.mark.parametrize("case", PLURALS)
def test_a_plural_that_can_stand_there_is_none(case: str) -> None:
    assert score(parse(PLURALS[case])) == 0
