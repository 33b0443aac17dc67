"""All filters in the order they run; a field's name is the name of its score and of the rejecting filter."""

import functools
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from filters.base import Filter, ModelFilter, RuleFilter, Runtime
from filters.components import Components
from filters.copied import Copied
from filters.endings import Endings
from filters.halves import Halves
from filters.language import Language
from filters.length import Length
from filters.names import Names
from filters.neural.bertscore import Bertscore
from filters.neural.entailment import Entailment
from filters.neural.meaning import Meaning
from filters.numbers import Numbers
from filters.overlap import Overlap
from filters.pasted import Pasted
from filters.repetition import Repetition
from filters.tags import Tags
from filters.unsaid import Unsaid
from filters.verbs import Verbs
from filters.view import View
from pairs.records import ParsedPair, ScoredPair
from pairs.settings import Settings


class Filters(Settings):
    """The settings of each filter, in the order in which they run: rule filters, then model-based filters."""

    pasted: Pasted = Field(default=Pasted(), title="Pasted", description="Sentences joined without a space.")
    components: Components = Field(
        default=Components(), title="Components", description="Sentences joined with a space, in `long`."
    )
    verbs: Verbs = Field(default=Verbs(), title="Verbs", description="Sentences without a verb.")
    overlap: Overlap = Field(default=Overlap(), title="Overlap", description="Too few words in common.")
    length: Length = Field(default=Length(), title="Length", description="Sentences too short or too long (strict).")
    endings: Endings = Field(default=Endings(), title="Endings", description="Missing final punctuation (strict).")
    tags: Tags = Field(default=Tags(), title="Tags", description="Speaker's language codes, or markup (strict).")
    language: Language = Field(default=Language(), title="Language", description="Untranslated text (strict).")
    repetition: Repetition = Field(
        default=Repetition(), title="Repetition", description="Words repeated over and over (strict)."
    )
    copied: Copied = Field(default=Copied(), title="Copied", description="A half that says all of `long` (strict).")
    halves: Halves = Field(
        default=Halves(), title="Halves", description="A half with too few words of `long` (strict)."
    )
    unsaid: Unsaid = Field(
        default=Unsaid(), title="Unsaid", description="A truncated half that ends in a full stop (strict)."
    )
    numbers: Numbers = Field(default=Numbers(), title="Numbers", description="Exchanged numbers (strict).")
    names: Names = Field(default=Names(), title="Names", description="Exchanged names (strict).")
    bertscore: Bertscore = Field(
        default=Bertscore(), title="BERTScore", description="Too little in common in meaning; needs a model."
    )
    meaning: Meaning = Field(
        default=Meaning(), title="Meaning", description="A half that means something else; needs a model (strict)."
    )
    entailment: Entailment = Field(
        default=Entailment(), title="Entailment", description="A half that does not follow; off until a model is named."
    )


class Sieve(Settings):
    """Which filters run, and their settings."""

    preset: Literal["paper", "strict"] = Field(
        default="strict",
        title="Preset",
        description="paper: the filters of the BiSECT paper; strict: more filters, for errors that these miss.",
    )
    advanced: Filters = Field(default=Filters(), title="Advanced", description="Thresholds and models of each filter.")

    def active(self) -> dict[str, Filter]:
        """Return the filters that run under the preset, by name, in their order."""
        return self._active

    @functools.cached_property
    def _active(self) -> dict[str, Filter]:
        filters = {name: value for name, value in self.advanced if isinstance(value, Filter)}
        return {name: one for name, one in filters.items() if one.is_on and self.preset in {"strict", one.preset}}

    @functools.cached_property
    def _rules(self) -> dict[str, RuleFilter]:
        return {name: one for name, one in self._active.items() if isinstance(one, RuleFilter)}

    def score(self, pairs: Sequence[ParsedPair], runtime: Runtime) -> list[ScoredPair]:
        """Return every pair with its scores, in order. Model-based filters run on pairs that all rule filters accept.

        Each runs on all of these, so that no score depends on the threshold of another model-based filter.
        """
        scores = [self.rule_scores(pair) for pair in pairs]
        survivors = [n for n, known in enumerate(scores) if self._first_rejecting(known) is None]
        for name, one in self._active.items():
            if isinstance(one, ModelFilter):
                for n, parts in zip(survivors, one.parts([pairs[n] for n in survivors], runtime), strict=True):
                    scores[n].update(_named(name, parts))
        return [ScoredPair(parsed=pair, scores=known) for pair, known in zip(pairs, scores, strict=True)]

    def rule_scores(self, pair: ParsedPair) -> dict[str, float]:
        """Return the scores of a pair by all rule filters, by name."""
        view = View(pair)
        return {name: float(rule.measure(view)) for name, rule in self._rules.items()}

    def verdict(self, scored: ScoredPair) -> str | None:
        """Return the name of the first filter that rejects a pair, or None if all accept it."""
        return self._first_rejecting(scored.scores)

    def _first_rejecting(self, scores: dict[str, float]) -> str | None:
        known = ((name, one) for name, one in self._active.items() if name in scores)
        return next((name for name, one in known if not one.accepts(scores[name])), None)

    def scoring_key(self) -> dict[str, Any]:
        """Return the settings that stored scores depend on: all except the thresholds of model-based filters.

        The thresholds of rule filters are included, because they decide which pairs model-based filters run on.
        """
        active = self._active.items()
        return {
            name: one.measuring() if isinstance(one, ModelFilter) else one.model_dump(mode="json")
            for name, one in active
        }

    def load(self, language: str, runtime: Runtime) -> list[str]:
        """Load all models; return warnings about models that are weak in a language. Raises SettingsError."""
        warnings = [one.load(language, runtime) for one in self._active.values() if isinstance(one, ModelFilter)]
        return [warning for warning in warnings if warning]

    def signature(self, runtime: Runtime) -> dict[str, str]:
        """Return what computes each score, by name. Raises SettingsError if a model cannot be loaded."""
        return {
            name: one.signature(runtime) if isinstance(one, ModelFilter) else name for name, one in self._active.items()
        }


def _named(name: str, parts: dict[str, float]) -> dict[str, float]:
    """Return a filter's score under its name and the other parts as `name.part`."""
    return {name if part == "score" else f"{name}.{part}": number for part, number in parts.items()}
