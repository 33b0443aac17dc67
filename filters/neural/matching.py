"""Greedy matching: the arithmetic of BERTScore (Zhang et al., ICLR 2020, section 3) on given vectors."""

from collections.abc import Sequence
from typing import Any, NamedTuple

SPAN = 6  # tokens: with fewer one rare word decides, with more a clause is hidden among its neighbours


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


def weakest_span(one: Any, weights: Sequence[float], others: Sequence[Any]) -> float:
    """Return the least mean similarity of `SPAN` tokens in a row to the nearest tokens of any of the other texts.

    `weights` say which tokens of `one` count. A text with fewer tokens is one span; one of which nothing counts has
    similarity 0.
    """
    import torch

    near = one @ torch.cat(list(others)).T
    counted = near.max(dim=1).values[[n for n, weight in enumerate(weights) if weight]]
    spans = counted.unfold(0, min(SPAN, len(counted)), 1) if len(counted) else counted.new_zeros(1, 1)
    return float(spans.mean(dim=1).min())
