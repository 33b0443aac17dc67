"""Halves that do not follow from `long`, by a model of natural language inference. Off until a model is named.

Not a filter of the paper. The model classifies (premise, hypothesis), here (`long`, a half), and one of its classes is
`entailment`, as in models trained on SNLI and MNLI. It distinguishes negations, numbers and roles, which BERTScore
hardly does; it costs several times as much, and no model is shipped.
"""

import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub.weights import load_once
from bitext_pivot.filters.base import ModelFilter, Runtime
from bitext_pivot.filters.neural import encoder_check
from bitext_pivot.filters.neural.checkpoint import EncoderCheckpoint, checkpoint, load, max_tokens
from bitext_pivot.filters.neural.encoder import library

_DIGITS = 6
_classifying = threading.Lock()  # a fast tokenizer may not be used by two threads at once


class Entailment(ModelFilter):
    """The probability that a half follows from `long`; the half with the lower probability counts."""

    PARTS: ClassVar = ("first", "second")
    AT_ONCE: ClassVar = {"cpu": 64, "cuda": 64}

    model: str | None = Field(default=None, title="Model", min_length=1)
    """Sequence classification model with a class `entailment`: a name on the Hugging Face hub, or a folder. Empty: this
    filter is off."""
    revision: str | None = Field(default=None, title="Revision of the model", min_length=1)
    """Branch, tag or commit of a hub model. Empty: the newest."""
    min_probability: float = Field(default=0.5, title="Minimum probability", ge=0, le=1)
    """Minimum probability of entailment of each half."""

    @property
    def is_on(self) -> bool:
        """True if a model is named."""
        return self.model is not None

    def compare(self, keys: Sequence[str], language: str, runtime: Runtime) -> list[list[float]]:
        """Return the probability of both halves, rounded to six decimals, for each key."""
        classifier = _loaded(self.checkpoint())
        with _classifying:
            return [
                [round(classifier.probability(long, half), _DIGITS) for half in halves]
                for long, *halves in map(json.loads, keys)
            ]

    def load(self, language: str, runtime: Runtime) -> str:
        """Load the model and return "": its quality in a language is not measured. Raises SettingsError."""
        _loaded(self.checkpoint())
        return ""

    def checkpoint(self) -> EncoderCheckpoint:
        """Return the model's files. Raises SettingsError when there is no such model."""
        if self.model is None:
            raise SettingsError(
                "The filter `entailment` has no model. Give `entailment.model`, or leave the filter off."
            )
        return checkpoint(self.model, 1, revision=self.revision, setting="filters.advanced.entailment.model")

    def signature(self, runtime: Runtime) -> str:
        """Return model, digest and library. Raises SettingsError if there is no such model."""
        checkpoint = self.checkpoint()
        return f"entailment {checkpoint.name} {checkpoint.digest} {library()}"


@dataclass(frozen=True, slots=True)
class _Classifier:
    """A loaded model, and the number of its class `entailment`."""

    model: Any
    tokenizer: Any
    entailment: int

    def probability(self, premise: str, hypothesis: str) -> float:
        """Return how probably a hypothesis follows; one text at a time, so that scores do not depend on other pairs."""
        longest = max_tokens(self.model.config, self.tokenizer)
        inputs = self.tokenizer(premise, hypothesis, truncation=True, max_length=longest, return_tensors="pt")
        return float(self.model(**inputs).logits[0].softmax(dim=-1)[self.entailment])


@load_once
def _loaded(checkpoint: EncoderCheckpoint) -> _Classifier:
    """Load a model. Raises SettingsError if it cannot be loaded, cannot work or has no class entailment."""
    model, tokenizer = load(checkpoint, "AutoModelForSequenceClassification")
    classes = {str(label).lower(): int(number) for number, label in model.config.id2label.items()}
    if "entailment" not in classes:
        raise SettingsError(
            f"The model {checkpoint.name!r} has no class `entailment`, but {', '.join(classes)}. Name one that was "
            "trained for natural language inference."
        )
    classifier = _Classifier(model, tokenizer, classes["entailment"])
    encoder_check.check_inference(classifier.probability, checkpoint)
    return classifier
