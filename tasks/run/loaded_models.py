"""The settings that turn alignments into pairs, and the models that they name: sizes, downloads and loading."""

import functools
import shlex
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Self

from rich.filesize import decimal

from bitext_pivot.core.command_names import program_path
from bitext_pivot.core.endpoint_server import EndpointServer
from bitext_pivot.core.errors import BuildError, SourceError
from bitext_pivot.core.hub import hub
from bitext_pivot.core.hub.preview import Preview
from bitext_pivot.core.languages import english_name
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import folders
from bitext_pivot.core.tables import Table
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.chain import Filters
from bitext_pivot.syntax import parsing, pipelines
from bitext_pivot.syntax.parsing import Parser
from bitext_pivot.translation.checkpoint import SETTING, choose_marian_files
from bitext_pivot.translation.directions import default_opus_model
from bitext_pivot.translation.engine import LazyEngine
from bitext_pivot.translation.models import Translation, measured_min_confidence, prepare_engine

_loaded = threading.local()
"""The loaded spaCy pipelines of each thread, by parser and language. Threads cannot share a pipeline, because parsing
changes its string store."""


@dataclass(frozen=True)
class Model:
    """A model that a build needs. Its files have the layout of Hugging Face."""

    stage: str
    """`translate`, or the name of the filter that uses the model."""
    name: str
    """A name on the Hugging Face hub, a folder, or the name of an encoder that is installed as a package."""
    revision: str | None
    """Branch, tag or commit on the Hugging Face hub. None means the default branch."""

    @cached_property
    def preview(self) -> Preview:
        """The required and the missing files of the model, with their sizes. Nothing is downloaded.

        Raises SettingsError and SourceError.
        """
        return hub.preview(self.name, **self._source)

    def check(self) -> None:
        """Check that the model is on this machine or on the hub. Nothing is downloaded.

        Raises SettingsError if the model cannot be used, and SourceError if the hub is needed but cannot be reached.
        """
        self.preview.bytes  # noqa: B018 -- computing the property checks the model

    def fetch(self) -> Path:
        """Download the missing files and return the model's folder.

        Raises SettingsError and SourceError.
        """
        return hub.fetch(self.name, **self._source).folder

    @property
    def _source(self) -> dict[str, Any]:
        if self.stage == "translate":
            return {"choose": choose_marian_files, "setting": SETTING, "revision": self.revision}
        setting = f"filters.advanced.{self.stage}.model"
        return {"choose": hub.choose_files, "setting": setting, "revision": self.revision}


@dataclass(frozen=True, kw_only=True)
class Processing:
    """The settings that turn alignments into pairs: languages, translation, parser and filters."""

    pivot: str
    language: str
    translation: Translation
    parser: Parser
    filters: Filters
    min_confidence: str = "not filtered"
    """Text for the plan and the card: the minimum confidence of translations, and where it comes from."""

    @cached_property
    def models(self) -> list[Model]:
        """The models of a build, in the order of its stages.

        Raises SettingsError if there is no default model for the translation direction.
        """
        translation = translation_models(self.translation, self.pivot, self.language)
        return [*translation, *filter_models(self.filters)]

    def engine(self, site: Site) -> LazyEngine:
        """Return the translation engine of these settings (see `engine_for`)."""
        return engine_for(self.translation, self.pivot, self.language, site)

    def calibrated(self, engine: str) -> Self:
        """Return the settings with the minimum confidence of translations.

        `engine` is an engine's signature. If the settings contain no minimum, the minimum that was measured for the
        engine's model is used. Without such a minimum, the filter `confidence` computes scores but rejects no pair.
        """
        filters, translation = self.filters, self.translation
        if "confidence" not in filters.active():
            return self
        chosen = filters.thresholds()["confidence"].get("min_confidence")
        if chosen is not None:
            return replace(self, min_confidence=f"{chosen:g}: set")
        minimum = measured_min_confidence(engine)
        if minimum is None:
            what = (
                "no minimum is measured for the model"
                if translation.has_model
                else f"the engine {translation.engine} has no minimum"
            )
            return replace(self, min_confidence=f"not filtered: {what}")
        filters = filters.with_settings(confidence={"min_confidence": minimum})
        note = f"{minimum:g}: measured for the model"
        return replace(self, filters=filters, min_confidence=note)

    def measured(self, site: Site) -> Self:
        """Return the settings with the thresholds that filters measure on this machine.

        Raises SettingsError if a model cannot be loaded or fails its self-check.
        """
        return replace(
            self, filters=self.filters.with_measured_thresholds(self.language, Runtime.of(site))
        )


def filter_models(filters: Filters) -> list[Model]:
    """Return the models that the active filters need."""
    needed = {name: filter_.hub_model for name, filter_ in filters.active().items()}
    return [Model(stage, model.name, model.revision) for stage, model in needed.items() if model]


