"""All filters in the order they run; a field's name is the name of its score and of the rejecting filter."""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, Literal, Self

from pydantic import Field

from bitext_pivot.core.records import Alignment, ParsedPair, ScoredPair
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.tokens import Usage
from bitext_pivot.filters.base import (
    ComparingFilter,
    Filter,
    ModelFilter,
    RuleFilter,
    Runtime,
    ScreeningFilter,
)
from bitext_pivot.filters.components import Components
from bitext_pivot.filters.confidence import Confidence
from bitext_pivot.filters.content_overlap import ContentOverlap
from bitext_pivot.filters.copies import Copies
from bitext_pivot.filters.final_punctuation import FinalPunctuation
from bitext_pivot.filters.fragments import Fragments
from bitext_pivot.filters.joint import Joint
from bitext_pivot.filters.language import Language
from bitext_pivot.filters.length import Length
from bitext_pivot.filters.names import Names
from bitext_pivot.filters.neural.adequacy import Adequacy
from bitext_pivot.filters.neural.bertscore import Bertscore
from bitext_pivot.filters.neural.encoder import keeping_vectors
from bitext_pivot.filters.neural.entailment import Entailment, default_model
from bitext_pivot.filters.neural.judge import Judge
from bitext_pivot.filters.neural.meaning import Meaning
from bitext_pivot.filters.numbers import Numbers
from bitext_pivot.filters.overlap import Overlap
from bitext_pivot.filters.pasted import Pasted
from bitext_pivot.filters.polarity import Polarity
from bitext_pivot.filters.repetition import Repetition
from bitext_pivot.filters.same_halves import SameHalves
from bitext_pivot.filters.tags import Tags
from bitext_pivot.filters.truncated import Truncated
from bitext_pivot.filters.uncovered import Uncovered
from bitext_pivot.filters.untranslated import Untranslated
from bitext_pivot.filters.verbs import Verbs
from bitext_pivot.filters.view import View


class FilterSettings(Settings):
    """The settings of each filter, in the order in which they run: rule filters, then model-based filters."""

    pasted: Pasted = Pasted()
    """Sentences joined without a space."""
    components: Components = Components()
    """Sentences joined with a space, in `long`."""
    verbs: Verbs = Verbs()
    """Sentences without a verb."""
    overlap: Overlap = Overlap()
    """Too few words in common."""
    length: Length = Length()
    """Sentences too short or too long (strict)."""
    final_punctuation: FinalPunctuation = FinalPunctuation()
    """Missing final punctuation (strict)."""
    joint: Joint = Joint()
    """A cut inside a phrase, or missing punctuation in `long` (strict)."""
    fragments: Fragments = Fragments()
    """Sentences without a main clause (strict)."""
    tags: Tags = Tags()
    """Speaker's language codes, markup or mojibake (strict)."""
    language: Language = Language()
    """Untranslated text (strict)."""
    untranslated: Untranslated = Untranslated()
    """Single words left untranslated (strict)."""
    repetition: Repetition = Repetition()
    """Words repeated over and over (strict)."""
    copies: Copies = Copies()
    """A half that says all of `long` (strict)."""
    same_halves: SameHalves = SameHalves()
    """Halves that say the same (strict)."""
    content_overlap: ContentOverlap = ContentOverlap()
    """A half with too few words of `long` (strict)."""
    uncovered: Uncovered = Uncovered()
    """An end of `long` that no half has (strict)."""
    truncated: Truncated = Truncated()
    """A truncated half that ends in a full stop (strict)."""
    numbers: Numbers = Numbers()
    """Exchanged numbers (strict)."""
    names: Names = Names()
    """Exchanged names (strict)."""
    polarity: Polarity = Polarity()
    """A negation that only one side has; off until a maximum is given."""
    confidence: Confidence = Confidence()
    """Translations that the engine is unsure of (strict)."""
    adequacy: Adequacy = Adequacy()
    """Translations unlike their source, and links to leave out before translation; off until an encoder is named."""
    bertscore: Bertscore = Field(default=Bertscore(), title="BERTScore")
    """Too little in common in meaning; needs a model."""
    meaning: Meaning = Meaning()
    """A half that means something else; needs a model (strict)."""
    entailment: Entailment = Entailment()
    """A half that does not follow; needs a model (checked, or if one is named)."""
    judge: Judge = Judge()
    """Pairs that language models of a server find faulty, last; off until one is named."""


