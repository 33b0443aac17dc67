"""Base classes of filters: rule filters measure a parsed pair, model-based filters compare texts with a model."""

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

from bitext_pivot.core.endpoint_server import Server
from bitext_pivot.core.hub.device import Device, DeviceChoice, torch_device
from bitext_pivot.core.languages import section
from bitext_pivot.core.progress import warn
from bitext_pivot.core.records import ParsedPair
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage.store import RowStore
from bitext_pivot.filters.view import View

_loaded: set[tuple[Path, str]] = set()
"""Stores and languages of the models that this process has loaded."""


class HubModel(NamedTuple):
    """A model that a filter loads."""

    name: str
    """A name on the Hugging Face hub, a folder, or an encoder that comes as a package."""
    revision: str | None
    """Branch, tag or commit of a model on the hub."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """Where model-based filters run: resolved once by the caller, never read from the environment in a filter."""

    device: Device
    threads: int
    """Threads of one encoder."""
    store: Callable[[str], RowStore]
    """Opens the store of a filter's numbers by the filter's signature."""
    server: Server | None = None
    """The server of BITEXT_PIVOT_ENDPOINT, if there is one."""

    @classmethod
    def of(cls, site: Site) -> Self:
        """Return the runtime of a site. Raises SettingsError if a GPU is requested and does not work."""
        return cls(
            device=torch_device(site.device),
            threads=site.encoding,
            store=partial(RowStore, site.store_folder),
            server=Server.of(site),
        )


class Filter(Settings):
    """A filter and its settings.

    Settings named `min_...` and `max_...` are thresholds: a pair passes if its score is at least the minimum and at
    most the maximum. Scores do not depend on thresholds, so that stored scores can be judged again.
    """

    UNMEASURED: ClassVar[str] = "nothing to compare"
    """Why a pair has no score, in a few words."""
    LANGUAGE_SECTION: ClassVar[str] = ""
    """The section of a language's file without which the filter measures nothing in that language."""
    IN_PAPER: ClassVar[bool] = False
    """True if the preset `paper` has the filter."""
    IS_LAST: ClassVar[bool] = False
    """True if the filter runs after all others, on pairs that they accept."""
    MEANING_ROLE: ClassVar[Literal["", "compared", "checked", "judged"]] = ""
    """What a model does with the meaning of `long` and its halves: it compares them, says what follows, or
    reads all that the other filters accept."""
    IN_EXAMPLES: ClassVar[bool] = False
    """True if the score is shown with the examples of a data set; all are in its rows."""
    ORIGIN: ClassVar[str] = ""
    """Where the code of a filter from outside comes from, with its digest; set by `custom.py`."""

    @classmethod
    def filter_name(cls) -> str:
        """Return the name of the filter, its score and its reason: `no_museum` for `NoMuseum`.

        Built-in filters are named without the suffix of their class: `overlap` for `OverlapFilter`.
        """
        name = cls.__name__
        if cls.__module__.startswith("bitext_pivot."):
            name = name.removesuffix("Filter")
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()

    @property
    def is_on(self) -> bool:
        """True if the filter runs under its preset."""
        return True

    def runs_in(self, preset: str) -> bool:
        """Return True if the filter runs under a preset."""
        return self.is_on and (self.IN_PAPER or preset != "paper")

    def supports_language(self, language: str) -> bool:
        """Return False for a language that lacks the data that the filter reads."""
        return not self.LANGUAGE_SECTION or bool(section(language, self.LANGUAGE_SECTION))

    def for_language(self, language: str, device: DeviceChoice) -> Self:
        """Return the filter with what it needs for a language on a device, where nothing else is set."""
        return self

    def with_measured_thresholds(self, language: str, runtime: Runtime) -> Self:
        """Return the filter with the thresholds that are measured for its model, where none is set.

        Raises SettingsError for a model that cannot be loaded or cannot work.
        """
        return self

    def as_in_paper(self) -> "Filter":
        """Return the filter as BiSECT prints it, for the preset `paper`."""
        return self

    @property
    def hub_model(self) -> HubModel | None:
        """The model that the filter loads, if any: it is previewed, downloaded, and pinned to its commit."""
        return None

    def citation(self, runtime: Runtime) -> str:
        """Return what a paper cites of the filter, thresholds included; "" for its name alone."""
        return ""

    def overruled_by(self) -> dict[str, float]:
        """Return the filters that overrule a rejection by this filter, and the score from which each does.

        Such a rejection waits for their scores.
        """
        return {}

    def thresholds(self) -> dict[str, Any]:
        """Return the settings that only `accepts` reads, without empty ones."""
        return {
            name: value
            for name, value in self
            if name.startswith(("min_", "max_")) and value is not None
        }

    def accepts(self, score: float) -> bool:
        """Return True if a pair with this score passes."""
        limits = self.thresholds().items()
        return all(
            score >= limit if name.startswith("min_") else score <= limit for name, limit in limits
        )

    def score_settings(self) -> dict[str, Any]:
        """Return the settings that enter the key of stored scores."""
        return self.model_dump(mode="json")


class RuleFilter(Filter):
    """A filter without a model: one rule, one pair at a time."""

    VERSION: ClassVar[int] = 1
    """Raised when the code gives other scores by the same settings, so that stored scores are not used again."""

    @abstractmethod
    def measure(self, pair: View) -> float | None:
        """Return the finite score of a pair; None if it has nothing to measure, so that it passes without a score."""

    def score(self, pairs: Sequence[ParsedPair]) -> list[float | None]:
        """Return the score of each pair, in order."""
        return [self.measure(View(parsed)) for parsed in pairs]


