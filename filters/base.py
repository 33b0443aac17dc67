"""Base classes of filters: rule filters measure a parsed pair, model-based filters compare texts."""

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
"""The models that this process has loaded, each as the path of its store and a language."""


class HubModel(NamedTuple):
    """The model that a filter loads, as named in its settings."""

    name: str
    """A name on the Hugging Face hub, a folder, or the name of an encoder that is installed as a package."""
    revision: str | None
    """Branch, tag or commit of a model on the hub."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """The device, threads, store and endpoint of model-based filters.

    The caller resolves them once; filters never read the environment.
    """

    device: Device
    threads: int
    """Number of threads for one encoder."""
    store: Callable[[str], RowStore]
    """Opens the store of a filter's results, given the signature of the filter."""
    server: EndpointServer | None = None
    """The endpoint that BITEXT_PIVOT_ENDPOINT names, if any."""

    @classmethod
    def of(cls, site: Site) -> Self:
        """Return the runtime for a site. Raises SettingsError if a GPU is requested but does not work."""
        return cls(
            device=torch_device(site.device),
            threads=site.encoding,
            store=partial(RowStore, site.store_folder),
            server=EndpointServer.from_site(site),
        )


class Filter(Settings):
    """A filter and its settings.

    Settings named `min_...` and `max_...` are thresholds: a pair passes if its score is at least the minimum and at
    most the maximum. Scores do not depend on thresholds, so stored scores can be judged again with other thresholds.
    """

    UNMEASURED: ClassVar[str] = "nothing to compare"
    """Why a pair may have no score, in a few words for `judge --explain`."""
    LANGUAGE_SECTION: ClassVar[str] = ""
    """Section of a language's data file that the filter needs to measure pairs in the language, or ""."""
    IN_PAPER: ClassVar[bool] = False
    """True if the preset `paper` includes the filter."""
    IS_LAST: ClassVar[bool] = False
    """True if the filter runs after all others, on the pairs they accept."""
    MEANING_ROLE: ClassVar[Literal["", "compared", "checked", "judged"]] = ""
    """What the filter's model does with the meaning of a pair: "compared" (similarity of `long` and the halves),
    "checked" (entailment) or "judged" (grades by a language model)."""
    IN_EXAMPLES: ClassVar[bool] = False
    """True if the examples of a data set show the score. The rows contain the scores of all filters."""
    ORIGIN: ClassVar[str] = ""
    """Origin of a custom filter's code, with its digest or version; set by `custom.py`. Empty for built-in filters."""

    @classmethod
    def filter_name(cls) -> str:
        """Return the name of the filter and of its score: `no_museum` for the class `NoMuseum`.

        Built-in filters are named without the suffix of their class: `overlap` for `OverlapFilter`.
        """
        name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", cls.__name__).lower()
        return name if cls.ORIGIN else name.removesuffix("_filter")

    @property
    def is_on(self) -> bool:
        """False if the filter needs a model and none is named."""
        return True

    def runs_in(self, preset: str) -> bool:
        """Return True if the filter runs under a preset."""
        return self.is_on and (self.IN_PAPER or preset != "paper")

    def supports_language(self, language: str) -> bool:
        """Return True unless the language lacks data the filter needs."""
        return not self.LANGUAGE_SECTION or bool(section(language, self.LANGUAGE_SECTION))

    def for_language(self, language: str, device: DeviceChoice) -> Self:
        """Return the filter with its default model for a language and a device, unless a model is set."""
        return self

    def with_measured_thresholds(self, language: str, runtime: Runtime) -> Self:
        """Return the filter with the thresholds measured for its model, unless thresholds are set.

        Raises SettingsError if the model cannot be loaded or fails its check.
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
        """Return the text to cite for the filter in a paper, or "" if its name is enough."""
        return ""

    def overruled_by(self) -> dict[str, float]:
        """Return the scores of other filters that overrule a rejection, by the name of the filter.

        With `{"meaning": 0.35}`, a pair that this filter rejects passes if `meaning` gives it at least 0.35.
        """
        return {}

    def thresholds(self) -> dict[str, Any]:
        """Return the thresholds that have a value, by name."""
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
        """Return the settings that are part of the key of stored scores."""
        return self.model_dump(mode="json")


class RuleFilter(Filter):
    """A filter without a model, which measures one pair at a time by a rule."""

    VERSION: ClassVar[int] = 1
    """Version of the rule. Increase it if the same settings give different scores, so that stored scores are not
    reused."""

    @abstractmethod
    def measure(self, pair: View) -> float | None:
        """Return the score of a pair as a finite number, or None if there is nothing to measure.

        A pair without a score passes the filter.
        """

    def score(self, pairs: Sequence[ParsedPair]) -> list[float | None]:
        """Return the score of each pair, in order."""
        return [self.measure(View(parsed)) for parsed in pairs]


class ComparingFilter(Filter):
    """A filter that compares texts and stores the results. It runs after all rule filters.

    Each pair has one or more keys (`keys_of`), which contain the texts to compare, as JSON. `compare` computes numbers
    for each key, such as similarities, which are stored. `scores_of` computes the scores of a pair from the numbers of
    its keys.
    """

    PARTS: ClassVar[tuple[str, ...]] = ()
    """Names of further scores of a pair, which are stored in the columns `<filter>.<part>`."""
    BATCH_SIZES: ClassVar[dict[Device, int]] = {"cpu": 256, "cuda": 1024}
    """Number of pairs compared and stored together, by device. A killed build repeats one batch at most."""

    def scores_by_name(
        self, pairs: Sequence[ParsedPair], runtime: Runtime
    ) -> list[dict[str, float]]:
        """Return a dictionary with `score` and `PARTS` for each pair, in order.

        It is empty if a pair cannot be measured. All pairs must be in the same language. Raises SettingsError if the
        model cannot be loaded or fails its check.
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
        """Return True if the filter runs under a preset. It never runs under `rules`."""
        return preset != "rules" and super().runs_in(preset)

    @property
    def served_model(self) -> str:
        """Name of the model that the filter uses on the endpoint, or ""."""
        return ""

    def _load_or_compute(
        self, keys: Sequence[str], language: str, runtime: Runtime
    ) -> dict[str, list[float]]:
        """Return the numbers of each key, from the store or computed by `compare`.

        The model is loaded before the first comparison in the process; if all numbers are stored, it is never loaded.
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
        """Return the name of the store. It covers everything the numbers depend on except the key."""
        return self.signature(runtime)

    def keys_of(self, parsed: ParsedPair) -> list[str]:
        """Return the keys of a pair: by default one key with its three sentences."""
        return [pair_key(parsed)]

    def scores_of(self, parsed: ParsedPair, numbers: Sequence[float]) -> dict[str, float]:
        """Return the `score` and `PARTS` of a pair, given the numbers of its keys, in order.

        By default the parts are the numbers, and the score is the smallest of them.
        """
        if len(numbers) != len(self.PARTS):
            raise ValueError(
                f"compare returned {len(numbers)} numbers, expected one for each of PARTS: {', '.join(self.PARTS)}"
            )
        return {"score": min(numbers), **dict(zip(self.PARTS, numbers, strict=True))}

    @abstractmethod
    def compare(self, keys: Sequence[str], language: str, runtime: Runtime) -> list[list[float]]:
        """Return the numbers of each key, in order. A key's numbers must not depend on the other keys."""

    @abstractmethod
    def load(self, language: str, runtime: Runtime) -> str:
        """Load the model, and return a warning if it is weak in the language, or "".

        Raises SettingsError if the model cannot be loaded or fails its check.
        """

    @abstractmethod
    def signature(self, runtime: Runtime) -> str:
        """Return a string that changes with everything the numbers depend on, such as the model's digest.

        Raises SettingsError if the model is not found.
        """

    def score(self, pairs: Sequence[ParsedPair], runtime: Runtime) -> list[float]:
        """Return the score of each pair, in order."""
        return [scores["score"] for scores in self.scores_by_name(pairs, runtime)]

    def score_settings(self) -> dict[str, Any]:
        """Return the settings the numbers depend on, that is, all except thresholds."""
        return self.model_dump(mode="json", exclude={*self.thresholds()})


class ModelFilter(ComparingFilter):
    """A filter that loads a neural model. It skips pairs whose rejection by a rule filter is final."""

    model: str | None = Field(default=None, min_length=1)
    """A name on the Hugging Face hub, or a folder. If it is empty, this filter is off."""
    revision: str | None = Field(default=None, title="Revision of the model", min_length=1)
    """Branch, tag or commit of a model on the hub. If it is empty, the newest commit is used."""

    @property
    def is_on(self) -> bool:
        """True if a model is named."""
        return self.model is not None

    @property
    def hub_model(self) -> HubModel | None:
        """The model that the settings name, or None."""
        return HubModel(self.model, self.revision) if self.model else None

    @property
    def setting(self) -> str:
        """Path of the setting that names the model, for messages."""
        return f"filters.advanced.{self.filter_name()}.model"

    def score_settings(self) -> dict[str, Any]:
        """Return the settings the numbers depend on.

        The revision is left out, because the signature contains the digest of the weights.
        """
        settings = super().score_settings()
        del settings["revision"]
        return settings


def pair_key(parsed: ParsedPair) -> str:
    """Return the three sentences of a pair as a JSON array."""
    return json.dumps(parsed.pair.texts)