Preset = Literal["rules", "paper", "strict", "checked"]
PAPER = frozenset(
    {"pasted", "components", "verbs", "overlap", "bertscore", "adequacy", "entailment", "judge"}
)
"""Filters of the preset `paper` (BiSECT, section 3.1); the last three are off until a model is named."""

COMPARING = ("bertscore", "meaning", "entailment")
"""Filters that compare the meaning of `long` and its halves, if they have a model."""


class Filters(Settings):
    """Which filters run, and their settings."""

    preset: Preset = "strict"
    """paper: the filters of the BiSECT paper; strict: more filters, for errors that these miss; checked: those of
    strict, and `entailment` with a model for the language; rules: those of strict that need no model, for a first
    look."""
    advanced: FilterSettings = FilterSettings()
    """Thresholds and models of each filter."""

    def for_language(self, language: str) -> Self:
        """Return the filters with an entailment model for a language, if the preset needs one and none is named."""
        if self.preset != "checked" or self.advanced.entailment.model:
            return self
        return self.changed(entailment={"model": default_model(language)})

    def with_cuts(self, language: str, runtime: Runtime) -> Self:
        """Return the filters with the minimum margin of `entailment` in a language, if none is set.

        Raises SettingsError if the model cannot be loaded or cannot work.
        """
        entailment = self.advanced.entailment
        if "entailment" not in self.active() or entailment.min_margin is not None:
            return self
        return self.changed(
            entailment={"min_margin": entailment.measured_margin(language, runtime)}
        )

    def pinned(self, commits: Mapping[str, str]) -> Self:
        """Return the filters with a commit of the hub as the revision of each model, by the name of its filter."""
        return self.changed(**{name: {"revision": commit} for name, commit in commits.items()})

    def changed(self, **settings: Mapping[str, Any]) -> Self:
        """Return the filters with other values of some settings of some filters, by name."""
        filters = {
            name: getattr(self.advanced, name).model_copy(update=values)
            for name, values in settings.items()
        }
        return self.model_copy(update={"advanced": self.advanced.model_copy(update=filters)})

    def active(self) -> dict[str, Filter]:
        """Return the filters that run under the preset, by name, in their order."""
        included = {
            name: filter_ for name, filter_ in self.advanced if self._includes(name, filter_)
        }
        if self.preset == "paper":
            return {name: filter_.as_in_paper() for name, filter_ in included.items()}
        return included

    def _includes(self, name: str, filter_: Filter) -> bool:
        """Return True if the preset has this filter."""
        if self.preset == "checked" and name == "entailment":
            return True
        is_part = {"rules": isinstance(filter_, RuleFilter), "paper": name in PAPER}
        return filter_.is_on and is_part.get(self.preset, True)

    @property
    def jury(self) -> Judge | None:
        """The filter `judge`, if it runs."""
        if "judge" in self.active():
            return self.advanced.judge
        return None

    def _models(self) -> dict[str, ComparingFilter]:
        return {
            name: model
            for name, model in self.active().items()
            if isinstance(model, ComparingFilter)
        }

    def _rules(self) -> dict[str, RuleFilter]:
        return {name: rule for name, rule in self.active().items() if isinstance(rule, RuleFilter)}

    def score(self, pairs: Sequence[ParsedPair], runtime: Runtime) -> list[ScoredPair]:
        """Return every pair with its scores, in order. Model-based filters run on pairs that no rule filter rejects.

        Each runs on all of these, so that no score depends on the threshold of another model-based filter.
        The judge alone, whose requests cost money, runs only on pairs that all other filters accept.
        """
        rows = zip(pairs, self.rule_scores(pairs), strict=True)
        scored = [ScoredPair(parsed=pair, scores=scores) for pair, scores in rows]
        later = self._models().keys()
        survivors = [pair for pair in scored if not self._is_rejected(pair.scores, later)]
        size = ModelFilter.AT_ONCE[runtime.device]
        for start in range(0, len(survivors), size):
            batch = survivors[start : start + size]
            with keeping_vectors():
                self._score_by_models(batch, runtime)
            if self.jury:
                accepted = [pair for pair in batch if self.verdict(pair) is None]
                _add_scores("judge", self.jury, accepted, runtime)
        return scored

    def _is_rejected(self, scores: Mapping[str, float], later: Set[str]) -> bool:
        """Return True if a filter rejects a pair, and none of the filters `later` may overrule it."""
        return any(
            later.isdisjoint(filter_.overruled_by()) for _, filter_ in self._rejecting(scores)
        )

    def _score_by_models(self, pairs: Sequence[ScoredPair], runtime: Runtime) -> None:
        """Add the scores of the model-based filters but the judge."""
        for name, model in self._models().items():
            if name != "judge":
                _add_scores(name, model, pairs, runtime)

    def usage(self, pairs: Sequence[ScoredPair], runtime: Runtime) -> Usage:
        """Return the tokens that the judge took for scored pairs, by model; nothing if it does not run."""
        judged = [pair.parsed for pair in pairs if "judge" in pair.scores]
        if self.jury is None or not judged:
            return {}
        return self.jury.usage(judged, runtime)

    def screening(self) -> dict[str, ScreeningFilter]:
        """Return the filters that leave out alignments before they are translated, by name."""
        return {
            name: filter_
            for name, filter_ in self.active().items()
            if isinstance(filter_, ScreeningFilter)
        }

    def skip_reasons(self, alignments: Sequence[Alignment], runtime: Runtime) -> list[str | None]:
        """Return for each alignment the first reason to leave it out before translation, None for none."""
        reasons: list[str | None] = [None] * len(alignments)
        for filter_ in self.screening().values():
            found = filter_.skip_reasons(alignments, runtime)
            reasons = [before or reason for before, reason in zip(reasons, found, strict=True)]
        return reasons

    def seconds(self) -> dict[str, float]:
        """Return the seconds of one core per pair of the filters that are slow, by name."""
        return {name: model.SECONDS for name, model in self._models().items() if model.SECONDS}

    def score_names(self) -> list[str]:
        """Return the names of all scores that a pair can get."""
        parts = [f"{name}.{part}" for name, model in self._models().items() for part in model.PARTS]
        return [*self.active(), *parts]

    def thresholds(self) -> dict[str, dict[str, float]]:
        """Return the thresholds of the filters that run, by filter and setting; those that are not known are left out.

        For instance `{"overlap": {"min_overlap": 0.25}}`.
        """
        return {name: filter_.thresholds() for name, filter_ in self.active().items()}

    def sliders(self, build: Settings) -> dict[str, Any]:
        """Return what moving the thresholds of a build needs besides them.

        `bounds`: `minimum`, `maximum` and `type` of each threshold, by filter and setting; `models`: the model-based
        filters; `last`: those that score only what all others accept; `overruled`: the scores that overrule
        a filter, by filter; `settings`: those of the build.
        """
        filters = self.active()
        overruled = {name: filter_.overruled_by() for name, filter_ in filters.items()}
        return {
            "bounds": {name: _bounds(filter_) for name, filter_ in filters.items()},
            "models": list(self._models()),
            "last": [name for name in filters if name == "judge"],
            "overruled": {name: scores for name, scores in overruled.items() if scores},
            "settings": build.model_dump(mode="json", exclude_defaults=True),
        }

    def rule_scores(self, pairs: Sequence[ParsedPair]) -> list[dict[str, float]]:
        """Return the scores of each pair by all rule filters that can measure it, by name."""
        views = [View(pair) for pair in pairs]
        columns = {
            name: [rule.measure(view) for view in views] for name, rule in self._rules().items()
        }
        return [
            {
                name: float(score)
                for name, scores in columns.items()
                if (score := scores[n]) is not None
            }
            for n in range(len(pairs))
        ]

    def verdict(self, scored: ScoredPair) -> str | None:
        """Return the name of the first filter that rejects a pair, or None if all accept it."""
        for name, filter_ in self._rejecting(scored.scores):
            if not _is_overruled(filter_, scored.scores):
                return name
        return None

    def _rejecting(self, scores: Mapping[str, float]) -> Iterator[tuple[str, Filter]]:
        """Yield the filters that do not accept their score, with their names."""
        for name, filter_ in self.active().items():
            if name in scores and not filter_.accepts(scores[name]):
                yield name, filter_

    def scoring_key(self) -> dict[str, Any]:
        """Return the settings that stored scores depend on: all except the thresholds of model-based filters.

        The thresholds of rule filters are included, because they decide which pairs model-based filters run on.
        If the judge runs, so are those of all others, which decide what it reads.
        """
        key = {name: filter_.measuring() for name, filter_ in self.active().items()}
        if self.jury:
            for name, filter_ in self.active().items():
                if name != "judge":
                    key[name] |= filter_.thresholds()
        return key

    def meaning_checks(self) -> str:
        """Say in a sentence which models compared the meaning of both sides, and which judged the pairs."""
        models = {
            name: model.model
            for name, model in self._models().items()
            if name in COMPARING and isinstance(model, ModelFilter)
        }
        compared = ", ".join(f"{name} ({model})" for name, model in models.items())
        if self.jury:
            jury = ", ".join(self.jury.models)
            return f"Pairs were judged by {jury}; meaning was compared by {compared or 'no other model'}."
        if not models:
            return "No model checked that both sides say the same."
        if "entailment" in models:
            return f"Meaning was checked by {compared}."
        return f"Meaning was compared by {compared}; no entailment model read the pairs (preset checked)."

    def load(self, language: str, runtime: Runtime) -> list[str]:
        """Load all models; return warnings about models that are weak in a language. Raises SettingsError."""
        return [
            warning
            for model in self._models().values()
            if (warning := model.load(language, runtime))
        ]

    def signature(self, runtime: Runtime) -> dict[str, str]:
        """Return what computes each score, by name. Raises SettingsError if a model cannot be loaded."""
        signatures = {name: model.signature(runtime) for name, model in self._models().items()}
        for name, rule in self._rules().items():
            signatures[name] = name if rule.VERSION == 1 else f"{name} {rule.VERSION}"
        return {name: signatures[name] for name in self.active()}


def _add_scores(
    name: str, model: ComparingFilter, pairs: Sequence[ScoredPair], runtime: Runtime
) -> None:
    """Add the scores of a model-based filter to pairs."""
    parsed = [pair.parsed for pair in pairs]
    for pair, scores in zip(pairs, model.scores_by_name(parsed, runtime), strict=True):
        if scores:
            parts = {f"{name}.{part}": scores[part] for part in model.PARTS}
            pair.scores.update({name: scores["score"], **parts})


def _is_overruled(filter_: Filter, scores: Mapping[str, float]) -> bool:
    """Return True if another filter's score is high enough to overrule a rejection by this one."""
    return any(
        name in scores and scores[name] >= least for name, least in filter_.overruled_by().items()
    )


def _bounds(filter_: Filter) -> dict[str, dict[str, Any]]:
    """Return the JSON schema of the thresholds of a filter, without what a form needs."""
    properties = filter_.model_json_schema()["properties"]
    schemas = {
        name: schema.get("anyOf", [schema])[0]
        for name, schema in properties.items()
        if name.startswith(("min_", "max_"))
    }
    return {
        name: {key: schema[key] for key in ("minimum", "maximum", "type")}
        for name, schema in schemas.items()
    }
