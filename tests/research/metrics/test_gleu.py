"""GLEU by segments against NLTK's of a corpus, which BiSECT copied, and by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext_pivot.research.metrics.gleu import Gleu
from bitext_pivot.research.metrics.metric import EvaluationCorpus

TEXTS = st.lists(
    st.sampled_from(["the", "The", "mat", "Straße", "猫", "on"]), min_size=1, max_size=9
)


@given(st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=5))
def test_gleu_of_segments_is_that_of_the_corpus(
    lines: list[tuple[list[str], list[str], list[str]]],
) -> None:
    from nltk.translate.gleu_score import corpus_gleu

    outputs, *references = zip(*lines, strict=True)
    expected = corpus_gleu([list(one) for one in zip(*references, strict=True)], outputs)
    texts = [[" ".join(words) for words in column] for column in (outputs, *references)]
    corpus = EvaluationCorpus(sources=texts[1], references=texts[1:])
    assert Gleu(corpus, "none").corpus_score(texts[0], None).score == pytest.approx(100 * expected)


@pytest.mark.parametrize(("output", "reference", "score"), [
    ("the the the the the the the", "the cat is on the mat", 9.0909),
    ("a b", "a b", 100), ("a b <SEP> c d", "a b c d", 100), ("x", "y", 0), ("", "y", 0), ("", "", 0),
])  # fmt: skip
def test_gleu_by_hand(output: str, reference: str, score: float) -> None:
    corpus = EvaluationCorpus(sources=[reference], references=[[reference]])
    assert Gleu(corpus, "treebank").corpus_score([output], None).score == pytest.approx(
        score, abs=1e-4
    )
