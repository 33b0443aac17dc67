"""Syllables and grade level."""

import pytest

from bitext_pivot.research.metrics.fkgl import Fkgl, syllables
from bitext_pivot.research.metrics.metric import EvaluationCorpus


@pytest.mark.parametrize(("word", "count"), [
    ("the", 1), ("every", 3), ("record", 2),  # CMUdict, the longest pronunciation
    ("n't", 1), ("'ll", 1), ("hmm", 0),
    ("1996", 1), ("7", 1), (",", 1), ("...", 3), ("``", 2),
    ("blork", 5), ("-lrb-", 5), ("kg", 2), ("猫", 1),  # one vowel group or none: as many as letters
    ("zidovudine", 4), ("emea", 2), ("aiopeo", 1 + 1 + 1 + 1), ("randomised", 4), ("cyp3a4", 2 + 2), ("blorkatte", 2),
    ("blioka", 2), ("ioblak", 3),  # a first group behind a consonant is one syllable
])  # fmt: skip
def test_syllables(word: str, count: int) -> None:
    assert syllables(word) == count


def grade(*outputs: str) -> float:
    corpus = EvaluationCorpus(sources=["x"] * len(outputs), references=[["x"] * len(outputs)])
    return float(Fkgl(corpus, "treebank").corpus_score(list(outputs), None).score)


@pytest.mark.parametrize(("outputs", "words", "sentences", "spoken"), [
    (["The cat sat ."], 4, 1, 4),
    (["The cat sat . <SEP> It slept ."], 7, 2, 7),
    (["The cat sat. It slept."], 7, 2, 7),
    (["Mr. Smith met Dr. Who.", "He left!"], 9, 2, 11),
    (["the cat sat . it slept ."], 7, 2, 7),  # Punkt's rule: a full stop alone ends a sentence
    (['He said "go." Then he left.'], 10, 2, 12),
])  # fmt: skip
def test_grade_level_is_pooled_over_the_lines(
    outputs: list[str], words: int, sentences: int, spoken: int
) -> None:
    assert grade(*outputs) == pytest.approx(
        0.39 * words / sentences + 11.8 * spoken / words - 15.59
    )


def test_without_words_the_grade_is_zero() -> None:
    assert grade("", "<SEP>") == 0
