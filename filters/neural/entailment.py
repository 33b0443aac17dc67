"""Reject pairs in which a half of the split does not follow from the long sentence.

The filter uses natural language inference: a model classifies whether one text follows from another.

The filter is on in the preset `checked` and is not part of BiSECT. WikiSplit++ (Tsukagoshi et al., LREC-COLING
2024) keeps a pair if, for each of its sentences, entailment is the most probable class of (`long`, sentence). This
is `min_margin` 0. It kept 63 % of WikiSplit, and splitters trained on these pairs invented less. But in good pairs
whose sides were translated independently, a half is often not strictly entailed: small models reject 20 to 42 % of
these pairs by this rule. The default is therefore the margin that rejects 2 % of known good pairs
(`known_good.py`), measured for each model and language. No other filter can find a changed modality or tense, or
exchanged roles.

Both directions are scored. `first` and `second` are the probabilities that a half follows from `long`; if one is
low, something was invented. `long` is the probability that `long` follows from both halves together; if it is low,
something was lost. The score is the probability of entailment minus the probability of the best other class, in the
weakest of the directions that `must_follow` selects. The probabilities are stored by model, so a build with another
`must_follow` reuses them.
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

_DIGITS = 4  # padding changes later digits
_DECIDING = {"halves": ("first", "second"), "long": ("long",), "both": ("first", "second", "long")}
"""The directions whose margins decide about a pair, for each value of `must_follow`."""


class _StoredProbabilities(NamedTuple):
    """The results for a pair, as they are stored for each direction of entailment.

    The directions are from `long` to the first half, to the second half, and from both halves to `long`. The
    results are the probability of entailment and of the most probable other class.
    """

    first: float
    first_other: float
    second: float
    second_other: float
    long: float
    long_other: float

    @property
    def margins(self) -> dict[str, float]:
        """Probability of entailment minus the probability of the best other class, by direction."""
        return {
            "first": self.first - self.first_other,
            "second": self.second - self.second_other,
            "long": self.long - self.long_other,
        }


class EntailmentFilter(ModelFilter):
    """The probability of `entailment` minus the probability of the best other class.

    The direction with the smallest difference counts: from the long sentence to a half of the split, or back
    (`must_follow`).
    """

    IN_PAPER: ClassVar = True
    IS_LAST: ClassVar = True
    MEANING_ROLE: ClassVar = "checked"
    PARTS: ClassVar = ("first", "second", "long")
    BATCH_SIZES: ClassVar = {"cpu": 64, "cuda": 1024}

    model: str | None = Field(default=None, min_length=1)
    """Model that classifies pairs of texts, with a class `entailment`: a name on the Hugging Face hub, or a folder.
    If it is empty, this filter is off; but the preset `checked` then uses a model for the language, and on a CPU a
    small model."""
    revision: str | None = Field(default=None, title="Revision of the model", min_length=1)
    """Branch, tag or commit of a model on the hub. If it is empty, the newest commit is used."""
    label: int | None = Field(default=None, title="Class", ge=0, le=100)
    """Index of the class `entailment`, counted from 0, for a model that does not name its classes. If it is empty,
    the class named `entailment` is used."""
    must_follow: Literal["halves", "long", "both"] = Field(
        default="halves", title="What must follow"
    )
    """`halves`: each half of the split must follow from the long sentence, so that nothing is invented
    (WikiSplit++). `long`: the long sentence must follow from both halves together, so that nothing is lost. `both`:
    both conditions."""
    min_margin: float | None = Field(default=None, title="Minimum margin", ge=-1, le=1)
    """Minimum difference between the probability of entailment and the probability of any other class. With 0,
    entailment must be the most probable class (WikiSplit++). If it is empty, the minimum is measured for the model
    and the language (see `known_good_lost`)."""
    known_good_lost: float = Field(
        default=0.02, title="Share of known good pairs lost", ge=0, le=0.5
    )
    """Maximum share of pairs known to be good that the measured minimum margin may reject."""

    def score_settings(self) -> dict[str, Any]:
        """Return the settings that can change the stored probabilities."""
        deciding = {"min_margin", "known_good_lost", "revision"}
        return self.model_dump(mode="json", exclude=deciding)

    def runs_in(self, preset: str) -> bool:
        """Return True if the filter runs under a preset: in `checked` even if no model is set."""
        return preset == "checked" or super().runs_in(preset)

    def for_language(self, language: str, device: DeviceChoice) -> Self:
        """Return the filter with its default model for a language and device, unless a model is set."""
        if self.model:
            return self
        return self.model_copy(update={"model": default_model(language, torch_device(device))})

    def with_measured_thresholds(self, language: str, runtime: Runtime) -> Self:
        """Return the filter with a minimum margin that rejects few pairs known to be good.

        It rejects at most the share `known_good_lost` of these pairs. A margin in the settings is kept. The
        probabilities are stored as for other pairs, so each model is measured once. Raises the same errors as
        `load`.
        """
        if self.min_margin is not None:
            return self
        keys = [json.dumps(pair) for pair in read_known_good(language)]
        rows = self._load_or_compute(keys, language, runtime)
        margin = choose_margin([self._margin(rows[key]) for key in keys], self.known_good_lost)
        return self.model_copy(update={"min_margin": margin})

    def _margin(self, numbers: Sequence[float]) -> float:
        """Return the smallest margin of the directions that `must_follow` selects."""
        margins = _StoredProbabilities(*numbers).margins
        return round(min(margins[direction] for direction in _DECIDING[self.must_follow]), _DIGITS)

    def scores_of(self, parsed: ParsedPair, numbers: Sequence[float]) -> dict[str, float]:
        """Return the score of a pair, and the probabilities that each half and `long` are entailed."""
        stored = _StoredProbabilities(*numbers)
        return {
            "score": self._margin(numbers),
            "first": stored.first,
            "second": stored.second,
            "long": stored.long,
        }

    def compare(self, keys: Sequence[str], language: str, runtime: Runtime) -> list[list[float]]:
        """Return the model's probabilities for the texts in each key, as in `_StoredProbabilities`.

        A key contains the long sentence and both halves of a pair, as JSON.
        """
        texts = []  # premise and hypothesis in three directions for each pair
        for long, first, second in map(json.loads, keys):
            texts += [(long, first), (long, second), (f"{first} {second}", long)]
        answers = load_classifier(self.checkpoint(), self.label, runtime.device).infer(
            texts, runtime.threads
        )
        of_pairs = zip(answers[0::3], answers[1::3], answers[2::3], strict=True)
        return [_round_all(*first, *second, *long) for first, second, long in of_pairs]

    def load(self, language: str, runtime: Runtime) -> str:
        """Load and test the model. Return a warning if the language has no test, otherwise "".

        Raises SettingsError if the model cannot be loaded, or fails the test.
        """
        return load_and_check(self.checkpoint(), self.label, runtime.device, language)

    def checkpoint(self) -> EncoderCheckpoint:
        """Find the files of the model, and download them if necessary.

        Raises SettingsError if there is no such model.
        """
        if self.model is None:
            raise SettingsError(
                "The filter `entailment` has no model. Set filters.advanced.entailment.model."
            )
        return fetch_checkpoint(self.model, 1, revision=self.revision, setting=self.setting)

    def signature(self, runtime: Runtime) -> str:
        """Return a string of the model, its digest, its class `entailment` if set, and the library.

        Raises SettingsError if the model does not exist.
        """
        checkpoint = self.checkpoint()
        label = "" if self.label is None else f" label={self.label}"
        computed = library_version(runtime.device)
        if runtime.device == "cuda":
            computed += f" {default_precision(runtime.device)}"
        return f"entailment {checkpoint.name} {checkpoint.digest}{label} {computed}"


def _round_all(*numbers: float) -> list[float]:
    return [round(number, _DIGITS) for number in numbers]


def default_model(language: str, device: Device) -> str:
    """Return the default model for a language and a device, by its name on the hub."""
    models: dict[str, str] = _read_default_models()[device]
    return models.get(language, models["*"])


def _read_default_models() -> dict[str, Any]:
    return read_toml(Path(__file__).with_suffix(".toml"))


@load_once
def load_and_check(
    checkpoint: EncoderCheckpoint, label: int | None, device: Device, language: str
) -> str:
    """Load a model and test it in a language, once per process.

    Returns a warning and raises errors like `check_entailment`.
    """
    loaded = load_classifier(checkpoint, label, device)

    def follows(pairs: Sequence[tuple[str, str]]) -> list[bool]:
        return [result.entailment >= result.other for result in loaded.infer(pairs, 1)]

    return check_entailment(follows, checkpoint, language)
