"""Processing settings of a build, and its models: loaded, their sizes, what is missing here, the commits they have."""

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
"""The pipelines of one thread by parser and language: a spaCy pipeline adds to its string store while it works."""


@dataclass(frozen=True)
class Model:
    """A model in Hugging Face's layout that a build needs."""

    stage: str
    """`translate`, or the name of a filter."""
    name: str
    """A hub name, a folder, or an encoder that comes as a package."""
    revision: str | None

    @cached_property
    def preview(self) -> Preview:
        """Size of the model and what of it is missing here, without a download. Raises SettingsError, SourceError."""
        return hub.preview(self.name, **self._source)

    def check(self) -> None:
        """Raise SettingsError for a model that cannot be used, SourceError for one that is not here without the hub."""
        self.preview.bytes  # noqa: B018 -- is looked up

    def fetch(self) -> Path:
        """Download what is missing and return the model's folder. Raises SettingsError and SourceError."""
        return hub.fetch(self.name, **self._source).folder

    @property
    def _source(self) -> dict[str, Any]:
        if self.stage == "translate":
            return {"choose": choose_marian_files, "setting": SETTING, "revision": self.revision}
        setting = f"filters.advanced.{self.stage}.model"
        return {"choose": hub.choose_files, "setting": setting, "revision": self.revision}


@dataclass(frozen=True, kw_only=True)
class Processing:
    """Settings of a form except its bitext: the languages, and how alignments become pairs."""

    pivot: str
    language: str
    translation: Translation
    parser: Parser
    filters: Filters
    min_confidence: str = "not filtered"
    """Where the minimum confidence of translations comes from."""

    @cached_property
    def models(self) -> list[Model]:
        """The models of a build in the order of its stages. Raises SettingsError without a model for a direction."""
        translation = translation_models(self.translation, self.pivot, self.language)
        return [*translation, *filter_models(self.filters)]

    def engine(self, site: Site) -> LazyEngine:
        """Return the engine, as `engine_for` does."""
        return engine_for(self.translation, self.pivot, self.language, site)

    def calibrated(self, engine: str) -> Self:
        """Return the settings with a minimum confidence, if one is known, and where it comes from.

        `engine` is the engine's signature. Without a minimum, confidence is scored and rejects nothing.
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
                else f"none for {translation.engine}"
            )
            return replace(self, min_confidence=f"not filtered: {what}")
        filters = filters.with_settings(confidence={"min_confidence": minimum})
        note = f"{minimum:g}: measured for the model"
        return replace(self, filters=filters, min_confidence=note)

    def measured(self, site: Site) -> Self:
        """Return the settings with the thresholds that are measured for models on this machine.

        Raises SettingsError if such a model cannot be loaded or cannot work.
        """
        return replace(
            self, filters=self.filters.with_measured_thresholds(self.language, Runtime.of(site))
        )


def filter_models(filters: Filters) -> list[Model]:
    """Return the models of the active filters."""
    needed = {name: filter_.hub_model for name, filter_ in filters.active().items()}
    return [Model(stage, model.name, model.revision) for stage, model in needed.items() if model]


def pipeline_for(parser: Parser, language: str, site: Site) -> parsing.SpacyPipeline:
    """Return the pipeline of a language, loaded once per thread.

    Raises SettingsError as `parsing.load` does, and if its files have changed since its signature was made.
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
    """Return the signature of the pipeline of a language, the same for a whole process; it is not loaded."""
    return parsing.pipeline_signature(parser, language, site.device)


def forget() -> None:
    """Look at all models again, as a new process does: files may have changed since a build of this one."""
    hub.forget()
    vars(_loaded).clear()
    parser_signature.cache_clear()
    engine_for.cache_clear()


@functools.cache
def engine_for(settings: Translation, pivot: str, language: str, site: Site) -> LazyEngine:
    """Return the engine of a direction, which is loaded once per process, by the first who translates."""
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
    """Return the model of a direction, none for an engine without one."""
    if not translation.has_model:
        return []
    name = translation.model or default_opus_model(pivot, language)
    return [Model("translate", name, translation.revision)]


def table(processing: Processing) -> Table:
    """Return every model with its size and whether it is here, and the filters that measure nothing."""
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
    status = "yes" if folder else "no"
    rows.append(("parse", name, decimal(folders.size(folder)) if folder else "", status))
    language = processing.language
    active = processing.filters.active()
    silent = [name for name, each in active.items() if not each.supports_language(language)]
    note = ""
    if silent:
        note = (
            f"Without data of {english_name(language)} these measure nothing: {', '.join(silent)} "
            "(docs/languages.md)."
        )
    if any(row[3] not in {"", "yes"} for row in rows):
        note += f"{' ' * bool(note)}To download what is missing: {_download_command(processing)}"
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
        return model.stage, name, "unknown", "no, and the hub does not give it"
    except BuildError as error:
        return model.stage, name, "unknown", "no: " + str(error).partition(". ")[0]
    missing = f"no: {decimal(preview.download)} to download"
    return model.stage, name, decimal(preview.bytes), missing if preview.missing else "yes"


def commits(models: Iterable[Model]) -> dict[str, dict[str, str]]:
    """Return name and commit of each hub model, by stage; nothing for folders and packages."""
    found = [(model, model.preview.commit) for model in models]
    return {
        model.stage: {"model": model.name, "revision": commit} for model, commit in found if commit
    }


def fetch_all(processing: Processing) -> Iterator[str]:
    """Download all models that the settings name; yield a line per model, with its folder.

    Raises SettingsError for languages without defaults, SourceError for what cannot be downloaded.
    """
    for model in {model.name: model for model in processing.models}.values():
        yield f"{model.stage}  {model.name}  {model.fetch()}"
    pipeline = pipelines.install_pipeline(processing.parser.pipeline_name(processing.language))
    yield f"parse  {pipeline}  {pipelines.find_installed(pipeline)}"
