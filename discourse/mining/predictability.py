"""Markers that the words alone give away: a linear model over n-grams predicts each pair's marker (Discovery, 2.3).

The paper trains fastText; this is scikit-learn's hashed n-grams with logistic regression, the same kind of model with
other numbers. A marker that is predictable tells little about discourse: "Very, very cold".
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, Literal, NamedTuple

import numpy as np
from pydantic import Field

from discourse.mining.candidates import rank
from pairs.settings import Settings

_WORD = re.compile(r"\w+|[^\w\s]")
_LONGEST = 3  # words of an n-gram
_FEATURES = 2**18  # with 200 markers the weights take 420 MB
_BATCH = 20_000  # rows of a training step

Row = tuple[str, str, str, str]
"""Document, first sentence, second sentence, marker."""


class Control(Settings):
    """The prediction of markers."""

    folds: int = Field(default=5, ge=2, title="Folds", description="Parts of the documents, each predicted once.")
    features: Literal["second", "both"] = Field(
        default="both", title="Features", description="Words of the second sentence alone, or of both."
    )
    top: int = Field(
        default=5, ge=1, title="Predicted", description="Variant Hard leaves out pairs whose marker is among the first."
    )
    seed: int = Field(default=0, title="Seed", description="Another number makes other folds.")


class Prediction(NamedTuple):
    """For each row the rank of its own marker among all, from 1; and the accuracy of the most frequent marker."""

    ranks: np.ndarray[Any, Any]
    majority: float

    @property
    def accuracy(self) -> float:
        """Share of rows whose marker is predicted first."""
        return float(np.mean(self.ranks == 1))


def predict(read: Callable[[], Iterator[Row]], settings: Control) -> Prediction:
    """Predict the marker of every row by a model trained on the documents of the other folds.

    `read` is called several times and must give the same rows in the same order; memory does not grow with them.
    """
    counts = Counter(marker for *_, marker in read())
    names = sorted(counts)
    ranks = np.full(counts.total(), len(names), np.int32)  # nothing learnt: not predictable
    for fold in range(settings.folds if len(names) > 1 else 0):
        inside = np.fromiter((_fold(row, settings) == fold for row in read()), bool, counts.total())
        learner = _Learner(names, settings)
        for batch in _batches(row for row, is_inside in zip(read(), inside, strict=True) if not is_inside):
            learner.learn(batch)
        if not inside.all():
            own = (row for row, is_inside in zip(read(), inside, strict=True) if is_inside)
            ranks[inside] = [number for batch in _batches(own) for number in learner.ranks(batch)]
    return Prediction(ranks, max(counts.values(), default=0) / max(1, counts.total()))


def _fold(row: Row, settings: Control) -> int:
    return rank(row[0], settings.seed) % settings.folds


def _batches(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while batch := list(islice(rows, _BATCH)):
        yield batch


class _Learner:
    """The linear model of one fold."""

    def __init__(self, names: Sequence[str], settings: Control) -> None:
        from sklearn.feature_extraction.text import HashingVectorizer
        from sklearn.linear_model import SGDClassifier

        self._names = np.array(names)
        self._random = np.random.default_rng(settings.seed)
        self._vectorizer = HashingVectorizer(
            analyzer=partial(_ngrams, features=settings.features), n_features=_FEATURES
        )
        self._model = SGDClassifier(loss="log_loss", random_state=settings.seed)

    def learn(self, rows: list[Row]) -> None:
        """Learn from some rows, in random order."""
        rows = [rows[n] for n in self._random.permutation(len(rows))]
        labels = [marker for *_, marker in rows]
        self._model.partial_fit(self._vectorizer.transform(rows), labels, classes=self._names)

    def ranks(self, rows: list[Row]) -> Any:
        """Return for each row the rank of its own marker, from 1."""
        scores = self._model.decision_function(self._vectorizer.transform(rows))
        if scores.ndim == 1:  # two markers
            scores = np.stack([-scores, scores], axis=1)
        labels = np.searchsorted(self._names, [marker for *_, marker in rows])
        own = scores[np.arange(len(rows)), labels]
        return 1 + (scores > own[:, None]).sum(axis=1)


def _ngrams(row: Row, features: str) -> Iterator[str]:
    """Yield the n-grams of up to three words; those of the two sentences are different features."""
    sides = ((2, row[2]),) if features == "second" else ((1, row[1]), (2, row[2]))
    for side, text in sides:
        words = _WORD.findall(text.lower())
        for length in range(1, _LONGEST + 1):
            for start in range(len(words) - length + 1):
                yield f"{side} {' '.join(words[start : start + length])}"
