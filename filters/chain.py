"""All filters in the order they run; a field's name is the name of its score and of the rejecting filter."""

import functools
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, Literal, Self

from pydantic import (
    Field,
    ModelWrapValidatorHandler,
    SerializeAsAny,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from bitext_pivot.core.hub.device import DeviceChoice
from bitext_pivot.core.outside import explained
from bitext_pivot.core.progress import warn
from bitext_pivot.core.records import ParsedPair, ScoredPair
from bitext_pivot.core.settings import Settings, refuse_unknown_fields
from bitext_pivot.filters import custom
from bitext_pivot.filters.base import (
    ComparingFilter,
    Filter,
    ModelFilter,
    RuleFilter,
    Runtime,
)
from bitext_pivot.filters.components import ComponentsFilter
from bitext_pivot.filters.confidence import ConfidenceFilter
from bitext_pivot.filters.content_overlap import ContentOverlapFilter
from bitext_pivot.filters.copies import CopiesFilter
from bitext_pivot.filters.final_punctuation import FinalPunctuationFilter
from bitext_pivot.filters.fragments import FragmentsFilter
from bitext_pivot.filters.invented import InventedFilter
from bitext_pivot.filters.joint import JointFilter
from bitext_pivot.filters.language import LanguageFilter
from bitext_pivot.filters.length import LengthFilter
from bitext_pivot.filters.names import NamesFilter
from bitext_pivot.filters.neural.bertscore import BertscoreFilter
from bitext_pivot.filters.neural.encoder import keep_vectors
from bitext_pivot.filters.neural.entailment import EntailmentFilter
from bitext_pivot.filters.neural.grading import JudgeFilter
from bitext_pivot.filters.neural.meaning import MeaningFilter
from bitext_pivot.filters.numbers import NumbersFilter
from bitext_pivot.filters.overlap import OverlapFilter
from bitext_pivot.filters.pasted import PastedFilter
from bitext_pivot.filters.repetition import RepetitionFilter
from bitext_pivot.filters.tags import TagsFilter
from bitext_pivot.filters.truncated import TruncatedFilter
from bitext_pivot.filters.uncovered import UncoveredFilter
from bitext_pivot.filters.untranslated import UntranslatedFilter
from bitext_pivot.filters.verbs import VerbsFilter
from bitext_pivot.filters.view import View

_TO_ADD = (
    "A filter of your own needs filters.own, such as my_filters.py:NoMuseum (docs/filters.md)."
)


class FilterSettings(Settings):
    """The settings of each filter, in the order in which they run: rule filters, then model-based filters."""

    pasted: PastedFilter = PastedFilter()
    """Sentences joined without a space."""
    components: ComponentsFilter = ComponentsFilter()
    """Sentences joined with a space, in `long`."""
    verbs: VerbsFilter = VerbsFilter()
    """Sentences without a verb."""
    overlap: OverlapFilter = OverlapFilter()
    """Too few words in common."""
    length: LengthFilter = LengthFilter()
    """Sentences too short or too long (strict)."""
    final_punctuation: FinalPunctuationFilter = FinalPunctuationFilter()
    """Missing final punctuation (strict)."""
    joint: JointFilter = JointFilter()
    """A cut inside a phrase, or missing punctuation in `long` (strict)."""
    fragments: FragmentsFilter = FragmentsFilter()
    """Sentences without a main clause (strict)."""
    tags: TagsFilter = TagsFilter()
    """Speaker's language codes, markup or mojibake (strict)."""
    language: LanguageFilter = LanguageFilter()
    """Untranslated text (strict)."""
    untranslated: UntranslatedFilter = UntranslatedFilter()
    """Single words left untranslated (strict)."""
    invented: InventedFilter = InventedFilter()
    """Words of a translation that exist nowhere (strict)."""
    repetition: RepetitionFilter = RepetitionFilter()
    """Words repeated over and over (strict)."""
    copies: CopiesFilter = CopiesFilter()
    """A half that says all of `long` (strict)."""
    content_overlap: ContentOverlapFilter = ContentOverlapFilter()
    """A half with too few words of `long` (strict)."""
    uncovered: UncoveredFilter = UncoveredFilter()
    """An end of `long` that no half has (strict)."""
    truncated: TruncatedFilter = TruncatedFilter()
    """A truncated half that ends in a full stop (strict)."""
    numbers: NumbersFilter = NumbersFilter()
    """Exchanged numbers (strict)."""
    names: NamesFilter = NamesFilter()
    """Exchanged names (strict)."""
    confidence: ConfidenceFilter = ConfidenceFilter()
    """Translations that the engine is unsure of (strict)."""
    bertscore: BertscoreFilter = Field(default=BertscoreFilter(), title="BERTScore")
    """Too little in common in meaning; needs a model."""
    meaning: MeaningFilter = MeaningFilter()
    """A half that means something else; needs a model (strict)."""
    entailment: EntailmentFilter = EntailmentFilter()
    """A half that does not follow; needs a model (checked, or if one is named)."""
    judge: JudgeFilter = JudgeFilter()
    """Pairs that a language model of a server finds faulty, last; off until it is named."""

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_fields(cls, values: Any) -> Any:
        if isinstance(values, dict):
            refuse_unknown_fields(cls, values, what="filter", advice=_TO_ADD)
        return values


Preset = Literal["rules", "paper", "strict", "checked"]


class Filters(Settings):
    """Which filters run, and their settings."""

    preset: Preset = "strict"
    """paper: the filters of the BiSECT paper; strict: more filters, for errors that these miss; checked: those
    of strict, and `entailment` with a model for the language, or in its place the `judge` that is named;
    rules: those of strict that need no model, for a first look."""
    own: list[str] = Field(default=[], title="Filters of your own")
    """Filters of your own, which run under any preset: a class in a file, `my_filters.py:NoMuseum`, or the
    name of one in an installed package. Their code is loaded if you name them on the command line or in
    BITEXT_PIVOT_FILTERS."""
    advanced: SerializeAsAny[FilterSettings] = Field(
        default=FilterSettings(), validate_default=True
    )
    """Thresholds and models of each filter."""

    @field_validator("own", mode="before")
    @classmethod
    def _name_classes(cls, values: Any) -> Any:
        """Replace classes, which only a call of the library can give, by their names."""
        if not isinstance(values, list | tuple):
            return values
        return [custom.register_class(value) for value in values]

    @field_validator("own")
    @classmethod
    def _load(cls, names: list[str]) -> list[str]:
        """Load the code of own filters. Raises SettingsError for what cannot be loaded, or may not."""
        custom.extend_settings(cls.model_fields["advanced"].annotation, names)
        return names

    @field_validator("advanced", mode="wrap")
    @classmethod
    def _add_own(
        cls, values: Any, validate: ModelWrapValidatorHandler[FilterSettings], info: ValidationInfo
    ) -> FilterSettings:
        """Read the settings of the user's own filters beside those of the others."""
        names = info.data.get("own")
        if names is None:  # refused
            return FilterSettings()
        if not names:
            return validate(values)
        form: type[FilterSettings] = custom.extend_settings(
            cls.model_fields["advanced"].annotation, names
        )
        if isinstance(values, FilterSettings):
            values = dict(values)
        with explained(
            "form of filters.own", ", ".join(names), ValidationError
        ):  # their validators
            return form.model_validate(values)

    @model_validator(mode="after")
    def _settings_are_used(self) -> Self:
        """Raise ValueError for settings of a filter that does not run, or an own one without its model."""
        for name, filter_ in self.advanced:
            with explained(f"filter {name}", filter_.ORIGIN):
                custom.validate_filter(filter_)
                is_changed = filter_ != type(self.advanced).model_fields[name].default
            if is_changed and filter_.is_on and not self._includes(filter_):
                raise ValueError(
                    f"advanced.{name} is set, and the preset {self.preset!r} does not have {name}: leave "
                    "it out, or choose another preset"
                )
            if filter_.ORIGIN and not filter_.is_on:
                raise ValueError(f"own names {name}, which is off: give advanced.{name}.model")
        return self

    def __reduce__(self) -> Any:
        """Return what the settings are made of again: forms with own filters are classes of this process."""
        if not self.own:
            return super().__reduce__()
        return type(self).model_validate, (self.model_dump(),)

    def for_language(self, language: str, device: DeviceChoice) -> Self:
        """Return the filters with what they need for a language and a device, such as a model, if none is set."""
        return self._with(
            {
                name: filter_.for_language(language, device)
                for name, filter_ in self._running().items()
            }
        )

    def with_measured_thresholds(self, language: str, runtime: Runtime) -> Self:
        """Return the filters with thresholds that are measured for models in a language, where none is set.

        Raises SettingsError if such a model cannot be loaded or cannot work.
        """
        return self._with(
            {
                name: filter_.with_measured_thresholds(language, runtime)
                for name, filter_ in self._running().items()
            }
        )

    def with_settings(self, **settings: Mapping[str, Any]) -> Self:
        """Return the filters with other values of some settings of some filters, by name."""
        filters = dict(self.advanced)
        return self._with(
            {name: filters[name].model_copy(update=values) for name, values in settings.items()}
        )

    def _with(self, filters: Mapping[str, Filter]) -> Self:
        """Return the filters with others in place of some, by name."""
        return self.model_copy(update={"advanced": self.advanced.model_copy(update=filters)})

    def active(self) -> dict[str, Filter]:
        """Return the filters that run under the preset, by name, in their order."""
        running = self._running()
        if self.preset == "paper":
            return {name: filter_.as_in_paper() for name, filter_ in running.items()}
        return running

    def _running(self) -> dict[str, Filter]:
        """Return the filters that run: rule filters, model-based filters, then those that run last."""
        included = [entry for entry in self.advanced if self._includes(entry[1])]
        return dict(sorted(included, key=lambda entry: _place(entry[1])))

    def _includes(self, filter_: Filter) -> bool:
        """Return True if the filter runs: the user's own ones do under any preset."""
        if filter_.ORIGIN:
            return filter_.is_on
        if not filter_.is_on and self.advanced.judge.is_on:
            return False  # what a preset adds, without a model that is named: the judge takes its place
        return filter_.runs_in(self.preset)

    @property
    def last_filters(self) -> dict[str, ComparingFilter]:
        """The filters that run last, by name."""
        return {name: model for name, model in self._models().items() if model.IS_LAST}

    @property
    def served_models(self) -> dict[str, str]:
        """The models of a server that filters ask, by filter."""
        models = self._models().items()
        return {name: model.served_model for name, model in models if model.served_model}

    def _of(self, kind: type[Filter]) -> dict[str, Any]:
        """Return the filters of a kind that run under the preset, by name."""
        return {
            name: filter_ for name, filter_ in self.active().items() if isinstance(filter_, kind)
        }

    def _models(self) -> dict[str, ComparingFilter]:
        return self._of(ComparingFilter)

    def score(self, pairs: Sequence[ParsedPair], runtime: Runtime) -> list[ScoredPair]:
        """Return every pair with its scores, in order. Model-based filters run on pairs that no rule filter rejects.

        Each runs on all of these, so that no score depends on the threshold of another model-based filter.
        Those that run last, which take longest or cost money, run only on pairs that all before them accept.
        """
        rows = zip(pairs, self.rule_scores(pairs), strict=True)
        scored = [ScoredPair(parsed=pair, scores=scores) for pair, scores in rows]
        later = self._models().keys()
        survivors = [pair for pair in scored if not self._is_rejected(pair.scores, later)]
        size = ModelFilter.BATCH_SIZES[runtime.device]
        for start in range(0, len(survivors), size):
            batch = survivors[start : start + size]
            with keep_vectors():
                self._score_by_models(batch, runtime)
            for name, model in self.last_filters.items():
                accepted = [pair for pair in batch if self.verdict(pair) is None]
                _add_scores(name, model, accepted, runtime)
        return scored

    def _is_rejected(self, scores: Mapping[str, float], later: Set[str]) -> bool:
        """Return True if a filter rejects a pair, and none of the filters `later` may overrule it."""
        return any(
            later.isdisjoint(filter_.overruled_by()) for _, filter_ in self._rejecting(scores)
        )

    def _score_by_models(self, pairs: Sequence[ScoredPair], runtime: Runtime) -> None:
        """Add the scores of the model-based filters but those that run last."""
        for name, model in self._models().items():
            if not model.IS_LAST:
                _add_scores(name, model, pairs, runtime)

    def thresholds(self) -> dict[str, dict[str, float]]:
        """Return the thresholds of the filters that run, by filter and setting; those that are not known are left out.

        For instance `{"overlap": {"min_overlap": 0.25}}`.
        """
        return {name: filter_.thresholds() for name, filter_ in self.active().items()}

    def rule_scores(self, pairs: Sequence[ParsedPair]) -> list[dict[str, float]]:
        """Return the scores of each pair by all rule filters that can measure it, by name."""
        views = [View(pair) for pair in pairs]
        found: list[dict[str, float]] = [{} for _ in pairs]
        for name, rule in self._of(RuleFilter).items():
            scores = [rule.measure(view) for view in views]
            if rule.ORIGIN and {*scores} == {None}:
                _say_unmeasured(name, rule.ORIGIN)
            for by_name, score in zip(found, scores, strict=True):
                if score is not None:
                    by_name[name] = float(score)
        return found

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
        If one runs last, so are those of all filters before it, which decide what it reads.
        """
        key = {name: filter_.score_settings() for name, filter_ in self.active().items()}
        if self.last_filters:
            for name in [*key][:-1]:
                key[name] |= self.active()[name].thresholds()
        return key

    def citations(self, runtime: Runtime) -> dict[str, str]:
        """Return what a paper cites of filters besides their signatures, by name."""
        texts = {name: filter_.citation(runtime) for name, filter_ in self.active().items()}
        return {name: text for name, text in texts.items() if text}

    def signature(self, runtime: Runtime) -> dict[str, str]:
        """Return what computes each score, by name.

        Raises SettingsError if a model cannot be loaded, or if a filter was given as a class.
        """
        custom.refuse_classes(self.own)
        signatures = {name: model.signature(runtime) for name, model in self._models().items()}
        for name, rule in self._of(RuleFilter).items():
            signatures[name] = name if rule.VERSION == 1 else f"{name} {rule.VERSION}"
        return {
            name: f"{signatures[name]} {filter_.ORIGIN}".strip()
            for name, filter_ in self.active().items()
        }


def _place(filter_: Filter) -> tuple[bool, bool]:
    """Return when a filter runs: rule filters, then model-based filters, then those that run last."""
    return isinstance(filter_, ComparingFilter), filter_.IS_LAST


@functools.cache
def _say_unmeasured(name: str, origin: str) -> None:
    """Warn of a filter of the user's own that gave no pair of a batch a score, once in a process."""
    warn(
        f"The filter {name} ({origin}) gave a whole batch of pairs None in place of a score, so they pass. "
        "Let `measure` return a number; None is for a pair without anything to measure."
    )


def _add_scores(
    name: str, model: ComparingFilter, pairs: Sequence[ScoredPair], runtime: Runtime
) -> None:
    """Add the scores of a model-based filter to pairs."""
    parsed = [pair.parsed for pair in pairs]
    with explained(f"filter {name}", model.ORIGIN):
        for pair, scores in zip(pairs, model.scores_by_name(parsed, runtime), strict=True):
            if scores:
                parts = {f"{name}.{part}": scores[part] for part in model.PARTS}
                pair.scores.update({name: scores["score"], **parts})


def _is_overruled(filter_: Filter, scores: Mapping[str, float]) -> bool:
    """Return True if another filter's score is high enough to overrule a rejection by this one."""
    return any(
        name in scores and scores[name] >= least for name, least in filter_.overruled_by().items()
    )
