"""SARI: the published anchors of three programs, and laws that any of them keeps."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.research.metrics.evaluation_settings import LineVariant
from bitext_pivot.research.metrics.metric import EvaluationCorpus
from bitext_pivot.research.metrics.sari import Sari, Words, sari

SPECIES = "About 95 species are currently accepted ."
KNOWN = [
    "About 95 species are currently known .",
    "About 95 species are now accepted .",
    "95 species are now accepted .",
]
KUBLER = "Kubler remained a revered figure . Kubler retired in 1957 ."
WHO = "Kubler , who retired in 1957 , remained a revered figure ."
RAIN = "It rained . We left ."
SO = "It rained , so we left ."


def words(text: str) -> Words:
    return tuple(text.split())


@pytest.mark.parametrize(("variant", "source", "output", "references", "expected"), [
    ("bisect", SPECIES, "About 95 you now get in .", KNOWN, (0.2683, 0.0833, 0.2215, 0.5)),
    ("xu2016", SPECIES, "About 95 you now get in .", KNOWN, (0.2683, 0.0833, 0.2215, 0.5)),
    # Nothing is won by deleting the words between; a capital in the source hides that.
    ("bisect", "a b c d e", "a c e", ["a c e"], (0.4167, 0.0, 0.25, 1.0)),
    ("bisect", "A b c d e", "A c e", ["A c e"], (0.5417, 0.375, 0.25, 1.0)),
    ("xu2016", "a b c d e", "a c e", ["a c e"], (0.5833, 0.5, 0.25, 1.0)),
    ("discofuse", KUBLER, WHO, [WHO], (1.0, 1.0, 1.0, 1.0)),
    ("discofuse", KUBLER, KUBLER, [WHO], (0.3138, 0.0, 0.6913, 0.25)),
    ("discofuse", RAIN, "It rained , and we left .", [SO], (0.7972, 0.3917, 1.0, 1.0)),
    ("discofuse", RAIN, "It rained . So , we left .", [SO], (0.6312, 0.2792, 0.7, 0.9143)),
    # Two references, counted by hand for n = 1; there are no longer n-grams.
    ("discofuse", "a", "b", ["b", "a"], (0.8889, 1.0, 0.75, 0.9167)),
    ("bisect", "", "", [""], (0.0, 0.0, 0.0, 0.0)),
    ("discofuse", "", "", [""], (1.0, 1.0, 1.0, 1.0)),
])  # fmt: skip
def test_sari_of_a_line(
    variant: LineVariant,
    source: str,
    output: str,
    references: list[str],
    expected: tuple[float, ...],
) -> None:
    result = sari(words(source), words(output), tuple(map(words, references)), variant)
    assert tuple(result) == pytest.approx(expected, abs=5e-5)


TEXTS = st.lists(
    st.sampled_from(["the", "The", "café", "naïve", "猫", ".", ",", "a", "b"]), max_size=8
).map(tuple)


@given(
    TEXTS, TEXTS, st.lists(TEXTS, min_size=1, max_size=3), st.sampled_from(get_args(LineVariant))
)
def test_scores_are_shares_and_ignore_the_order_of_references(
    source: Words, output: Words, references: list[Words], variant: LineVariant
) -> None:
    result = sari(source, output, tuple(references), variant)
    assert all(-1e-9 <= part <= 1 + 1e-9 for part in result)
    assert result.sari == pytest.approx((result.add + result.keep + result.delete) / 3)
    assert sari(source, output, tuple(reversed(references)), variant) == pytest.approx(result)


@given(TEXTS, TEXTS)
def test_an_output_that_is_the_reference_is_perfect_in_discofuse(
    source: Words, output: Words
) -> None:
    assert sari(source, output, (output,), "discofuse") == pytest.approx((1, 1, 1, 1))


def test_the_corpus_score_is_the_mean_of_its_lines() -> None:
    corpus = EvaluationCorpus(
        sources=[SPECIES, "a b c d e"],
        references=[[KNOWN[0], "a c e"], [KNOWN[1], None], [KNOWN[2], None]],
    )
    outputs = ["About 95 <SEP> you now get in .", "a c <::::> e"]
    metric = Sari(corpus, "treebank", "bisect")
    assert metric.corpus_score(outputs, None).score == pytest.approx(
        100 * (0.26828 + 0.41667) / 2, abs=1e-3
    )
    signature = str(metric.get_signature())
    assert signature.startswith(
        "nrefs:var|variant:bisect|case:lc|tok:treebank|version:bitext-pivot-"
    )
