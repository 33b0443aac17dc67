"""The sieve: all filters in the order they run; a field's name is its score's column and its reason to reject."""

import functools
from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from filters.addition import Addition
from filters.base import Filter
from filters.batch import Batch
from filters.bertscore import Bertscore
from filters.components import Components
from filters.copied import Copied
from filters.endings import Endings
from filters.entailment import Entailment
from filters.halves import Halves
from filters.language import Language
from filters.length import Length
from filters.meaning import Meaning
from filters.names import Names
from filters.numbers import Numbers
from filters.overlap import Overlap
from filters.pasted import Pasted
from filters.repetition import Repetition
from filters.tags import Tags
from filters.unsaid import Unsaid
from filters.verbs import Verbs
from pairs.records import ParsedPair, ScoredPair
from pairs.settings import Settings

AT_ONCE = 1_000
"""Pairs that filters are asked about together: with fewer, calling numpy takes longer than what it counts."""


class Filters(Settings):
    """The settings of each filter, in the order in which the filters run."""

    pasted: Pasted = Field(default=Pasted(), title="Pasted", description="Sentences pasted without a space.")
    components: Components = Field(
        default=Components(), title="Components", description="Sentences pasted with a space, in `long`."
    )
    verbs: Verbs = Field(default=Verbs(), title="Verbs", description="A sentence without a verb.")
    overlap: Overlap = Field(default=Overlap(), title="Overlap", description="Too few words in common.")
    length: Length = Field(default=Length(), title="Length", description="A sentence too short or too long (strict).")
    endings: Endings = Field(default=Endings(), title="Endings", description="A sentence that was cut off (strict).")
    tags: Tags = Field(default=Tags(), title="Tags", description="A speaker's tag, or markup (strict).")
    language: Language = Field(default=Language(), title="Language", description="Text not translated (strict).")
    repetition: Repetition = Field(
        default=Repetition(), title="Repetition", description="Words repeated over and over (strict)."
    )
    copied: Copied = Field(default=Copied(), title="Copied", description="A half that says all of `long` (strict).")
    halves: Halves = Field(default=Halves(), title="Halves", description="A half of other words (strict).")
    unsaid: Unsaid = Field(default=Unsaid(), title="Unsaid", description="A half cut short and closed (strict).")
    numbers: Numbers = Field(default=Numbers(), title="Numbers", description="Numbers exchanged (strict).")
    names: Names = Field(default=Names(), title="Names", description="Names exchanged (strict).")
    addition: Addition = Field(
        default=Addition(), title="Addition", description="A half that adds nothing (strict; off until asked for)."
    )
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
        description="paper: the filters of the BiSECT paper; strict: also those for what they miss.",
    )
    advanced: Filters = Field(
        default=Filters(), title="Advanced", description="Thresholds and models of the single filters."
    )

    def active(self) -> dict[str, Filter]:
        """Return the filters that run under the preset, by name, in their order."""
        return self._active

    @functools.cached_property
    def _active(self) -> dict[str, Filter]:
        filters = {name: value for name, value in self.advanced if isinstance(value, Filter)}
        return {name: one for name, one in filters.items() if one.is_on and self.preset in {"strict", one.preset}}

    def score(self, pairs: Sequence[ParsedPair]) -> list[ScoredPair]:
        """Return every pair with its scores, in order; dear filters measure only what all cheap ones accept.

        One dear filter does not wait for another: its scores would depend on the other's threshold.
        """
        scores = [
            known for start in range(0, len(pairs), AT_ONCE) for known in self.cheap(pairs[start : start + AT_ONCE])
        ]
        places = [n for n, known in enumerate(scores) if self._first_rejecting(known) is None]
        for name, one in self._active.items():
            if one.dear:
                _note([scores[n] for n in places], name, one.parts([pairs[n] for n in places]))
        return [ScoredPair(parsed=pair, scores=known) for pair, known in zip(pairs, scores, strict=True)]

    def cheap(self, pairs: Sequence[ParsedPair]) -> list[dict[str, float]]:
        """Return the scores of all filters that need no model; one number each."""
        batch = Batch(pairs)
        columns = {name: one.score(batch) for name, one in self._active.items() if not one.dear}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def verdict(self, scored: ScoredPair) -> str | None:
        """Return the name of the first filter that rejects a pair; None when all accept it."""
        return self._first_rejecting(scored.scores)

    def _first_rejecting(self, scores: dict[str, float]) -> str | None:
        known = ((name, one) for name, one in self._active.items() if name in scores)
        return next((name for name, one in known if not one.accepts(scores[name])), None)

    def scoring_key(self) -> dict[str, Any]:
        """Return the settings that stored scores depend on: all but the thresholds of dear filters.

        The thresholds of cheap filters belong to it, because they decide which pairs a dear filter is asked about.
        """
        active = self._active.items()
        return {name: one.measuring() if one.dear else one.model_dump(mode="json") for name, one in active}

    def signature(self) -> dict[str, str]:
        """Return what each filter is made of, by name; raises SettingsError when a model cannot be loaded."""
        return {name: one.signature() for name, one in self._active.items()}


def _note(scores: Sequence[dict[str, float]], name: str, found: Sequence[dict[str, float]]) -> None:
    """Enter a filter's numbers under its name, parts as `name.part`."""
    for known, parts in zip(scores, found, strict=True):
        known.update({name if part == "score" else f"{name}.{part}": number for part, number in parts.items()})