def pipeline_for(parser: Parser, language: str, site: Site) -> parsing.SpacyPipeline:
    """Return the spaCy pipeline of a language, loaded once per thread.

    Raises SettingsError if the pipeline cannot be loaded, or if its files have changed since its signature was
    computed.
    """
    if not hasattr(_loaded, "pipelines"):
        _loaded.pipelines = {}
    if (parser, language) not in _loaded.pipelines:
        _loaded.pipelines[parser, language] = parsing.load_pipeline(parser, language, site.device)
    pipeline: parsing.SpacyPipeline = _loaded.pipelines[parser, language]
    name = parser.pipeline_name(language)
    hub.refuse_changed(
        pipelines.find_pipeline(name), parser_signature(parser, language, site), pipeline.signature
    )
    return pipeline


@functools.cache
def parser_signature(parser: Parser, language: str, site: Site) -> str:
    """Return the name, versions and digest that identify a spaCy pipeline, without loading it.

    They are computed once per process.
    """
    return parsing.pipeline_signature(parser, language, site.device)


def clear_model_caches() -> None:
    """Clear the caches of models, because files may have changed since the last build."""
    hub.clear_previews()
    vars(_loaded).clear()
    parser_signature.cache_clear()
    engine_for.cache_clear()


@functools.cache
def engine_for(settings: Translation, pivot: str, language: str, site: Site) -> LazyEngine:
    """Return the translation engine from `pivot` to `language`. The first translation loads it.

    There is one engine per process for each combination of arguments.
    """
    return prepare_engine(
        settings,
        pivot,
        language,
        models_folder=site.models_folder,
        threads=site.threads,
        device=site.device,
        server=EndpointServer.from_site(site),
    )


def translation_models(translation: Translation, pivot: str, language: str) -> list[Model]:
    """Return a list with the model that translates from `pivot` to `language`.

    The list is empty if the engine does not load a model in Hugging Face's layout, like the engine `endpoint`.
    """
    if not translation.has_model:
        return []
    name = translation.model or default_opus_model(pivot, language)
    return [Model("translate", name, translation.revision)]


def model_table(processing: Processing) -> Table:
    """Return a table of the models with stage, name, size and whether they are on this machine.

    The note below the table lists the filters that do not support the language, and the command that downloads missing
    models.
    """
    rows = [_row(model) for model in processing.models]
    if not processing.translation.has_model:
        rows.insert(
            0,
            (
                "translate",
                f"{processing.translation.engine} {processing.translation.model or ''}".strip(),
                "",
                "",
            ),
        )
    for stage, served in processing.filters.served_models.items():
        rows.append((stage, served, "", ""))
    name = processing.parser.pipeline_name(processing.language)
    folder = pipelines.find_installed(name)
    status = "yes" if folder else "no: not installed"
    rows.append(("parse", name, decimal(folders.size(folder)) if folder else "", status))
    language = processing.language
    active = processing.filters.active()
    silent = [name for name, each in active.items() if not each.supports_language(language)]
    note = ""
    if silent:
        note = (
            f"These filters do not support {english_name(language)} and measure nothing: {', '.join(silent)} "
            "(docs/languages.md)."
        )
    if any(row[3] not in {"", "yes"} for row in rows):
        note += f"{' ' * bool(note)}To download the missing models: {_download_command(processing)}"
    head = ("stage", "model", "size", "on this machine")
    return Table(title="Models", head=head, rows=rows, note=note)


def _download_command(processing: Processing) -> str:
    """Return the command that downloads the models of a build."""
    fields = {"engine", "model", "revision"}
    translation = processing.translation.model_dump(include=fields, exclude_defaults=True)
    options = {f"--translation.{name}": value for name, value in translation.items()}
    if processing.parser.pipeline:
        options["--parser.pipeline"] = processing.parser.pipeline
    if processing.filters.preset == "checked":
        options["--preset"] = "checked"
    words = [program_path("bitext-pivot"), "models", processing.pivot, processing.language]
    return shlex.join([*words, *chain.from_iterable(options.items())])


def _row(model: Model) -> tuple[str, str, str, str]:
    name = f"{model.name} ({model.revision})" if model.revision else model.name
    try:
        preview = model.preview
    except SourceError:
        return model.stage, name, "unknown", "no, and the hub does not serve it"
    except BuildError as error:
        return model.stage, name, "unknown", "no: " + str(error).partition(". ")[0]
    missing = f"no: {decimal(preview.download)} to download"
    return model.stage, name, decimal(preview.bytes), missing if preview.missing else "yes"


def commits(models: Iterable[Model]) -> dict[str, dict[str, str]]:
    """Return the name and the commit of each model that comes from the hub, by stage."""
    found = [(model, model.preview.commit) for model in models]
    return {
        model.stage: {"model": model.name, "revision": commit} for model, commit in found if commit
    }


def fetch_all(processing: Processing) -> Iterator[str]:
    """Download all models of the settings, and yield one line per model: stage, name and folder.

    Raises SettingsError if a language has no default model, SourceError if a model cannot be downloaded.
    """
    for model in {model.name: model for model in processing.models}.values():
        yield f"{model.stage}  {model.name}  {model.fetch()}"
    pipeline = pipelines.install_pipeline(processing.parser.pipeline_name(processing.language))
    yield f"parse  {pipeline}  {pipelines.find_installed(pipeline)}"
