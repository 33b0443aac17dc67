"""Halves that do not follow from `long`, by a model of natural language inference. Off until a model is named.

Not a filter of the paper. The model classifies (premise, hypothesis), here (`long`, a half), and one of its classes is
`entailment`, as in models trained on SNLI and MNLI. It distinguishes negations, numbers and roles, which BERTScore
hardly does; it costs several times as much, and no model is shipped.
"""

import functools
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from filters.base import ModelFilter, Runtime
from filters.neural import loading, probe
from filters.neural.checkpoint import Checkpoint, checkpoint
from filters.neural.encoded import pair_key
from filters.neural.encoder import library
from pairs.checkpoints.weights import LOADING
from pairs.errors import SettingsError
from pairs.records import ParsedPair

_AT_ONCE = 64  # pairs stored together; a killed build loses at most these
_DIGITS = 6
_SETTING = "filters.advanced.entailment.model"
_judging = threading.Lock()  # a fast tokenizer may not be used by two threads at once


class Entailment(ModelFilter):
    """The probability that a half follows from `long`, for the half of which it is lower."""

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

    def parts(self, pairs: Sequence[ParsedPair], runtime: Runtime) -> list[dict[str, float]]:
        """Return score, `first` and `second`: the probability of each half, rounded to six decimals.

        Raises SettingsError if there is no such model.
        """
        judge = _load(self._named, self.revision)
        keys = [pair_key(pair) for pair in pairs]
        rows = runtime.store(judge.signature).numbers(keys, judge.judge, _AT_ONCE)
        return [{"score": min(rows[key]), "first": rows[key][0], "second": rows[key][1]} for key in keys]

    def load(self, language: str, runtime: Runtime) -> str:  # noqa: ARG002 -- its probe is English
        """Load the model and return "": its quality in a language is not measured. Raises SettingsError."""
        _load(self._named, self.revision)
        return ""

    def checkpoint(self) -> Checkpoint:
        """Return the model's files. Raises SettingsError when there is no such model."""
        return checkpoint(self._named, 1, revision=self.revision, setting=_SETTING)

    @property
    def _named(self) -> str:
        if self.model is None:
            raise SettingsError(
                "The filter `entailment` has no model. Give `entailment.model`, or leave the filter off."
            )
        return self.model

    def signature(self, runtime: Runtime) -> str:  # noqa: ARG002 -- it always runs on the CPU
        """Return model, digest and library. Raises SettingsError if there is no such model."""
        return _load(self._named, self.revision).signature


@dataclass(frozen=True, slots=True)
class _Judge:
    """A loaded model, the number of its class entailment, and how many tokens it takes."""

    model: Any
    tokenizer: Any
    entailment: int
    longest: int
    checkpoint: Checkpoint

    def judge(self, keys: Sequence[str]) -> list[list[float]]:
        """Return how probably each half follows from `long`, for each key, one thread at a time."""
        with _judging:
            return [self.probabilities(*json.loads(key)) for key in keys]

    def probabilities(self, long: str, first: str, second: str) -> list[float]:
        """Return how probably each half follows from `long`; one text at a time, so that no other changes it."""
        return [round(self.probability(long, half), _DIGITS) for half in (first, second)]

    def probability(self, premise: str, hypothesis: str) -> float:
        """Return how probably a hypothesis follows from a premise."""
        inputs = self.tokenizer(premise, hypothesis, truncation=True, max_length=self.longest, return_tensors="pt")
        return float(self.model(**inputs).logits[0].softmax(dim=-1)[self.entailment])

    @property
    def signature(self) -> str:
        """The model's name and digest, and the library that computes."""
        return f"entailment {self.checkpoint.name} {self.checkpoint.digest} {library()}"


def _load(name: str, revision: str | None) -> _Judge:
    """Load a model, once; raises SettingsError when it cannot be had, cannot work or has no class entailment."""
    with LOADING:
        return _loaded(name, revision)


@functools.cache
def _loaded(name: str, revision: str | None) -> _Judge:
    found = checkpoint(name, 1, revision=revision, setting=_SETTING)
    model, tokenizer = loading.load(found, "AutoModelForSequenceClassification")
    classes = {str(label).lower(): int(number) for number, label in model.config.id2label.items()}
    if "entailment" not in classes:
        raise SettingsError(
            f"The model {name!r} has no class `entailment`, but {', '.join(classes)}. Name one that was trained for "
            "natural language inference."
        )
    judge = _Judge(
        model,
        tokenizer,
        classes["entailment"],
        _longest(model.config, tokenizer),
        found,
    )
    probe.check_inference(judge.probability, found)
    return judge


def _longest(config: Any, tokenizer: Any) -> int:
    """Return how many tokens fit; RoBERTa's positions begin behind the padding's number."""
    positions = getattr(config, "max_position_embeddings", None) or tokenizer.model_max_length
    return int(
        min(tokenizer.model_max_length, positions - (config.pad_token_id + 1 if "roberta" in config.model_type else 0))
    )
