"""The model that predicts the discourse marker between two sentences from their words."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

_WORD = re.compile(r"\w+|[^\w\s]")
_MAX_NGRAM = 3  # words
_FEATURES = 2**18  # with 200 markers the weights take 420 MB

FeatureRow = tuple[str, str, str, str]
"""Document, first sentence, second sentence and discourse marker of a pair."""


class NgramClassifier:
    """A classifier of discourse markers: logistic regression on hashed n-grams."""

    def __init__(self, names: Sequence[str], seed: int) -> None:
        from sklearn.feature_extraction.text import HashingVectorizer
        from sklearn.linear_model import SGDClassifier

        self._names = np.array(names)
        self._random = np.random.default_rng(seed)
        self._vectorizer = HashingVectorizer(analyzer=_ngrams, n_features=_FEATURES)
        self._model = SGDClassifier(loss="log_loss", random_state=seed)

    def learn(self, rows: list[FeatureRow]) -> None:
        """Train on rows in random order. This can be called repeatedly with further rows."""
        rows = [rows[n] for n in self._random.permutation(len(rows))]
        labels = [marker for *_, marker in rows]
        self._model.partial_fit(self._vectorizer.transform(rows), labels, classes=self._names)

    def ranks(self, rows: list[FeatureRow]) -> Any:
        """Return the rank of each row's true marker; rank 1 is the marker predicted as most likely."""
        scores = self._model.decision_function(self._vectorizer.transform(rows))
        if scores.ndim == 1:  # two markers
            scores = np.stack([-scores, scores], axis=1)
        labels = np.searchsorted(self._names, [marker for *_, marker in rows])
        label_scores = scores[np.arange(len(rows)), labels]
        return 1 + (scores > label_scores[:, None]).sum(axis=1)


def _ngrams(row: FeatureRow) -> Iterator[str]:
    """Yield the n-grams of both sentences of a pair, of up to three words each.

    The same n-gram is a different feature in the first and in the second sentence.
    """
    for column in (1, 2):
        words = _WORD.findall(row[column].lower())
        for length in range(1, _MAX_NGRAM + 1):
            for start in range(len(words) - length + 1):
                yield f"{column} {' '.join(words[start : start + length])}"
