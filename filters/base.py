"""Base classes of filters: rule filters measure a parsed pair, model-based filters compare texts with a model."""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal, Protocol, Self

from filters.view import View
from pairs.checkpoints.device import Device, torch_device
from pairs.records import ParsedPair
from pairs.settings import Settings
from pairs.site import Site
from pairs.storage.store import RowStore

Measure = Callable[[Sequence[str]], Sequence[Sequence[float]]]


class Store(Protocol):
    """Numbers that were computed before, by text."""

    def numbers(self, texts: Sequence[str], measure: Measure, at_once: int) -> Mapping[str, Sequence[float]]:
        """Return the numbers of each text; call `measure` for missing ones, `at_once` texts at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """Where model-based filters run: resolved once by the caller, never read from the environment in a filter."""

    device: Device
    threads: int
    """Threads of one encoder."""
    store: Callable[[str], Store]
    """Opens the store of a filter's numbers by the filter's signature."""

    @classmethod
    def of(cls, site: Site) -> Self:
        """Return the runtime of a site. Raises SettingsError if a GPU is requested and does not work."""
        store = partial(RowStore, site.store_folder)
        return cls(device=torch_device(site.device), threads=site.encoding, store=store)


class Filter(Settings):
    """A filter and its settings. Scores do not depend on thresholds, so that stored scores can be judged again.

    Higher need not be better: only `accepts` knows.
    """

    thresholds: ClassVar[frozenset[str]] = frozenset()
    """Names of the fields that only `accepts` reads."""
    preset: ClassVar[Literal["paper", "strict"]] = "paper"
    """`strict` for filters that the paper does not have; they run under that preset only."""

    @property
    def is_on(self) -> bool:
        """True if the filter runs under its preset."""
        return True

    @abstractmethod
    def accepts(self, score: float) -> bool:
        """Return True if a pair with this score passes."""


class RuleFilter(Filter):
    """A filter without a model: one rule, one pair at a time."""

    @abstractmethod
    def measure(self, pair: View) -> float:
        """Return the finite score of a pair."""

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return the score of each pair, in order."""
        return [float(self.measure(View(pair))) for pair in pairs]


class ModelFilter(Filter):
    """A filter that loads a neural model. It runs last, on pairs that all rule filters accept."""

    @abstractmethod
    def parts(self, pairs: Sequence[ParsedPair], runtime: Runtime) -> list[dict[str, float]]:
        """Return the score of each pair as `score`, with the numbers it was computed from."""

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
        return [parts["score"] for parts in self.parts(pairs, runtime)]

    def measuring(self) -> dict[str, Any]:
        """Return the settings that scores depend on.

        The revision is not among them, because the signature has the digest of the weights.
        """
        return self.model_dump(mode="json", exclude={*self.thresholds, "revision"})