class ComparingFilter(Filter):
    """A filter that compares texts and stores the numbers that it finds. It runs after all rule filters.

    A pair becomes one key or several (`keys_of`): the texts that are compared, as JSON. `compare` computes the numbers
    of a key, which are stored. The scores of a pair are made of the numbers of its keys (`scores_of`).
    """

    PARTS: ClassVar[tuple[str, ...]] = ()
    """Names of the scores of a pair besides `score`: the columns `<filter>.<part>`."""
    BATCH_SIZES: ClassVar[dict[Device, int]] = {"cpu": 256, "cuda": 1024}
    """Pairs that are compared and stored together; a killed build loses at most these."""

    def scores_by_name(
        self, pairs: Sequence[ParsedPair], runtime: Runtime
    ) -> list[dict[str, float]]:
        """Return the `score` of each pair of one language, in order, and its `PARTS`.

        A pair that a filter cannot measure has none. Raises SettingsError if the model cannot be loaded or cannot work.
        """
        language = pairs[0].pair.language if pairs else ""
        keys_by_pair = [self.keys_of(parsed) for parsed in pairs]
        rows = self._numbers(list(chain.from_iterable(keys_by_pair)), language, runtime)
        scores = []
        for parsed, keys in zip(pairs, keys_by_pair, strict=True):
            numbers = list(chain.from_iterable(rows[key] for key in keys))
            scores.append(self.scores_of(parsed, numbers))
        return scores

    def runs_in(self, preset: str) -> bool:
        """Return True if the filter runs under a preset; `rules` has no model."""
        return preset != "rules" and super().runs_in(preset)

    @property
    def served_model(self) -> str:
        """The model of a server that the filter asks; "" for none."""
        return ""

    def _numbers(
        self, keys: Sequence[str], language: str, runtime: Runtime
    ) -> dict[str, list[float]]:
        """Return the numbers of each key: those that are stored, and the others as `compare` finds them.

        The model is loaded before the first comparison of the process, and not at all if every number is stored.
        """
        store = runtime.store(f"{self._store_name(language, runtime)} {self.ORIGIN}".strip())

        def compare(missing: Sequence[str]) -> list[list[float]]:
            if (store.path, language) not in _loaded:
                if warning := self.load(language, runtime):
                    warn(warning)
                _loaded.add((store.path, language))
            return self.compare(missing, language, runtime)

        return store.numbers(keys, compare, self.BATCH_SIZES[runtime.device])

    def _store_name(self, language: str, runtime: Runtime) -> str:
        """Return the name of the store of the numbers: everything that they depend on besides their key."""
        return self.signature(runtime)

    def keys_of(self, parsed: ParsedPair) -> list[str]:
        """Return the keys of a pair: its three sentences, unless a filter compares other texts."""
        return [pair_key(parsed)]

    def scores_of(self, parsed: ParsedPair, numbers: Sequence[float]) -> dict[str, float]:
        """Return `score` and `PARTS` of a pair from the numbers of its keys, in order.

        Unless a filter has another rule, the parts are the numbers, and the score is the smallest.
        """
        if len(numbers) != len(self.PARTS):
            raise ValueError(
                f"compare gave {len(numbers)} numbers for PARTS {', '.join(self.PARTS)}"
            )
        return {"score": min(numbers), **dict(zip(self.PARTS, numbers, strict=True))}

    @abstractmethod
    def compare(self, keys: Sequence[str], language: str, runtime: Runtime) -> list[list[float]]:
        """Return the numbers of each key, in order. They must not depend on the other keys."""

    @abstractmethod
    def load(self, language: str, runtime: Runtime) -> str:
        """Load the model; return a warning if it is weak in a language, or "".

        Raises SettingsError for a model that cannot be loaded or cannot work.
        """

    @abstractmethod
    def signature(self, runtime: Runtime) -> str:
        """Return what computes the score, the model's digest included. Raises SettingsError without the model."""

    def score(self, pairs: Sequence[ParsedPair], runtime: Runtime) -> list[float]:
        """Return the score of each pair, in order."""
        return [scores["score"] for scores in self.scores_by_name(pairs, runtime)]

    def score_settings(self) -> dict[str, Any]:
        """Return the settings that the numbers depend on."""
        return self.model_dump(mode="json", exclude={*self.thresholds()})


class ModelFilter(ComparingFilter):
    """A filter that loads a neural model. It runs on pairs that no rule filter rejects for good."""

    model: str | None = Field(default=None, min_length=1)
    """A name on the Hugging Face hub, or a folder. Empty: this filter is off."""
    revision: str | None = Field(default=None, title="Revision of the model", min_length=1)
    """Branch, tag or commit of a hub model. Empty: the newest."""

    @property
    def is_on(self) -> bool:
        """True if a model is named."""
        return self.model is not None

    @property
    def hub_model(self) -> HubModel | None:
        """The model in the settings."""
        return HubModel(self.model, self.revision) if self.model else None

    @property
    def setting(self) -> str:
        """Name of the setting that holds the model, for messages."""
        return f"filters.advanced.{self.filter_name()}.model"

    def score_settings(self) -> dict[str, Any]:
        """Return the settings that the numbers depend on; not the revision: the signature has the weights' digest."""
        settings = super().score_settings()
        del settings["revision"]
        return settings


def pair_key(parsed: ParsedPair) -> str:
    """Return the three sentences of a pair as a JSON array."""
    return json.dumps(parsed.pair.texts)
