"""Compute with a classification model the probability that one text follows from another.

The task is natural language inference: a model classifies a premise and a hypothesis, and one of its classes is
`entailment`. The index of this class differs between models (it is the third for models trained by the authors of
MNLI), so it is read from the configuration.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bitext_pivot.core.errors import SettingsError, ShardError
from bitext_pivot.core.hub.device import Device
from bitext_pivot.core.hub.gpu_batches import run_halving, token_batches
from bitext_pivot.core.hub.weights import load_once
from bitext_pivot.filters.neural import padded_batches
from bitext_pivot.filters.neural.encoder import thread_pool
from bitext_pivot.filters.neural.encoder_checkpoint import (
    EncoderCheckpoint,
    load_model_and_tokenizer,
    max_tokens,
    tokenizer_lock,
)
from bitext_pivot.filters.neural.precision import Precision

_TOKENS: dict[Device, int] = {"cpu": 512, "cuda": 16_384}  # per batch, padding included
_Texts = tuple[str, str]


class EntailmentResult(NamedTuple):
    """The probability of `entailment` for two texts, and of the most probable other class."""

    entailment: float
    other: float


@dataclass(frozen=True, slots=True)
class TextClassifier:
    """A loaded classification model. `label` is the index of the class `entailment`."""

    model: Any
    tokenizer: Any
    label: int
    device: Device = "cpu"

    def infer(self, pairs: Sequence[_Texts], threads: int) -> list[EntailmentResult]:
        """Return the result for each pair of a premise and a hypothesis, in order.

        Pairs of similar length share a padded batch, which may change the last digits of a probability. If a pair
        is too long for the model, its longer text is truncated first.

        Raises:
            SettingsError: a probability is not a number.
            ShardError: a single pair does not fit into memory, or the GPU fails.
        """
        batches = list(token_batches(self._count_tokens(pairs), _TOKENS[self.device]))
        run = thread_pool(threads if self.device == "cpu" else 1).map
        try:
            results = list(
                run(
                    lambda batch: run_halving([pairs[n] for n in batch], self._infer_batch), batches
                )
            )
        except RuntimeError as error:
            raise ShardError(
                f"The entailment model failed on the {self.device} ({error}). Expected {len(pairs)} results; free "
                "memory and run again, or set BITEXT_PIVOT_DEVICE=cpu."
            ) from error
        rows = {
            n: row
            for batch, part in zip(batches, results, strict=True)
            for n, row in zip(batch, part, strict=True)
        }
        return [rows[n] for n in range(len(pairs))]

    def _count_tokens(self, pairs: Sequence[_Texts]) -> list[int]:
        return [len(row) for row in self._tokenize(pairs)["input_ids"]] if pairs else []

    def _tokenize(self, pairs: Sequence[_Texts], **options: Any) -> Any:
        premises, hypotheses = map(list, zip(*pairs, strict=True))
        longest = max_tokens(self.model.config, self.tokenizer)
        with tokenizer_lock:
            return self.tokenizer(
                premises, hypotheses, truncation=True, max_length=longest, **options
            )

    def _infer_batch(self, pairs: Sequence[_Texts]) -> list[EntailmentResult]:
        """Return the results for pairs that are classified together in one batch."""
        import torch

        inputs = self._tokenize(pairs, padding=True, return_tensors="pt").to(self.device)
        with torch.inference_mode():
            shares = self.model(**inputs).logits.float().softmax(dim=-1).cpu()
        if not bool(shares.isfinite().all()):
            raise SettingsError(
                "The entailment model returned probabilities that are not numbers. Name another model."
            )
        others = [number for number in range(shares.shape[1]) if number != self.label]
        columns = shares[:, self.label].tolist(), shares[:, others].amax(dim=-1).tolist()
        return [EntailmentResult(*row) for row in zip(*columns, strict=True)]


def default_precision(device: Device) -> Precision:
    """Return the number format for a device: bfloat16 on a GPU, as mDeBERTa overflows in float16."""
    if device == "cuda":
        return "bfloat16"
    return "float32"


@load_once
def load_classifier(
    checkpoint: EncoderCheckpoint, label: int | None, device: Device = "cpu"
) -> TextClassifier:
    """Load a classification model, or return it if this process has loaded it already.

    `label` is the index of the class `entailment`, for models whose configuration does not name it. Raises
    SettingsError if the model cannot be loaded, or if no single class is `entailment`.
    """
    model, tokenizer = load_model_and_tokenizer(checkpoint, "AutoModelForSequenceClassification")
    number = _entailment_class(checkpoint, model.config.id2label, label)
    if tokenizer.pad_token_id is None:
        raise SettingsError(
            f"{checkpoint.setting} is {checkpoint.name!r}, whose tokenizer has no padding token. Name another model."
        )
    return TextClassifier(
        padded_batches.move_to_gpu(model, default_precision(device)) if device == "cuda" else model,
        tokenizer,
        number,
        device,
    )


def _entailment_class(
    checkpoint: EncoderCheckpoint, id2label: dict[Any, Any], label: int | None
) -> int:
    """Return the index of the class `entailment`: `label` or, if None, the class of that name.

    Raises SettingsError if there is no such class, or more than one.
    """
    names = {int(number): str(name) for number, name in id2label.items()}
    numbers = (
        [label]
        if label is not None
        else [n for n, name in names.items() if name.lower() == "entailment"]
    )
    if len(numbers) == 1 and numbers[0] in names and len(names) > 1:
        return numbers[0]
    listed = ", ".join(f"{number} {name}" for number, name in sorted(names.items()))
    problem = (
        "expected two or more classes, one of them named `entailment`"
        if label is None
        else f"`label` is {label}"
    )
    raise SettingsError(
        f"{checkpoint.setting} is {checkpoint.name!r}, whose classes are: {listed}; {problem}. Name a model for "
        "natural language inference, or set the filter's `label` to the number of the class."
    )
