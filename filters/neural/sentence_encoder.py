"""Sentence encoders: one vector per text, equal for sentences of any language that mean the same.

They pool the vectors of the tokens of an encoder, as the model was trained: their mean, the vector of the first token,
or what the model's own pooler makes of that (LaBSE).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from bitext_pivot.core.hub.device import Device
from bitext_pivot.core.hub.weights import load_once
from bitext_pivot.filters.neural import encoder_check
from bitext_pivot.filters.neural.checkpoint import EncoderCheckpoint
from bitext_pivot.filters.neural.encoder import Encoder, load_encoder

Pooling = Literal["mean", "cls", "pooler"]


@dataclass(frozen=True, slots=True)
class SentenceEncoder:
    """A loaded sentence encoder; `prefix` precedes every text, as `query: ` of the E5 models."""

    encoder: Encoder
    pooling: Pooling
    prefix: str

    def similarity(self, pairs: Sequence[tuple[str, str]], threads: int = 1) -> list[float]:
        """Return the cosine of each pair of texts, in order; each distinct text is encoded once."""
        texts = list(dict.fromkeys(text for pair in pairs for text in pair))
        states = self.encoder.states([f"{self.prefix}{text}" for text in texts], threads)
        vectors = dict(zip(texts, map(self._pooled, states), strict=True))
        return [float(vectors[first] @ vectors[second]) for first, second in pairs]

    def _pooled(self, states: Any) -> Any:
        """Return the unit vector of a text from the vectors of its tokens, one row each."""
        import torch

        if self.pooling == "mean":
            vector = states.mean(dim=0)
        elif self.pooling == "cls":
            vector = states[0]
        else:
            with torch.inference_mode():
                vector = self.encoder.model.pooler(states[None, :1].to(self.encoder.model.device))[
                    0
                ].cpu()
        return vector / vector.norm()


@load_once
def sentence_encoder(
    checkpoint: EncoderCheckpoint, pooling: Pooling, prefix: str, device: Device = "cpu"
) -> SentenceEncoder:
    """Load a sentence encoder, once, in float32. Raises SettingsError if it cannot be loaded or cannot work."""
    loaded = load_encoder(checkpoint, "float32", device, with_pooler=pooling == "pooler")
    encoder = SentenceEncoder(loaded, pooling, prefix)
    encoder_check.check_encoder(encoder.similarity, loaded.tokenizer, checkpoint)
    encoder_check.check_languages(encoder.similarity, checkpoint)
    return encoder
