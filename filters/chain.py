"""Settings of all filters, and how a pair passes through the filters that run.

The name of a field of `FilterSettings` is also the name of the filter and of its score.
"""

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

_ADVICE = "To use a custom filter, name it in filters.own, such as my_filters.py:NoMuseum (docs/filters.md)."


class FilterSettings(Settings):
    """The settings of each filter, in the order of use: rule filters, then model-based filters."""

    pasted: PastedFilter = PastedFilter()
    """Sentences joined without a space."""
    components: ComponentsFilter = ComponentsFilter()
    """Sentences joined with a space."""
    verbs: VerbsFilter = VerbsFilter()
    """Sentences without a verb."""
    overlap: OverlapFilter = OverlapFilter()
    """Too few words in common."""
    length: LengthFilter = LengthFilter()
    """Sentences too short or too long (strict)."""
    final_punctuation: FinalPunctuationFilter = FinalPunctuationFilter()
    """Missing final punctuation (strict)."""
    joint: JointFilter = JointFilter()
    """A split inside a phrase, or a long sentence pasted together from two sentences (strict)."""
    fragments: FragmentsFilter = FragmentsFilter()
    """Sentences without a main clause (strict)."""
    tags: TagsFilter = TagsFilter()
    """Language codes of speakers, markup or mojibake (strict)."""
    language: LanguageFilter = LanguageFilter()
    """Untranslated text (strict)."""
    untranslated: UntranslatedFilter = UntranslatedFilter()
    """Single words left untranslated (strict)."""
    invented: InventedFilter = InventedFilter()
    """Invented words in a translation (strict)."""
    repetition: RepetitionFilter = RepetitionFilter()
    """Words repeated over and over (strict)."""
    copies: CopiesFilter = CopiesFilter()
    """A half of the split that repeats all of the long sentence (strict)."""
    content_overlap: ContentOverlapFilter = ContentOverlapFilter()
    """A half of the split that shares too few content words with the long sentence (strict)."""
    uncovered: UncoveredFilter = UncoveredFilter()
    """A sentence whose end has no counterpart on the other side (strict)."""
    truncated: TruncatedFilter = TruncatedFilter()
    """A half of the split that was truncated but ends in a full stop (strict)."""
    numbers: NumbersFilter = NumbersFilter()
    """Numbers that differ between the long sentence and its split (strict)."""
    names: NamesFilter = NamesFilter()
    """Names that differ between the long sentence and its split (strict)."""
    confidence: ConfidenceFilter = ConfidenceFilter()
    """Translations that the engine itself considers improbable (strict)."""
    bertscore: BertscoreFilter = Field(default=BertscoreFilter(), title="BERTScore")
    """A long sentence and a split with too little meaning in common; needs a model."""
    meaning: MeaningFilter = MeaningFilter()
    """A half of the split whose meaning is not in the long sentence; needs a model (strict)."""
    entailment: EntailmentFilter = EntailmentFilter()
    """A half of the split that does not follow from the long sentence; needs a model (checked, or if a model is
    named)."""
    judge: JudgeFilter = JudgeFilter()
    """Pairs that a language model on a server finds faulty. This filter runs last, and only if a model is named."""

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_fields(cls, values: Any) -> Any:
        if isinstance(values, dict):
            refuse_unknown_fields(cls, values, what="filter", advice=_ADVICE)
        return values


Preset = Literal["rules", "paper", "strict", "checked"]


