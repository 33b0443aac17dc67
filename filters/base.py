"""Base classes of filters: rule filters measure a parsed pair, model-based filters texts."""

import json
import re
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, Self

from pydantic import Field

from bitext_pivot.core.endpoint_server import EndpointServer
from bitext_pivot.core.hub.device import Device, DeviceChoice, torch_device
from bitext_pivot.core.languages import section
from bitext_pivot.core.progress import warn
from bitext_pivot.core.records import ParsedPair
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage.store import RowStore
from bitext_pivot.filters.view import View

_loaded_models: set[tuple[Path, str]] = set()
"""Models that this process has already loaded, each as the path of its store of results and a language."""


class HubModel(NamedTuple):
    """The model that a filter loads, as its settings name it."""

    name: str
    """Name on the Hugging Face hub, folder, or name of an encoder that is installed as a Python package."""
    revision: str | None
    """Branch, tag or commit of a model on the hub; None for the newest commit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """The device, threads, stores of results and endpoint that model-based filters use.

    The caller creates one `Runtime` for all filters, which never read the environment themselves.
    """

    device: Device
    threads: int
    """Number of CPU threads for one encoder."""
    store: Callable[[str], RowStore]
    """Opens the store in which a filter keeps its results, given the filter's signature (see `signature`)."""
    server: EndpointServer | None = None
    """The OpenAI-compatible endpoint that BITEXT_PIVOT_ENDPOINT names, if any."""

    @classmethod
    def of(cls, site: Site) -> Self:
        """Return the runtime for the environment settings of `site`.

        Raises SettingsError if a GPU is requested but does not work.
        """
        return cls(
            device=torch_device(site.device),
            threads=site.encoding,
            store=partial(RowStore, site.store_folder),
            server=EndpointServer.from_site(site),
        )


class Filter(Settings):
    """A check that accepts or rejects pairs by a score. The fields are its settings.

    Settings named `min_...` and `max_...` are thresholds: a pair passes if its score is at least the minimum and at
    most the maximum. Scores do not depend on thresholds, so the same stored scores can be compared with other
    thresholds.
    """

    UNMEASURED: ClassVar[str] = "nothing to compare"
    """The reason that `judge --explain` shows for a pair without a score, in a few words."""
    LANGUAGE_SECTION: ClassVar[str] = ""
    """Section that a language's data file must have for the filter to measure pairs in the language, or "" for none."""
    IN_PAPER: ClassVar[bool] = False
    """True if the filter runs under the preset `paper`."""
    IS_LAST: ClassVar[bool] = False
    """True if the filter runs after all others, on the pairs they accept."""
    MEANING_ROLE: ClassVar[Literal["", "compared", "checked", "judged"]] = ""
    """How the filter's model checks the meaning of pairs, as a word for the README: "compared" (similarity of the
    long sentence and the halves), "checked" (entailment) or "judged" (grades by a language model)."""
    IN_EXAMPLES: ClassVar[bool] = False
    """True if the README of a data set shows the score with its example pairs. The rows contain the scores of all
    filters."""
    ORIGIN: ClassVar[str] = ""
    """File or package that a custom filter's code comes from, with its digest or version. `custom.py` sets it; it is
    empty for built-in filters."""

    @classmethod
    def filter_name(cls) -> str:
        """Return the name of the filter and of its score: `no_museum` for the class `NoMuseum`.

        Built-in filters are named without the suffix of their class: `overlap` for `OverlapFilter`.
        """
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower()
        return name if cls.ORIGIN else name.removesuffix("_filter")

    @property
    def is_on(self) -> bool:
        """False if the filter needs a model and its settings name none."""
        return True

    def runs_in(self, preset: str) -> bool:
        """Return True if the filter runs under a preset of the filters, such as "strict"."""
        return self.is_on and (self.IN_PAPER or preset != "paper")

    def supports_language(self, language: str) -> bool:
        """Return True unless the language's data file lacks the section `LANGUAGE_SECTION`."""
        return not self.LANGUAGE_SECTION or bool(section(language, self.LANGUAGE_SECTION))

    def for_language(self, language: str, device: DeviceChoice) -> Self:
        """Return the filter with its default model for a language and device, unless a model is set."""
        return self

    def with_measured_thresholds(self, language: str, runtime: Runtime) -> Self:
        """Return the filter with thresholds measured for its model, unless the user set thresholds.

        Raises SettingsError if the model cannot be loaded or fails its self-check.
        """
        return self

    def as_in_paper(self) -> "Filter":
        """Return the filter as the BiSECT paper describes it, for the preset `paper`."""
        return self

    @property
    def hub_model(self) -> HubModel | None:
        """The model to download and pin to a commit, or None if the filter loads no model."""
        return None

    def citation(self, runtime: Runtime) -> str:
        """Return the text by which a paper should cite the filter, or "" if its name is enough."""
        return ""

    def overruled_by(self) -> dict[str, float]:
        """Return the minimum scores of other filters that overrule a rejection by this filter.

        Keys are names of filters. With `{"meaning": 0.35}`, a pair that this filter rejects passes if `meaning` gives
        it at least 0.35.
        """
        return {}

    def thresholds(self) -> dict[str, Any]:
        """Return the values of the settings `min_...` and `max_...` that are not None, by name."""
        return {
            name: value
            for name, value in self
            if name.startswith(("min_", "max_")) and value is not None
        }

    def accepts(self, score: float) -> bool:
        """Return True if the score satisfies every threshold."""
        limits = self.thresholds().items()
        return all(
            score >= limit if name.startswith("min_") else score <= limit for name, limit in limits
        )

    def score_settings(self) -> dict[str, Any]:
        """Return the settings that identify stored scores: a score is reused only if they are equal."""
        return self.model_dump(mode="json")


