"""Greedy matching: the arithmetic of BERTScore (Zhang et al., ICLR 2020, section 3) on given vectors."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

Weigh = Callable[[int], float]
"""What a token counts, by its number in the vocabulary; at least 0."""


class Comparison(NamedTuple):
    """BERTScore of two texts: precision, recall and their harmonic mean, before any rescaling."""

    precision: float
    recall: float
    f1: float

    @classmethod
    def of(cls, precision: float, recall: float) -> "Comparison":
        """Return both with their harmonic mean, 0 if their sum is 0."""
        total = precision + recall
        return cls(precision, recall, 2 * precision * recall / total if total else 0.0)


@dataclass(frozen=True, slots=True)
class Rarity:
    """Inverse document frequency as the bert_score package counts it over the references (its `get_idf_dict`)."""

    documents: int
    seen: Counter[int]

    @classmethod
    def over(cls, texts: Iterable[Sequence[int]]) -> "Rarity":
        """Count in how many of the texts (token numbers, special ones included) each token occurs."""
        documents = [set(text) for text in texts]
        return cls(len(documents), Counter(token for document in documents for token in document))

    def __call__(self, token: int) -> float:
        """Return log((n + 1) / (n with the token + 1)): 0 for the special tokens, which every text has."""
        return math.log((self.documents + 1) / (self.seen[token] + 1))


def alike(special: frozenset[int]) -> Weigh:
    """Let every token count the same, but the special ones nothing: they are matched with, and not themselves."""
    return lambda token: float(token not in special)


def match(one: Any, weights: Sequence[float], other: Any, other_weights: Sequence[float]) -> Comparison:
    """Match every token with the nearest of the other text; texts of which no token counts score 0.

    `one`, the candidate, and `other`, the reference, are tensors of unit vectors, one row a token.
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