class Filters(Settings):
    """The choice of the filters that run, and their settings."""

    preset: Preset = "strict"
    """`paper`: the filters of the BiSECT paper. `strict`: more filters, for errors that the paper's filters miss.
    `checked`: the filters of `strict`, and the filter `entailment` with a model for the language, or instead the
    filter `judge` if its model is named. `rules`: the filters of `strict` that need no model, for a first look."""
    own: list[str] = Field(default=[], title="Custom filters")
    """Custom filters, which run under any preset: a class in a file, such as `my_filters.py:NoMuseum`, or the
    name of a filter in an installed package. Their code is loaded only if you name them on the command line or in
    BITEXT_PIVOT_FILTERS."""
    advanced: SerializeAsAny[FilterSettings] = Field(
        default=FilterSettings(), validate_default=True
    )
    """Thresholds and models of each filter."""

    @field_validator("own", mode="before")
    @classmethod
    def _name_classes(cls, values: Any) -> Any:
        """Replace filter classes with their names.

        Python programs can pass classes in `own`. Values from the command line or the form are names already.
        """
        if not isinstance(values, list | tuple):
            return values
        return [custom.register_class(value) for value in values]

    @field_validator("own")
    @classmethod
    def _load_custom_filters(cls, names: list[str]) -> list[str]:
        """Load the code of the custom filters, and return their names unchanged.

        Raises SettingsError if the code cannot be loaded, or the user has not allowed it.
        """
        custom.extend_settings(cls.model_fields["advanced"].annotation, names)
        return names

    @field_validator("advanced", mode="wrap")
    @classmethod
    def _validate_advanced(
        cls, values: Any, validate: ModelWrapValidatorHandler[FilterSettings], info: ValidationInfo
    ) -> FilterSettings:
        """Validate the settings of each filter, built-in or custom."""
        names = info.data.get("own")
        if names is None:  # `own` is invalid, which is reported
            return FilterSettings()
        if not names:
            return validate(values)
        form: type[FilterSettings] = custom.extend_settings(
            cls.model_fields["advanced"].annotation, names
        )
        if isinstance(values, FilterSettings):
            values = dict(values)
        # The validators of custom filters may raise any exception.
        with explained("form of filters.own", ", ".join(names), ValidationError):
            return form.model_validate(values)

    @model_validator(mode="after")
    def _refuse_unused_settings(self) -> Self:
        """Raise ValueError if a filter that does not run has settings, or a custom filter lacks a model."""
        for name, filter_ in self.advanced:
            with explained(f"custom filter {name!r}", filter_.ORIGIN):
                custom.validate_filter(filter_)
                is_changed = filter_ != type(self.advanced).model_fields[name].default
            if is_changed and filter_.is_on and not self._includes(filter_):
                raise ValueError(
                    f"advanced.{name} is set, but the preset {self.preset!r} does not run {name}. Remove the "
                    "setting, or choose another preset."
                )
            if filter_.ORIGIN and not filter_.is_on:
                raise ValueError(
                    f"own names {name}, which needs a model. Set advanced.{name}.model."
                )
        return self

    def __reduce__(self) -> Any:
        """Pickle as plain values: the settings class of custom filters exists only in this process."""
        if not self.own:
            return super().__reduce__()
        return type(self).model_validate, (self.model_dump(),)

    def for_language(self, language: str, device: DeviceChoice) -> Self:
        """Return a copy with the default models for the language and device, unless models are set."""
        return self._with(
            {
                name: filter_.for_language(language, device)
                for name, filter_ in self._running().items()
            }
        )

    def with_measured_thresholds(self, language: str, runtime: Runtime) -> Self:
        """Return a copy with thresholds that were measured for the models, unless the user set them.

        Raises SettingsError if a model cannot be loaded or fails its self-check.
        """
        return self._with(
            {
                name: filter_.with_measured_thresholds(language, runtime)
                for name, filter_ in self._running().items()
            }
        )

    def with_settings(self, **settings: Mapping[str, Any]) -> Self:
        """Return a copy with other values for some settings of filters.

        For instance `filters.with_settings(overlap={"min_overlap": 0.3})`.
        """
        filters = dict(self.advanced)
        return self._with(
            {name: filters[name].model_copy(update=values) for name, values in settings.items()}
        )

    def _with(self, filters: Mapping[str, Filter]) -> Self:
        """Return a copy in which `filters` replaces the filters of the same names."""
        return self.model_copy(update={"advanced": self.advanced.model_copy(update=filters)})

    def active(self) -> dict[str, Filter]:
        """Return the filters that run, by name, in the order in which they run."""
        running = self._running()
        if self.preset == "paper":
            return {name: filter_.as_in_paper() for name, filter_ in running.items()}
        return running

    def _running(self) -> dict[str, Filter]:
        """Return the filters that run, before `as_in_paper` adapts them to the preset `paper`."""
        included = [entry for entry in self.advanced if self._includes(entry[1])]
        return dict(sorted(included, key=lambda entry: _running_order(entry[1])))

    def _includes(self, filter_: Filter) -> bool:
        """Return True if the filter runs under the preset. Custom filters run under any preset."""
        if filter_.ORIGIN:
            return filter_.is_on
        if not filter_.is_on and self.advanced.judge.is_on:
            return False  # `judge` replaces model-based filters that only the preset turns on
        return filter_.runs_in(self.preset)

    @property
    def last_filters(self) -> dict[str, ComparingFilter]:
        """The filters that score only pairs accepted by all other filters, by name."""
        return {name: model for name, model in self._model_filters().items() if model.IS_LAST}

    @property
    def served_models(self) -> dict[str, str]:
        """Names of the models on the endpoint, by the name of the filter that uses the model."""
        models = self._model_filters().items()
        return {name: model.served_model for name, model in models if model.served_model}

    def _active_of(self, kind: type[Filter]) -> dict[str, Any]:
        """Return the filters that run and are instances of `kind`, by name."""
        return {
            name: filter_ for name, filter_ in self.active().items() if isinstance(filter_, kind)
        }

    def _model_filters(self) -> dict[str, ComparingFilter]:
        return self._active_of(ComparingFilter)

    def score(self, pairs: Sequence[ParsedPair], runtime: Runtime) -> list[ScoredPair]:
        """Return every pair with its scores, in order.

        All rule filters score every pair. Model-based filters score all pairs that no rule filter has finally
        rejected, so no score depends on the threshold of another model-based filter. The exceptions are filters that
        are slow or cost money (`last_filters`): they score only pairs that all other filters accept.
        """
        rows = zip(pairs, self.rule_scores(pairs), strict=True)
        scored = [ScoredPair(parsed=pair, scores=scores) for pair, scores in rows]
        later = self._model_filters().keys()
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
        """Return True if a filter rejects the pair and none in `later` may overrule this."""
        return any(
            later.isdisjoint(filter_.overruled_by()) for _, filter_ in self._rejecting(scores)
        )

    def _score_by_models(self, pairs: Sequence[ScoredPair], runtime: Runtime) -> None:
        """Add to each pair the scores of all model-based filters except `last_filters`."""
        for name, model in self._model_filters().items():
            if not model.IS_LAST:
                _add_scores(name, model, pairs, runtime)

    def thresholds(self) -> dict[str, dict[str, float]]:
        """Return the thresholds of the filters that run, by filter and setting.

        For instance `{"overlap": {"min_overlap": 0.25}}`. Thresholds without a value are left out.
        """
        return {name: filter_.thresholds() for name, filter_ in self.active().items()}

    def rule_scores(self, pairs: Sequence[ParsedPair]) -> list[dict[str, float]]:
        """Return the scores of each pair by rule filter, omitting filters that cannot measure it."""
        views = [View(pair) for pair in pairs]
        rows: list[dict[str, float]] = [{} for _ in pairs]
        for name, rule in self._active_of(RuleFilter).items():
            scores = [rule.measure(view) for view in views]
            if rule.ORIGIN and {*scores} == {None}:
                _warn_unmeasured(name, rule.ORIGIN)
            for by_name, score in zip(rows, scores, strict=True):
                if score is not None:
                    by_name[name] = float(score)
        return rows

    def verdict(self, scored: ScoredPair) -> str | None:
        """Return the name of the first filter that rejects a scored pair, or None if all accept it."""
        for name, filter_ in self._rejecting(scored.scores):
            if not _is_overruled(filter_, scored.scores):
                return name
        return None

    def _rejecting(self, scores: Mapping[str, float]) -> Iterator[tuple[str, Filter]]:
        """Yield the name of each filter whose thresholds a score violates, with the filter."""
        for name, filter_ in self.active().items():
            if name in scores and not filter_.accepts(scores[name]):
                yield name, filter_

    def scoring_key(self) -> dict[str, Any]:
        """Return the settings that the stored scores of a build depend on, by filter.

        The thresholds of rule filters are included, because they decide which pairs model-based filters score. For the
        same reason, the thresholds of model-based filters are included if one of the `last_filters` runs after them.
        """
        key = {name: filter_.score_settings() for name, filter_ in self.active().items()}
        if self.last_filters:
            for name in [*key][:-1]:
                key[name] |= self.active()[name].thresholds()
        return key

    def citations(self, runtime: Runtime) -> dict[str, str]:
        """Return the texts by which a paper should cite the filters, by name.

        Filters whose name is enough are left out.
        """
        texts = {name: filter_.citation(runtime) for name, filter_ in self.active().items()}
        return {name: text for name, text in texts.items() if text}

    def signature(self, runtime: Runtime) -> dict[str, str]:
        """Return a string for each filter that runs, which identifies what its scores depend on.

        Raises SettingsError if a model cannot be loaded, or if a Python program passed a custom filter as a class
        instead of naming its file or package.
        """
        custom.refuse_classes(self.own)
        signatures = {
            name: model.signature(runtime) for name, model in self._model_filters().items()
        }
        for name, rule in self._active_of(RuleFilter).items():
            signatures[name] = name if rule.VERSION == 1 else f"{name} {rule.VERSION}"
        return {
            name: f"{signatures[name]} {filter_.ORIGIN}".strip()
            for name, filter_ in self.active().items()
        }