class RuleFilter(Filter):
    """A filter without a model, which measures each pair by itself."""

    VERSION: ClassVar[int] = 1
    """Version of `measure`. Increase it if the same settings now give other scores, so that old stored scores are not
    reused."""

    @abstractmethod
    def measure(self, pair: View) -> float | None:
        """Return the score of a pair as a finite number, or None if there is nothing to measure.

        The filter accepts a pair without a score.
        """

    def score(self, pairs: Sequence[ParsedPair]) -> list[float | None]:
        """Return the score of each pair, in order, with None for pairs that cannot be measured."""
        return [self.measure(View(parsed)) for parsed in pairs]


class ComparingFilter(Filter):
    """A filter that compares texts and stores the results. It runs after all rule filters.

    `keys_of` returns one or more keys for a pair: JSON strings with the texts to compare. `compare` computes a list of
    numbers for each key, such as similarities, and the filter stores them. `scores_of` combines the numbers of a
    pair's keys into the scores of the pair.
    """

    PARTS: ClassVar[tuple[str, ...]] = ()
    """Names of additional scores of a pair, stored in columns such as `bertscore.recall` (`<filter>.<part>`)."""
    BATCH_SIZES: ClassVar[dict[Device, int]] = {"cpu": 256, "cuda": 1024}
    """Number of comparisons (keys) computed and stored together, by device. A build that is killed repeats at most
    one such batch."""

    def scores_by_name(
        self, pairs: Sequence[ParsedPair], runtime: Runtime
    ) -> list[dict[str, float]]:
        """Return for each pair, in order, a dictionary with its `score` and its `PARTS`.

        The dictionary is empty if the pair cannot be measured. All pairs must be in the same language. Raises
        SettingsError if the model cannot be loaded or fails its check.
        """
        language = pairs[0].pair.language if pairs else ""
        keys_by_pair = [self.keys_of(parsed) for parsed in pairs]
        rows = self._load_or_compute(list(chain.from_iterable(keys_by_pair)), language, runtime)
        scores = []
        for parsed, keys in zip(pairs, keys_by_pair, strict=True):
            numbers = list(chain.from_iterable(rows[key] for key in keys))
            scores.append(self.scores_of(parsed, numbers))
        return scores

    def runs_in(self, preset: str) -> bool:
        """Return True if the filter runs under a preset of the filters, but never under "rules"."""
        return preset != "rules" and super().runs_in(preset)

    @property
    def served_model(self) -> str:
        """Name of the model on the endpoint to which the filter sends requests, or "" for none."""
        return ""

    def _load_or_compute(
        self, keys: Sequence[str], language: str, runtime: Runtime
    ) -> dict[str, list[float]]:
        """Return the numbers of each key, the JSON of texts to compare, from the store or `compare`.

        The model is loaded before the first comparison in the process, and never if all numbers are stored.
        """
        store = runtime.store(f"{self._store_name(language, runtime)} {self.ORIGIN}".strip())

        def compare(missing: Sequence[str]) -> list[list[float]]:
            if (store.path, language) not in _loaded_models:
                if warning := self.load(language, runtime):
                    warn(warning)
                _loaded_models.add((store.path, language))
            return self.compare(missing, language, runtime)

        return store.numbers(keys, compare, self.BATCH_SIZES[runtime.device])

    def _store_name(self, language: str, runtime: Runtime) -> str:
        """Return the name of the filter's store of results.

        It differs whenever the same texts could get other results.
        """
        return self.signature(runtime)

    def keys_of(self, parsed: ParsedPair) -> list[str]:
        """Return the texts to compare for a pair, as JSON strings.

        By default, this is one string with the long sentence and both halves.
        """
        return [pair_key(parsed)]

    def scores_of(self, parsed: ParsedPair, numbers: Sequence[float]) -> dict[str, float]:
        """Compute the `score` and the `PARTS` of a pair from the numbers that `compare` returned.

        `numbers` has the numbers of all keys of the pair, in order. By default, they are the `PARTS`, and the score is
        the smallest of them.
        """
        if len(numbers) != len(self.PARTS):
            raise ValueError(
                f"compare returned {len(numbers)} numbers, expected one for each of PARTS: {', '.join(self.PARTS)}"
            )
        return {"score": min(numbers), **dict(zip(self.PARTS, numbers, strict=True))}

    @abstractmethod
    def compare(self, keys: Sequence[str], language: str, runtime: Runtime) -> list[list[float]]:
        """Compare the texts in each key, and return a list of numbers for each key, in order.

        A key is a JSON string from `keys_of`. Its numbers must not depend on the other keys.
        """

    @abstractmethod
    def load(self, language: str, runtime: Runtime) -> str:
        """Load the model. Return a warning if it is weak in the language, otherwise "".

        Raises SettingsError if the model cannot be loaded or fails its check.
        """

    @abstractmethod
    def signature(self, runtime: Runtime) -> str:
        """Return a string that changes with everything the results depend on, such as the model.

        Raises SettingsError if the model is not found.
        """

    def score(self, pairs: Sequence[ParsedPair], runtime: Runtime) -> list[float]:
        """Return the score of each pair, in order."""
        return [scores["score"] for scores in self.scores_by_name(pairs, runtime)]

    def score_settings(self) -> dict[str, Any]:
        """Return all settings except thresholds: the settings that the stored numbers depend on."""
        return self.model_dump(mode="json", exclude={*self.thresholds()})


class ModelFilter(ComparingFilter):
    """A filter that loads a neural model. It skips pairs that rule filters have finally rejected."""

    model: str | None = Field(default=None, min_length=1)
    """Model of the filter: a name on the Hugging Face hub, or a folder. If it is empty, this filter is off."""
    revision: str | None = Field(default=None, title="Revision of the model", min_length=1)
    """Branch, tag or commit of a model on the hub. If it is empty, the newest commit is used."""

    @property
    def is_on(self) -> bool:
        """True if the settings name a model."""
        return self.model is not None

    @property
    def hub_model(self) -> HubModel | None:
        """The model that the settings name, or None."""
        return HubModel(self.model, self.revision) if self.model else None

    @property
    def setting(self) -> str:
        """Path of the setting that names the model, for error messages."""
        return f"filters.advanced.{self.filter_name()}.model"

    def score_settings(self) -> dict[str, Any]:
        """Return the settings that stored numbers depend on: neither thresholds nor the revision.

        The signature contains the digest of the weights instead of the revision.
        """
        settings = super().score_settings()
        del settings["revision"]
        return settings


def pair_key(parsed: ParsedPair) -> str:
    """Return the long sentence and both halves of its split as a JSON array."""
    return json.dumps(parsed.pair.texts)
