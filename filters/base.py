"""Base classes of filters."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from filters.view import View
from pairs.records import ParsedPair
from pairs.settings import Settings


class Filter(Settings):
    """A filter is its own settings: `score` measures pairs, `accepts` decides by one number.

    Scores are stored and thresholds are not part of them, so a filter must never look at its thresholds in `score`.
    Higher need not be better: `accepts` alone knows.
    """

    thresholds: ClassVar[frozenset[str]] = frozenset()
    """Names of the fields that only decide: scores stay valid when they change."""
    is_model_based: ClassVar[bool] = False
    """True if scoring loads a neural model. Such filters run last, on pairs that all rule filters accept."""
    preset: ClassVar[Literal["paper", "strict"]] = "paper"
    """`strict` for filters that the paper does not have; they run under that preset only."""

    @property
    def is_on(self) -> bool:
        """Whether it runs at all under its preset; a filter that is off by default says when."""
        return True

    @abstractmethod
    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return one finite number a pair, in order; the number of a pair does not depend on the other pairs."""

    @abstractmethod
    def accepts(self, score: float) -> bool:
        """Tell whether a pair with this score passes."""

    def parts(self, pairs: Sequence[ParsedPair]) -> list[dict[str, float]]:
        """Return the score of each pair as `score`, with the numbers it was made of where a filter stores them too."""
        return [{"score": score} for score in self.score(pairs)]

    def measuring(self) -> dict[str, Any]:
        """Return the settings that change scores; those that only decide are left out."""
        return self.model_dump(mode="json", exclude=set(self.thresholds))

    def load(self, language: str) -> str:  # noqa: ARG002 -- for filters with a model
        """Load the filter's model, if any; return a warning if it is weak in a language, or "".

        Raises SettingsError for a model that cannot be had or cannot work.
        """
        return ""

    def signature(self) -> str:
        """Tell what computes the score, for the data set's card; a filter with a model adds the model's digest."""
        return type(self).__name__.lower()


class RuleFilter(Filter):
    """A filter without a model: one rule, one pair at a time."""

    @abstractmethod
    def measure(self, pair: View) -> float:
        """Return the finite score of a pair."""

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return the score of each pair, in order."""
        return [float(self.measure(View(pair))) for pair in pairs]
