"""A side without a verb, counted by hand."""

import pytest
from factories import flat, parse, parsed

from bitext_pivot.filters.verbs import VerbsFilter

TWO_VERBS = "We/PRON had/AUX left/VERB"
ONE_VERB = "They/PRON sat/VERB"
NONE = "A/DET long/ADJ day/NOUN ./PUNCT"


@pytest.mark.parametrize(
    ("sides", "expected"),
    [((TWO_VERBS, TWO_VERBS, TWO_VERBS), 2), ((TWO_VERBS, ONE_VERB, TWO_VERBS), 1), ((NONE, ONE_VERB, TWO_VERBS), 0),
     ((TWO_VERBS, NONE, ONE_VERB), 0), ((TWO_VERBS, ONE_VERB, NONE), 0)],
)  # fmt: skip
def test_the_poorest_of_the_three_sentences_counts(
    sides: tuple[str, str, str], expected: int
) -> None:
    assert VerbsFilter().score([parsed(*map(flat, sides))]) == [expected]


AMOUNTS = "amounts amount NNS NOUN root 0"
SOURCES = {
    # the second half, with or without a verb
    "a verb in the other sentences": (
        flat("This/DET programme/NOUN expires/NOUN tomorrow/NOUN"),
        1,
    ),
    "a function word that is a verb in the others": (flat("A/DET day/NOUN expires/ADP"), 0),
    "a word with a subject": (parse("Rain rain NN NOUN nsubj 2\nfalls fall NNS NOUN root 0"), 1),
    "a word with an object": (parse("Enter enter NN NOUN root 0\ncodes code NNS NOUN obj 1"), 1),
    "a word that is nothing but a verb": (flat("Two/NUM problems/NOUN arise/ADV"), 1),
    "a past form that is nothing but a verb": (flat("She/PRON underwent/NOUN surgery/NOUN"), 1),
    "a participle": (flat("Dark/ADJ skinned/ADJ people/NOUN"), 0),
    "a word that may be a noun": (flat("The/DET results/NOUN of/ADP it/PRON"), 0),
    "a fused tag": (parse("'s 's PRP_VBZ PRON dep 2\ncold cold JJ ADJ root 0"), 1),
}
PLURALS = {
    # whether a word tagged as a plural is a verb
    "a singular determiner": (
        f"This this DT DET det 3\ntax tax NN NOUN x 3\n{AMOUNTS}\nto to IN ADP case 3",
        1,
    ),
    "an adjective between": (
        f"A a DT DET det 4\nhigh high JJ ADJ amod 4\ntax tax NN NOUN x 4\n{AMOUNTS}",
        1,
    ),
    "a determiner after it": (
        f"Tax tax NN NOUN x 2\n{AMOUNTS}\nthe the DT DET det 4\nsum sum NN NOUN x 2",
        1,
    ),
    "an adjective after it": (f"Tax tax NN NOUN x 2\n{AMOUNTS}\nlarge large JJ ADJ amod 2", 1),
    "no determiner": (f"Tax tax NN NOUN x 2\n{AMOUNTS}\nto to IN ADP case 2", 0),
    "a determiner of plurals": (
        f"The the DT DET det 3\ntax tax NN NOUN x 3\n{AMOUNTS}\nof of IN ADP case 3",
        0,
    ),
    "no noun before": (f"This this DT DET det 2\n{AMOUNTS}\nlarge large JJ ADJ amod 2", 0),
    "a name": ("This this DT DET det 3\ntax tax NN NOUN x 3\nAmounts amount NNS NOUN root 0", 0),
    "the first word": (f"{AMOUNTS}\nlarge large JJ ADJ amod 1", 0),
}
SOURCES |= {name: (parse(lines), expected) for name, (lines, expected) in PLURALS.items()}


@pytest.mark.parametrize("case", SOURCES)
def test_other_sources_than_parts_of_speech(case: str) -> None:
    second, expected = SOURCES[case]
    assert VerbsFilter().score(
        [parsed(flat("It/PRON expires/VERB soon/ADV"), flat(ONE_VERB), second)]
    ) == [expected]


def test_the_dictionary_is_of_english() -> None:
    french = parsed(
        flat("Il/PRON part/VERB"), flat(ONE_VERB), flat("Une/DET arise/NOUN"), language="fr"
    )
    assert VerbsFilter().score([french]) == [0]
