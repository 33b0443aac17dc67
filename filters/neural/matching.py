"""Compare texts by matching their token vectors greedily, as in BERTScore.

The method is described by Zhang et al. (ICLR 2020, section 3).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

SPAN = 35  # letters, about six words: in shorter spans a single word decides, longer spans hide a wrong clause


class MatchScore(NamedTuple):
    """The BERTScore of two texts, not rescaled: precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float


def match_tokens(
    candidate: Any, weights: Sequence[float], reference: Any, reference_weights: Sequence[float]
) -> MatchScore:
    """Match each token with the most similar token of the other text, and return the BERTScore.

    `candidate` and `reference` are tensors of unit vectors, one row per token. A text whose weights are all 0
    scores 0.
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
    """Return how similar the weakest span of a text is to the nearest tokens of other texts.

    `vectors` contains one row per token of the text, `letters` the number of letters in each token, and `others`
    the vectors of the other texts. A span is the shortest run of tokens with at least `SPAN` letters. Its
    similarity is the mean over its tokens, weighted by their letters, because words carry more meaning than
    articles and punctuation. A text with fewer letters is a single span, and a text without letters has similarity
    0.
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
    starts = torch.nonzero(ends < len(before)).flatten()  # later starts have too few letters
    ends = ends[starts]
    return float(((similar[ends] - similar[starts]) / (before[ends] - before[starts])).min())
