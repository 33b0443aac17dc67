"""Fragments of a pair, counted by hand."""

import pytest
from factories import parsed, tree

from bitext_pivot.filters.fragments import FragmentsFilter

SENTENCE = "He/PRON/nsubj/2 left/VERB*/root/0 ."
FRAGMENT = "Because/SCONJ/mark/3 he/PRON/nsubj/3 left/VERB*/root/0 ."


@pytest.mark.parametrize(
    ("sides", "expected"),
    [((SENTENCE, SENTENCE, SENTENCE), 0), ((FRAGMENT, SENTENCE, SENTENCE), 1), ((SENTENCE, FRAGMENT, SENTENCE), 1),
     ((SENTENCE, FRAGMENT, FRAGMENT), 2), ((FRAGMENT, FRAGMENT, FRAGMENT), 3)],
)  # fmt: skip
def test_each_sentence_without_a_main_clause_counts(
    sides: tuple[str, str, str], expected: int
) -> None:
    assert FragmentsFilter().score([parsed(*map(tree, sides))]) == [expected]


def test_another_language_is_not_measured() -> None:
    assert FragmentsFilter().score(
        [parsed(*map(tree, (FRAGMENT, FRAGMENT, FRAGMENT)), language="cs")]
    ) == [None]
