"""Greedy matching: the arithmetic of BERTScore (Zhang et al., ICLR 2020, section 3) on given vectors."""

from collections.abc import Sequence
from typing import Any, NamedTuple


class Comparison(NamedTuple):
    """BERTScore of two texts: precision, recall and their harmonic mean, without rescaling."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, precision: float, recall: float) -> "Comparison":
        """Return both with their harmonic mean, 0 if their sum is 0."""
        total = precision + recall
        return cls(precision, recall, 2 * precision * recall / total if total else 0.0)


def match(one: Any, weights: Sequence[float], other: Any, other_weights: Sequence[float]) -> Comparison:
    """Match every token with the nearest one of the other text; a text whose weights are all 0 scores 0.

    `one`, the candidate, and `other`, the reference, are tensors of unit vectors, one row per token.
    """
    if not (sum(weights) and sum(other_weights)):
        return Comparison(0.0, 0.0, 0.0)
    near = one @ other.T
    precision = _mean(near.max(dim=1).values, weights)
    recall = _mean(near.max(dim=0).values, other_weights)
    return Comparison.of(precision, recall)


def _mean(numbers: Any, weights: Sequence[float]) -> float:
    share = numbers.new_tensor(weights)
    return float((numbers * (share / share.sum())).sum())
