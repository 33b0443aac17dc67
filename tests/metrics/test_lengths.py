"""Lengths, new words, splits, and the tokens they are counted in."""

import pytest

from bitext_pivot.metrics.base import Corpus, SegmentMetric
from bitext_pivot.metrics.lengths import NewWords, OutputLength, SentenceLength
from bitext_pivot.metrics.settings import Tokenizer
from bitext_pivot.metrics.splits import Entailed, OneSplit, SentenceCount, SplitMetric, Unsplit
from bitext_pivot.metrics.texts import parts, sentences, tokens

SOURCE = "The cat, which was black, slept."


def score(metric: type[SegmentMetric], *outputs: str) -> float:
    corpus = Corpus(sources=[SOURCE] * len(outputs), references=[[SOURCE] * len(outputs)])
    made = metric(corpus) if issubclass(metric, SplitMetric) else metric(corpus, "treebank")  # type: ignore[arg-type]
    return float(made.corpus_score(list(outputs), None).score)


@pytest.mark.parametrize(("metric", "outputs", "expected"), [
    (OutputLength, ["The cat slept . <SEP> It was black .", "The cat ."], (8 + 3) / 2),
    (SentenceLength, ["The cat slept . <SEP> It was black .", "The cat ."], (8 + 3) / 3),
    (NewWords, [SOURCE], 0), (NewWords, [SOURCE.upper()], 0), (NewWords, ["It slept ."], 100 / 3),
    (NewWords, ["cat cat", ""], (100 / 2 + 0) / 2),  # a second cat is new
    (OneSplit, ["A . <SEP> B .", "A .", "A . <SEP> B . <SEP> C .", "A . B ."], 25),
    (OneSplit, ["A . <::::> B .", "A . <SEP>"], 50),
    (OneSplit, ["It rained. We left.", "Il pleut. Nous partons. Fin.", "Es regnet."], 100 / 3),  # no separator: Punkt
    (Unsplit, ["A . <SEP> B .", "A .", "A . B .", ""], 50), (Unsplit, ["It rained. We left.", "Es regnet."], 50),
    (SentenceCount, ["A . <SEP> B . <SEP> C .", "A . B .", ""], 4 / 3), (SentenceCount, ["One. Two.", "One."], 1.5),
])  # fmt: skip
def test_scores(metric: type[SegmentMetric], outputs: list[str], expected: float) -> None:
    assert score(metric, *outputs) == pytest.approx(expected)


@pytest.mark.parametrize(("line", "tokenizer", "expected"), [
    ("It's 3.5 kg. Well, no.", "treebank", "It 's 3.5 kg . Well , no ."),
    ("Go on . <SEP> He can't.", "treebank", "Go on . He ca n't ."),
    ("He said ` ` go ' ' .", "treebank", "He said `` go '' ."),
    ("Die Straße, bitte.", "13a", "Die Straße , bitte ."), ("a, b", "none", "a, b"),
    ("猫が 好き", "char", "猫 が 好 き"), ("我 爱<SEP>猫", "zh", "我 爱 猫"),
])  # fmt: skip
def test_tokens(line: str, tokenizer: Tokenizer, expected: str) -> None:
    assert " ".join(tokens(line, tokenizer)) == expected


def test_parts_and_sentences() -> None:
    assert parts(" a . <SEP> <::::> b<SEP>c ") == ["a .", "b", "c"]
    assert sentences("It weighs approx. 3 t, e.g. here. no more.") == ["It weighs approx. 3 t, e.g. here.", "no more."]


def test_entailed_sentences_are_counted_by_the_splits_of_each_system() -> None:
    corpus = Corpus(sources=["s", "t"], references=[["r", "r"]])
    follows = {("s", "A."): True, ("s", "B."): False, ("t", "C."): True, ("s", "A. B."): True}
    metric = Entailed(corpus, follows, {"model": "none"})
    for outputs, expected in {("A. <SEP> B.", "C."): 200 / 3, ("A. B.", "C."): 100, ("A. B. <SEP>", ""): 100}.items():
        assert metric.corpus_score(outputs, None).score == pytest.approx(expected)
