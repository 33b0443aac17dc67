"""Comparison of pairs on a GPU: padded batches of pairs of like length, encoded and matched together.

In float16 the model runs in it throughout; normalisation and matching are in float32. A pair's numbers depend, in their
last digits, on the pairs of its batch.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from filters.neural.matching import Comparison
from pairs.checkpoints.padded import run_halving, token_batches
from pairs.errors import SettingsError, ShardError

_TOKENS = 16_384  # of one side of a batch, padding included
_NO_TOKEN = -2.0  # below every cosine


class Row(NamedTuple):
    """A text: the numbers of its tokens, and how much each counts."""

    tokens: list[int]
    weights: list[float]


Pair = tuple[Row, Row]
"""Candidate and reference."""


def to_gpu(model: Any, precision: str) -> Any:
    """Return the model on the GPU, with its weights in float16 or float32. Raises ShardError if it does not fit."""
    import torch

    try:
        return model.to("cuda", getattr(torch, precision))
    except RuntimeError as error:
        raise ShardError(
            f"The encoder cannot be moved to the GPU ({error}). Free GPU memory and run again, or set "
            "BITEXT_PIVOT_DEVICE=cpu."
        ) from error


def compare(model: Any, pairs: Sequence[Pair], filling: int, tokens: int = _TOKENS) -> list[Comparison]:
    """Return the BERTScore of each pair, in order, computed where the model is.

    Args:
        model: encoder whose first output is (texts, tokens, size).
        pairs: candidates and references.
        filling: number of the padding token.
        tokens: largest number of tokens of one side of a batch, padding included.

    Raises:
        SettingsError: a score is not a number, because the model's vectors overflow in its precision.
        ShardError: a single pair does not fit into memory, or the GPU fails.
    """
    results: dict[int, Comparison] = {}
    try:
        for batch in token_batches([max(len(row.tokens) for row in pair) for pair in pairs], tokens):
            found = run_halving([pairs[index] for index in batch], lambda some: _compare(model, some, filling))
            results.update(zip(batch, found, strict=True))
    except RuntimeError as error:
        raise ShardError(
            f"The encoder failed on the GPU ({error}). Expected scores of {len(pairs)} pairs; free GPU memory and run "
            "again, or set BITEXT_PIVOT_DEVICE=cpu."
        ) from error
    if not all(math.isfinite(result.f1) for result in results.values()):
        raise SettingsError(
            "The encoder's vectors overflow in its precision on the GPU: a score is not a number. Set the filter's "
            "mode to reference, choose another model, or set BITEXT_PIVOT_DEVICE=cpu."
        )
    return [results[index] for index in range(len(pairs))]


def _compare(model: Any, pairs: Sequence[Pair], filling: int) -> list[Comparison]:
    """Encode and match one batch."""
    import torch

    with torch.inference_mode():
        vectors, weights = _encode(model, [one for one, _ in pairs], filling)
        other_vectors, other_weights = _encode(model, [other for _, other in pairs], filling)
        near = vectors @ other_vectors.transpose(1, 2)  # (pairs, tokens, tokens of the other)
        precision = _mean(near, weights, other_weights)
        recall = _mean(near.transpose(1, 2), other_weights, weights)
        rows = torch.stack([precision, recall], dim=1).tolist()
    counts = (sum(one.weights) and sum(other.weights) for one, other in pairs)
    return [
        Comparison.of(*row) if count else Comparison(0.0, 0.0, 0.0) for row, count in zip(rows, counts, strict=True)
    ]


def _encode(model: Any, texts: Sequence[Row], filling: int) -> tuple[Any, Any]:
    """Return unit vectors (texts, tokens, size) and weights (texts, tokens), which are nan for padding."""
    import torch

    pad = torch.nn.utils.rnn.pad_sequence
    tokens = pad([torch.tensor(text.tokens) for text in texts], batch_first=True, padding_value=filling)
    weights = pad([torch.tensor(text.weights) for text in texts], batch_first=True, padding_value=math.nan)
    weights = weights.to(model.device)
    mask = ~weights.isnan()
    vectors = model(input_ids=tokens.to(model.device), attention_mask=mask.long())[0].float()
    return vectors / vectors.norm(dim=-1, keepdim=True), weights


def _mean(near: Any, weights: Any, other_weights: Any) -> Any:
    """Return the weighted mean, for each pair, of each token's largest cosine with a token of the other text."""
    largest = near.masked_fill(other_weights.isnan().unsqueeze(1), _NO_TOKEN).max(dim=2).values
    counted = weights.nan_to_num()
    return (largest * counted).sum(dim=1) / counted.sum(dim=1)
