"""Greedy matching: the arithmetic of BERTScore (Zhang et al., ICLR 2020, section 3) on given vectors."""

from collections.abc import Sequence
from typing import Any, NamedTuple

SPAN = 35  # letters, about six words: in fewer one rare word decides, in more a clause is hidden among its neighbours


class MatchScore(NamedTuple):
    """BERTScore of two texts: precision, recall and their harmonic mean, without rescaling."""

    precision: float
    recall: float
    f1: float


def match_tokens(
    candidate: Any, weights: Sequence[float], reference: Any, reference_weights: Sequence[float]
) -> MatchScore:
    """Match every token with the nearest one of the other text; a text whose weights are all 0 scores 0.

    `candidate` and `reference` are tensors of unit vectors, one row per token.
    """
    if not (sum(weights) and sum(reference_weights)):
        return MatchScore(0.0, 0.0, 0.0)
    near = candidate @ reference.T
    precision = _weighted_mean(near.max(dim=1).values, weights)
    recall = _weighted_mean(near.max(dim=0).values, reference_weights)
    total = precision + recall
    return MatchScore(precision, recall, 2 * precision * recall / total if total else 0.0)


def _weighted_mean(numbers: Any, weights: Sequence[float]) -> float:
    share = numbers.new_tensor(weights)
    return float((numbers * (share / share.sum())).sum())


def weakest_similarity(vectors: Any, letters: Sequence[float], others: Sequence[Any]) -> float:
    """Return the least mean similarity of a span of a text to the nearest tokens of any of the other texts.

    `vectors` has a row per token of the text, `letters` the number of letters of each. A span is as many tokens in a
    row as have `SPAN` letters together, each weighted by its letters: words carry more meaning than articles and
    punctuation. A text with fewer letters is one span; a text without letters has similarity 0.
    """
    import torch

    near = (vectors @ torch.cat(list(others)).T).max(dim=1).values.double()
    weights = near.new_tensor(letters)
    before, similar = (
        torch.nn.functional.pad(numbers.cumsum(0), (1, 0)) for numbers in (weights, weights * near)
    )
    if not before[-1]:
        return 0.0
    ends = torch.searchsorted(before, before + min(SPAN, float(before[-1])))
    starts = torch.nonzero(ends < len(before)).flatten()  # what starts later has fewer letters
    ends = ends[starts]
    return float(((similar[ends] - similar[starts]) / (before[ends] - before[starts])).min())
