"""Predict discourse markers from the words alone, with a linear model on n-grams (Discovery, section 2.3).

A predictable marker carries little information about discourse: "Very, very cold".
"""

from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import compress, islice
from typing import Any, NamedTuple

import numpy as np
from pydantic import Field

from bitext_pivot.core import optional_packages
from bitext_pivot.core.sampling import rank
from bitext_pivot.core.settings import Settings
from bitext_pivot.discourse.mining.ngram_classifier import FeatureRow, NgramClassifier

_BATCH = 20_000  # rows of a training step


class PredictionSettings(Settings):
    """How discourse markers are predicted from n-grams."""

    folds: int = Field(default=5, ge=2, le=100)
    """Number of parts into which the documents are divided. The markers of each part are predicted by a model trained
    on the other parts."""
    top: int = Field(default=5, ge=1, title="Most likely markers")
    """The variant Hard of the data set excludes pairs whose marker is among this many most likely markers."""
    seed: int = 0
    """Seed for dividing the documents into `folds` parts."""

    def check(self) -> None:
        """Raise SettingsError if scikit-learn is not installed."""
        optional_packages.require("sklearn", "discourse", "The setting selection.control")


class PredictionResult(NamedTuple):
    """How well discourse markers were predicted, and the accuracy of a baseline.

    `ranks` has the rank of each row's marker; rank 1 is the marker predicted as most likely. The baseline `majority`
    always predicts the most frequent marker.
    """

    ranks: np.ndarray[Any, Any]
    majority: float

    def accuracy(self, top: int = 1) -> float:
        """Return the share of rows whose marker is among the `top` most likely markers."""
        return float(np.mean(self.ranks <= top))


def predict_markers(
    read: Callable[[], Iterator[FeatureRow]],
    settings: PredictionSettings,
    progress: Callable[[int], object] = lambda _: None,
) -> PredictionResult:
    """Predict each row's discourse marker with a model trained on other documents.

    `read` is called several times and must return the same rows in the same order. Memory use is five bytes per row and
    one model. `progress` is called with 1 after each fold.
    """
    counts, folds = Counter[str](), array("B")
    for document, *_, marker in read():
        counts[marker] += 1
        folds.append(rank(document, settings.seed) % settings.folds)
    fold_of, names = np.array(folds), sorted(counts)
    ranks = np.full(len(folds), len(names) + 1, np.int32)  # the last rank, if nothing is learnt
    for fold in range(settings.folds if len(names) > 1 else 0):
        inside = fold_of == fold
        learner = NgramClassifier(names, settings.seed)
        for batch in _batches(compress(read(), ~inside)):
            learner.learn(batch)
        if not inside.all():
            ranks[inside] = [
                number
                for batch in _batches(compress(read(), inside))
                for number in learner.ranks(batch)
            ]
        progress(1)
    return PredictionResult(ranks, max(counts.values(), default=0) / max(1, counts.total()))


def _batches(rows: Iterator[FeatureRow]) -> Iterator[list[FeatureRow]]:
    while batch := list(islice(rows, _BATCH)):
        yield batch
