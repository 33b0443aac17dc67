"""Halves that do not follow from `long`, by a model of natural language inference (preset `checked`).

Not a filter of BiSECT. WikiSplit++ (Tsukagoshi et al., LREC-COLING 2024) keeps a pair if the model's most probable
class for (`long`, sentence) is entailment with every sentence (`min_margin` 0), which left 63 % of
WikiSplit, and splitters trained on these made up less. But good pairs whose sides were translated apart are
seldom strictly entailed: small models lose 20 to 42 % of them by this rule. So the default is the margin
that loses 2 % of pairs that are known to be good (`known_good.py`), measured for each model and language.
No other filter can find another modality or tense, or exchanged roles.

Both directions are scored: `first` and `second` are the probabilities that a half follows from `long` (otherwise
something is made up), `long` that `long` follows from both halves together (otherwise something is lost). The score is
how far the probability of entailment is above that of the most probable other class, in the weakest direction that
`must_follow` names. Comparisons are stored by model: another `must_follow` compares nothing again.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, Self

from pydantic import Field

from bitext_pivot.core.data_files import read_toml
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub.device import Device, DeviceChoice, torch_device
from bitext_pivot.core.hub.weights import load_once
from bitext_pivot.core.records import ParsedPair
from bitext_pivot.filters.base import ModelFilter, Runtime
from bitext_pivot.filters.neural.classifier import default_precision, load_classifier
from bitext_pivot.filters.neural.encoder_checkpoint import EncoderCheckpoint, fetch_checkpoint
from bitext_pivot.filters.neural.entailment_check import check_entailment
from bitext_pivot.filters.neural.known_good import choose_margin, read_known_good
from bitext_pivot.filters.neural.precision import library_version

_DIGITS = 4  # padding changes further ones
_DECIDING = {"halves": ("first", "second"), "long": ("long",), "both": ("first", "second", "long")}
"""Which of `PARTS` decide, by `must_follow`."""


class _StoredProbabilities(NamedTuple):
    """What is stored for a pair: for each direction the probability of entailment and of the best other class."""

    first: float
    first_other: float
    second: float
    second_other: float
    long: float
    long_other: float

    @property
    def margins(self) -> dict[str, float]:
        """How far entailment is above the best other class, by direction."""
        return {
            "first": self.first - self.first_other,
            "second": self.second - self.second_other,
            "long": self.long - self.long_other,
        }


class EntailmentFilter(ModelFilter):
    """How far `entailment` is more probable than any other class, in the weakest direction; at least 0."""

    IN_PAPER: ClassVar = True
    IS_LAST: ClassVar = True
    MEANING_ROLE: ClassVar = "checked"
    PARTS: ClassVar = ("first", "second", "long")
    BATCH_SIZES: ClassVar = {"cpu": 64, "cuda": 1024}

    model: str | None = Field(default=None, min_length=1)
    """Sequence classification model with a class `entailment`: a name on the Hugging Face hub, or a folder. Empty: this
    filter is off, and in preset `checked` a model for the language: a small one on a CPU."""
    revision: str | None = Field(default=None, title="Revision of the model", min_length=1)
    """Branch, tag or commit of a hub model. Empty: the newest."""
    label: int | None = Field(default=None, title="Class", ge=0, le=100)
    """Number of the class `entailment`, counted from 0, of a model that does not name its classes. Empty: the class
    that the model calls so."""
    must_follow: Literal["halves", "long", "both"] = Field(
        default="halves", title="What must follow"
    )
    """`halves`: each half from `long`, nothing is made up (WikiSplit++); `long`: `long` from both halves together,
    nothing is lost; `both`."""
    min_margin: float | None = Field(default=None, title="Minimum margin", ge=-1, le=1)
    """How far the probability of entailment must be above that of any other class. 0: it is the most
    probable class (WikiSplit++). Empty: measured for the model and the language, see `known_good_lost`."""
    known_good_lost: float = Field(
        default=0.02, title="Share of known good pairs lost", ge=0, le=0.5
    )
    """The measured minimum margin loses at most this share of the pairs that are known to be good."""

    def score_settings(self) -> dict[str, Any]:
        """Return the settings that the numbers depend on."""
        deciding = {"min_margin", "known_good_lost", "revision"}
        return self.model_dump(mode="json", exclude=deciding)

    def runs_in(self, preset: str) -> bool:
        """Return True if the filter runs under a preset: in `checked` also without a model that is named."""
        return preset == "checked" or super().runs_in(preset)

    def for_language(self, language: str, device: DeviceChoice) -> Self:
        """Return the filter with the model for a language on a device, if none is named."""
        if self.model:
            return self
        return self.model_copy(update={"model": default_model(language, torch_device(device))})

    def with_measured_thresholds(self, language: str, runtime: Runtime) -> Self:
        """Return the filter with the margin that loses `known_good_lost` of the good pairs, if none is set.

        Their comparisons are stored as those of any pair, so a model is measured once. Raises as `load`.
        """
        if self.min_margin is not None:
            return self
        keys = [json.dumps(pair) for pair in read_known_good(language)]
        rows = self._load_or_compute(keys, language, runtime)
        margin = choose_margin([self._margin(rows[key]) for key in keys], self.known_good_lost)
        return self.model_copy(update={"min_margin": margin})

    def _margin(self, numbers: Sequence[float]) -> float:
        """Return how far entailment is above the best other class in the weakest direction that decides."""
        margins = _StoredProbabilities(*numbers).margins
        return round(min(margins[direction] for direction in _DECIDING[self.must_follow]), _DIGITS)

    def scores_of(self, parsed: ParsedPair, numbers: Sequence[float]) -> dict[str, float]:
        """Return the probability of entailment in each direction, and the score."""
        stored = _StoredProbabilities(*numbers)
        return {
            "score": self._margin(numbers),
            "first": stored.first,
            "second": stored.second,
            "long": stored.long,
        }

    def compare(self, keys: Sequence[str], language: str, runtime: Runtime) -> list[list[float]]:
        """Return the probabilities of entailment and of the best other class, direction by direction, for each key."""
        texts = []  # premise and hypothesis of the three directions of each pair
        for long, first, second in map(json.loads, keys):
            texts += [(long, first), (long, second), (f"{first} {second}", long)]
        answers = load_classifier(self.checkpoint(), self.label, runtime.device).infer(
            texts, runtime.threads
        )
        of_pairs = zip(answers[0::3], answers[1::3], answers[2::3], strict=True)
        return [_round_all(*first, *second, *long) for first, second, long in of_pairs]

    def load(self, language: str, runtime: Runtime) -> str:
        """Load the model and check it in a language; return a warning if that language has no check, or "".

        Raises SettingsError for a model that cannot be loaded, or gives wrong answers.
        """
        return load_and_check(self.checkpoint(), self.label, runtime.device, language)

    def checkpoint(self) -> EncoderCheckpoint:
        """Return the model's files. Raises SettingsError when there is no such model."""
        if self.model is None:
            raise SettingsError(
                "The filter `entailment` has no model. Give `entailment.model`, or leave the filter off."
            )
        return fetch_checkpoint(self.model, 1, revision=self.revision, setting=self.setting)

    def signature(self, runtime: Runtime) -> str:
        """Return model, digest, class if it was given, and library. Raises SettingsError if there is no such model."""
        checkpoint = self.checkpoint()
        label = "" if self.label is None else f" label={self.label}"
        computed = library_version(runtime.device)
        if runtime.device == "cuda":
            computed += f" {default_precision(runtime.device)}"
        return f"entailment {checkpoint.name} {checkpoint.digest}{label} {computed}"


def _round_all(*numbers: float) -> list[float]:
    return [round(number, _DIGITS) for number in numbers]


def default_model(language: str, device: Device) -> str:
    """Return the hub name of the model that preset `checked` uses for pairs of a language on a device."""
    models: dict[str, str] = _read_default_models()[device]
    return models.get(language, models["*"])


def _read_default_models() -> dict[str, Any]:
    return read_toml(Path(__file__).with_suffix(".toml"))


@load_once
def load_and_check(
    checkpoint: EncoderCheckpoint, label: int | None, device: Device, language: str
) -> str:
    """Load a model and check it in a language, once; return and raise as `check_entailment` does."""
    loaded = load_classifier(checkpoint, label, device)

    def follows(pairs: Sequence[tuple[str, str]]) -> list[bool]:
        return [result.entailment >= result.other for result in loaded.infer(pairs, 1)]

    return check_entailment(follows, checkpoint, language)
