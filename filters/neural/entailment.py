"""Each half must follow from `long`, says a model of natural language inference. Off until a model is named.

No filter of the paper. The model classifies (premise, hypothesis), here (`long`, a half), and one of its classes is
called entailment, as in those trained on SNLI and MNLI. It reads negations, numbers and who did what to whom, where
BERTScore reads words alike; it also costs several times as much, and no model is shipped.
"""

import functools
import json
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field

from filters.base import Filter
from filters.neural import loading, probe
from filters.neural.checkpoint import Checkpoint, checkpoint
from filters.neural.encoded import pair_key
from filters.neural.encoder import library
from pairs.errors import SettingsError
from pairs.records import ParsedPair
from pairs.site import Site
from pairs.store import RowStore
from pairs.weights import LOADING

_AT_ONCE = 64  # pairs stored together: what a kill may cost
_DIGITS = 6
_SETTING = "sieve.advanced.entailment.model"
_judging = threading.Lock()  # a fast tokenizer may not be used by two threads at once


class Entailment(Filter):
    """The probability that a half follows from `long`, for the half of which it is lower."""

    thresholds: ClassVar = frozenset({"min_probability"})
    is_model_based: ClassVar = True

    model: str | None = Field(
        default=None,
        title="Model",
        min_length=1,
        description="A name on the Hugging Face hub, or a folder, of a model for sequence classification with a class "
        "called entailment. Empty: this filter is off.",
    )
    revision: str | None = Field(
        default=None,
        title="Revision of the model",
        min_length=1,
        description="Branch, tag or commit of a hub model; empty: its newest.",
    )
    min_probability: float = Field(
        default=0.5, title="Least probability", ge=0, le=1, description="Entailment that each half must reach."
    )

    @property
    def is_on(self) -> bool:
        """Whether a model is named."""
        return self.model is not None

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return the lower probability, from 0 to 1; raises SettingsError when there is no such model."""
        return [parts["score"] for parts in self.parts(pairs)]

    def accepts(self, score: float) -> bool:
        """Accept from `min_probability` on."""
        return score >= self.min_probability

    def parts(self, pairs: Sequence[ParsedPair]) -> list[dict[str, float]]:
        """Return score, `first` and `second`: the probability of each half, rounded to six decimals."""
        judge = _load(self._named, self.revision)
        keys = [pair_key(pair) for pair in pairs]
        known = RowStore(Site().store_folder, judge.signature).numbers(keys, judge.judge, _AT_ONCE)
        halves = (known[key] for key in keys)
        return [{"score": min(first, second), "first": first, "second": second} for first, second in halves]

    def measuring(self) -> dict[str, Any]:
        """Return the settings that change scores: not the revision, because the signature has the weights' digest."""
        return {name: value for name, value in super().measuring().items() if name != "revision"}

    def load(self, language: str) -> str:  # noqa: ARG002 -- its probe is English
        """Load the model and return "": how well it knows a language is not measured. Raises SettingsError."""
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

    def signature(self) -> str:
        """Tell the model by a digest of its weights; raises SettingsError when there is no such model."""
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