def _running_order(filter_: Filter) -> tuple[bool, bool]:
    """Return a sort key for the order: rule filters, model-based filters, last filters."""
    return isinstance(filter_, ComparingFilter), filter_.IS_LAST


@functools.cache
def _warn_unmeasured(name: str, origin: str) -> None:
    """Warn, once per process, that a custom filter returned None for every pair of a batch."""
    warn(
        f"The filter {name} ({origin}) returned None instead of a score for all pairs of a batch, so they pass. "
        "Let `measure` return a number; None is only for a pair in which there is nothing to measure."
    )


def _add_scores(
    name: str, model: ComparingFilter, pairs: Sequence[ScoredPair], runtime: Runtime
) -> None:
    """Compute the scores of one model-based filter, and add them to the pairs."""
    parsed = [pair.parsed for pair in pairs]
    with explained(f"custom filter {name!r}", model.ORIGIN):
        for pair, scores in zip(pairs, model.scores_by_name(parsed, runtime), strict=True):
            if scores:
                parts = {f"{name}.{part}": scores[part] for part in model.PARTS}
                pair.scores.update({name: scores["score"], **parts})


def _is_overruled(filter_: Filter, scores: Mapping[str, float]) -> bool:
    """Return True if another filter's score is high enough to overrule a rejection by `filter_`."""
    return any(
        name in scores and scores[name] >= least for name, least in filter_.overruled_by().items()
    )
