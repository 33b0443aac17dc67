"""Encode texts on a GPU in padded batches of texts with similar lengths.

If the number format is float16, the whole model computes in float16. Vectors are returned in float32, and their
last digits depend on the other texts in the batch.
"""

from collections.abc import Sequence
from typing import Any

from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.hub.gpu_batches import run_halving, token_batches

_TOKENS = 16_384  # per batch, padding included


def move_to_gpu(model: Any, precision: str) -> Any:
    """Move a model to the GPU in the number format `precision`, and return it.

    Raises ShardError if the model does not fit into the GPU's memory.
    """
    import torch

    try:
        return model.to("cuda", getattr(torch, precision))
    except RuntimeError as error:
        raise ShardError(
            f"The model cannot be moved to the GPU ({error}). Free GPU memory and run again, or set "
            "BITEXT_PIVOT_DEVICE=cpu."
        ) from error


def encode_padded(
    model: Any, texts: Sequence[Sequence[int]], filling: int, tokens: int = _TOKENS
) -> list[Any]:
    """Encode texts on the GPU; return for each text a tensor in main memory, one row per token.

    Args:
        model: encoder whose first output has the shape (texts, tokens, size).
        texts: token ids of each text.
        filling: id of the padding token.
        tokens: maximum number of tokens in a batch, padding included.

    Raises:
        SettingsError: a vector is not a number, because the model overflows in its number format.
        ShardError: a single text does not fit into memory, or the GPU fails.
    """
    vectors: dict[int, Any] = {}
    try:
        for batch in token_batches([len(text) for text in texts], tokens):
            results = run_halving(
                [texts[index] for index in batch], lambda part: _encode_batch(model, part, filling)
            )
            vectors.update(zip(batch, results, strict=True))
    except RuntimeError as error:
        raise ShardError(
            f"The encoder failed on the GPU ({error}). Expected vectors of {len(texts)} texts; free GPU memory and run "
            "again, or set BITEXT_PIVOT_DEVICE=cpu."
        ) from error
    if not all(bool(rows.isfinite().all()) for rows in vectors.values()):
        raise SettingsError(
            "The encoder's vectors overflow in the number format of the GPU, so a score is not a number. Set the "
            "filter's mode to reference, choose another model, or set BITEXT_PIVOT_DEVICE=cpu."
        )
    return [vectors[index] for index in range(len(texts))]


def _encode_batch(model: Any, texts: Sequence[Sequence[int]], filling: int) -> list[Any]:
    import torch

    rows = [torch.tensor(text) for text in texts]
    pad = torch.nn.utils.rnn.pad_sequence
    tokens = pad(rows, batch_first=True, padding_value=filling).to(model.device)
    mask = pad([torch.ones_like(row) for row in rows], batch_first=True).to(model.device)
    with torch.inference_mode():
        # Vectors in float16 are copied before they are converted, because they take half the space.
        vectors = model(input_ids=tokens, attention_mask=mask)[0].cpu().float()
    return [vectors[n, : len(text)] for n, text in enumerate(texts)]
