"""The prediction of markers by n-grams finds what words give away, and nothing where there is nothing to find."""

import random
from functools import partial

import numpy as np
import pytest
from messages import Golden

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.discourse.mining.ngram_classifier import FeatureRow
from bitext_pivot.discourse.mining.predictability import PredictionSettings, predict_markers

WORDS = ["lamp", "door", "tree", "river", "stone", "bread", "wind", "horse", "table", "cloud"]


def rows(number: int, *, giveaway: bool, side: int = 2) -> list[FeatureRow]:
    """Make pairs of random words with four markers; with `giveaway` a word of one side tells which."""
    draw = random.Random(7)
    made: list[FeatureRow] = []
    for n in range(number):
        marker = ("but", "sadly,", "however", "then,")[n % 4]
        texts = [" ".join(draw.choices(WORDS, k=6)) for _ in range(2)]
        if giveaway:
            texts[side - 1] += f" {'abcd'[n % 4]}-word"
        made.append((f"document {n // 10}", texts[0], texts[1], marker))
    return made


@pytest.mark.parametrize("side", [1, 2])
def test_words_that_give_the_marker_away(side: int) -> None:
    assert (
        predict_markers(
            partial(iter, rows(800, giveaway=True, side=side)), PredictionSettings()
        ).accuracy()
        > 0.95
    )


def test_random_words_give_nothing_away() -> None:
    found = predict_markers(partial(iter, rows(800, giveaway=False)), PredictionSettings())
    assert found.accuracy() < 0.35 and found.majority == 0.25
    assert set(found.ranks) == {1, 2, 3, 4}


def test_the_same_seed_gives_the_same_ranks() -> None:
    data = rows(200, giveaway=True)
    assert np.array_equal(
        predict_markers(partial(iter, data), PredictionSettings()).ranks,
        predict_markers(partial(iter, data), PredictionSettings()).ranks,
    )


def test_two_markers() -> None:
    data = [row for row in rows(400, giveaway=True) if row[3] in {"but", "then,"}]
    assert predict_markers(partial(iter, data), PredictionSettings()).accuracy() > 0.95


def test_one_document_teaches_nothing_about_itself() -> None:
    data = [("only", *row[1:]) for row in rows(40, giveaway=True)]
    assert set(predict_markers(partial(iter, data), PredictionSettings()).ranks) == {5}


def test_no_rows() -> None:
    assert len(predict_markers(partial(iter, []), PredictionSettings()).ranks) == 0


def test_scikit_learn_that_is_not_installed_is_refused(
    monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    monkeypatch.setattr("bitext_pivot.core.optional_packages.find_spec", lambda _: None)
    with golden.refused(SettingsError):
        PredictionSettings().check()
