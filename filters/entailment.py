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
from filters.checkpoint import LOADING, checkpoint
from filters.encoded import pair_key
from filters.encoder import library
from pairs.errors import SettingsError
from pairs.records import ParsedPair
from pairs.site import Site
from pairs.store import RowStore

_AT_ONCE = 64  # pairs stored together: what a kill may cost
_DIGITS = 6
_judging = threading.Lock()  # a fast tokenizer may not be used by two threads at once


class Entailment(Filter):
    """The probability that a half follows from `long`, for the half of which it is lower."""

    thresholds: ClassVar = frozenset({"min_probability"})
    dear: ClassVar = True

    model: str | None = Field(
        default=None,
        title="Model",
        min_length=1,
        description="A name on the Hugging Face hub, or a folder, of a model for sequence classification with a class "
        "called entailment. Empty: this filter is off.",
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
        judge = _load(self._named)
        keys = [pair_key(pair) for pair in pairs]
        known = RowStore(Site().store_folder, judge.signature).numbers(keys, judge.judge, _AT_ONCE)
        halves = (known[key] for key in keys)
        return [{"score": min(first, second), "first": first, "second": second} for first, second in halves]

    @property
    def _named(self) -> str:
        if self.model is None:
            raise SettingsError(
                "The filter `entailment` has no model. Give `entailment.model`, or leave the filter off."
            )
        return self.model

    def signature(self) -> str:
        """Tell the model by a digest of its weights; raises SettingsError when there is no such model."""
        return _load(self._named).signature


@dataclass(frozen=True, slots=True)
class _Judge:
    """A loaded model, the number of its class entailment, and how many tokens it takes."""

    model: Any
    tokenizer: Any
    entailment: int
    longest: int
    signature: str

    def judge(self, keys: Sequence[str]) -> list[list[float]]:
        """Return how probably each half follows from `long`, for each key, one thread at a time."""
        with _judging:
            return [self.probabilities(*json.loads(key)) for key in keys]

    def probabilities(self, long: str, first: str, second: str) -> list[float]:
        """Return how probably each half follows from `long`; one text at a time, so that no other changes it."""
        found = []
        for half in (first, second):
            inputs = self.tokenizer(long, half, truncation=True, max_length=self.longest, return_tensors="pt")
            found.append(float(self.model(**inputs).logits[0].softmax(dim=-1)[self.entailment]))
        return [round(probability, _DIGITS) for probability in found]


def _load(name: str) -> _Judge:
    """Load a model, once; raises SettingsError when it cannot be had or has no class entailment."""
    with LOADING:
        return _loaded(name)


@functools.cache
def _loaded(name: str) -> _Judge:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    try:
        found = checkpoint(name, 1)  # first of all: transformers would ask the hub to convert a pickle
        tokenizer = AutoTokenizer.from_pretrained(name, trust_remote_code=False)
        model = AutoModelForSequenceClassification.from_pretrained(
            name, dtype="float32", use_safetensors=True, trust_remote_code=False
        )
    except (OSError, ValueError, KeyError, TypeError, SettingsError) as error:
        raise SettingsError(
            f"The model {name!r} of the filter `entailment` cannot be loaded ({str(error).splitlines()[0]}). Name a "
            "folder, or a model on the hub, with its weights in safetensors format."
        ) from error
    classes = {str(label).lower(): int(number) for number, label in model.config.id2label.items()}
    if "entailment" not in classes:
        raise SettingsError(
            f"The model {name!r} has no class `entailment`, but {', '.join(classes)}. Name one that was trained for "
            "natural language inference."
        )
    signature = f"entailment {name} {found.digest} {library()}"
    return _Judge(
        model.eval().requires_grad_(False),
        tokenizer,
        classes["entailment"],
        _longest(model.config, tokenizer),
        signature,
    )


def _longest(config: Any, tokenizer: Any) -> int:
    """Return how many tokens fit; RoBERTa's positions begin behind the padding's number."""
    positions = getattr(config, "max_position_embeddings", None) or tokenizer.model_max_length
    return int(
        min(tokenizer.model_max_length, positions - (config.pad_token_id + 1 if "roberta" in config.model_type else 0))
    )
