"""Paired tests: sacrebleu's own for BLEU, and the same mechanism for all metrics."""

import random
from typing import Any

import pytest
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest

from bitext_pivot.research.metrics.bertscore_metric import BertScore
from bitext_pivot.research.metrics.comparison import Comparison, compare, metrics_of
from bitext_pivot.research.metrics.evaluation_settings import Evaluation
from bitext_pivot.research.metrics.metric import EvaluationCorpus

rng = random.Random(5)
WORDS = [
    "the",
    "cat",
    "dog",
    "sat",
    "ran",
    "home",
    "early",
    ",",
    "which",
    "was",
    "old",
    "and",
    "then",
    "slept",
]
SOURCES = [f"{' '.join(rng.choices(WORDS, k=9))} ." for _ in range(40)]
REFERENCES = [source.replace(" , ", " . <SEP> ", 1) for source in SOURCES]
SYSTEMS = {
    "copy": SOURCES,
    "good": [f"{line} now" if n % 3 else line for n, line in enumerate(REFERENCES)],
    "again": SOURCES,
}


def settings(**values: object) -> Evaluation:
    return Evaluation.model_validate(
        {"outputs": ["x"], "source": "x", "references": ["x"], "samples": 200, **values}
    )


def compared(**values: object) -> Comparison:
    corpus, chosen = EvaluationCorpus(sources=SOURCES, references=[REFERENCES]), settings(**values)
    return compare(SYSTEMS, metrics_of(corpus, chosen), chosen)


@pytest.mark.parametrize(("test", "short"), [("bootstrap", "bs"), ("randomization", "ar")])
def test_bleu_and_its_test_are_those_of_sacrebleu_without_separators(test: str, short: str) -> None:
    plain: list[Any] = [
        (name, [line.replace(" <SEP>", "") for line in lines]) for name, lines in SYSTEMS.items()
    ]
    references = [[line.replace(" <SEP>", "") for line in REFERENCES]]
    test_of_sacrebleu = PairedTest(
        plain,
        {"BLEU": BLEU()},
        references,
        short,
        n_samples=200,
        n_ar_confidence=200 if short == "ar" else -1,
    )
    signatures, columns = test_of_sacrebleu()
    result = compared(test=test)
    assert [vars(one) for one in result.results["BLEU"][:2]] == [
        vars(one) for one in columns["BLEU"][:2]
    ]
    assert result.signatures["BLEU"] == str(signatures["BLEU"])


def test_equal_systems_do_not_differ_and_better_ones_do() -> None:
    result = compared()
    for name, (copy, good, again) in result.results.items():
        assert (copy.score, copy.mean, copy.ci) == pytest.approx(
            (again.score, again.mean, again.ci)
        ), name
        assert copy.p_value is None and again.p_value == 1, name
        assert good.p_value < 0.01 or name not in {
            "SARI",
            "OLen",
            "%new",
            "%one split",
        }, name
    assert result.results["self-BLEU"][0].score == pytest.approx(100)
    assert result.results["%new"][0].score == 0


def test_fkgl_is_for_english_and_every_metric_has_a_signature() -> None:
    german = compared(language="de", tokenizer="13a", sari="xu2016")
    assert "FKGL" in compared().results and "FKGL" not in german.results
    assert german.signatures.keys() == german.results.keys()
    assert all("seed:12345" in line and "version:" in line for line in german.signatures.values())
    assert "variant:xu2016|case:lc|tok:13a" in german.signatures["SARI"]
    assert "nrefs" not in german.signatures["%new"] and "nrefs:1" in german.signatures["GLEU"]


def test_bertscore_takes_the_best_reference() -> None:
    corpus = EvaluationCorpus(sources=["s", "s"], references=[["a", "b"], ["c", None]])
    metric = BertScore(
        corpus, {("x y", "a"): 0.5, ("x y", "c"): 0.7, ("", "b"): 0.0}, {"encoder": "none"}
    )
    assert metric.corpus_score(["x <SEP> y", ""], None).score == pytest.approx(35)
