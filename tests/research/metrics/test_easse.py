"""EASSE's SARI: golden values of EASSE's own program, and what sums over the corpus mean."""

import pytest

from bitext_pivot.research.metrics.easse import EasseSari
from bitext_pivot.research.metrics.metric import EvaluationCorpus
from bitext_pivot.research.metrics.sari import PARTS, SariPart

SOURCES = ["About 95 species are currently accepted.", "a b c d e"]
REFERENCES = [
    ["About 95 species are currently known.", "a c e"],
    ["About 95 species are now accepted.", "a b c e"],
    ["95 species are now accepted.", "a c d e"],
]


def scores(
    outputs: list[str], sources: list[str] = SOURCES, references: list[list[str]] = REFERENCES
) -> list[float]:
    corpus = EvaluationCorpus(sources=sources, references=references)
    return [EasseSari(corpus, "treebank", part).corpus_score(outputs, None).score for part in PARTS]


@pytest.mark.parametrize(("outputs", "expected"), [
    # Printed by corpus_sari and get_corpus_sari_operation_scores of EASSE, with their defaults.
    (["About 95 you now get in.", "a c <SEP> e"], (38.828788, 19.597070, 24.033816, 72.855478)),
    (SOURCES, (19.394841, 0.0, 58.184524, 0.0)),
    ([text.upper() for text in REFERENCES[0]], (70.096793, 61.414141, 72.798574, 76.077665)),
])  # fmt: skip
def test_scores_are_those_of_easse(outputs: list[str], expected: tuple[float, ...]) -> None:
    assert scores(outputs) == pytest.approx(list(expected), abs=1e-6)


def test_an_output_that_is_the_only_reference_is_perfect() -> None:
    assert (
        scores(["a b c d . <SEP> w x y z"], ["a b c d e f g h"], [["a b c d . w x y z"]])
        == [100] * 4
    )


def test_counts_are_summed_before_they_are_divided() -> None:
    outputs = ["About 95 you now get in.", "a c e"]
    columns = [[[text] for text in lines] for lines in zip(*REFERENCES, strict=True)]
    lines = [scores([outputs[n]], [SOURCES[n]], columns[n]) for n in (0, 1)]
    corpus = scores(outputs)
    assert corpus[0] != pytest.approx((lines[0][0] + lines[1][0]) / 2, abs=0.5)
    assert scores(outputs * 3, SOURCES * 3, [lines * 3 for lines in REFERENCES]) == pytest.approx(
        corpus
    )


@pytest.mark.parametrize("part", PARTS)
def test_the_signature_names_variant_and_tokenizer(part: SariPart) -> None:
    metric = EasseSari(EvaluationCorpus(sources=SOURCES, references=REFERENCES), "treebank", part)
    metric.corpus_score(SOURCES, None)
    assert "variant:easse|case:lc|tok:13a" in str(metric.get_signature())
