"""Resources: everything that a build needs in addition to its settings, such as bitext, models and servers.

The settings of a recipe list its resources (`RecipeForm.resources`). `check`, `plan` and the search for a finished
build call the methods of each resource. A new kind of input is a new class. Nothing here imports Prefect, because
commands use resources before they start it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bitext_pivot.alignments import custom_bitext, opus, sources
from bitext_pivot.alignments.availability import check_exists
from bitext_pivot.alignments.bitext import Bitext
from bitext_pivot.alignments.sources import SourceFiles
from bitext_pivot.core.endpoint_server import EndpointServer, require_server
from bitext_pivot.core.hub import device
from bitext_pivot.core.site import Site
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.chain import Filters
from bitext_pivot.syntax import pipelines
from bitext_pivot.syntax.parsing import Parser
from bitext_pivot.tasks.run.loaded_models import (
    Model,
    engine_for,
    filter_models,
    parser_signature,
    translation_models,
)
from bitext_pivot.translation.checkpoint import open_checkpoint
from bitext_pivot.translation.directions import check_direction
from bitext_pivot.translation.engine import LazyEngine
from bitext_pivot.translation.models import Translation

ResourceCheck = Callable[[], Sequence[str] | None]
"""A function that raises a BuildError, or returns warnings for the log and the card."""
Checks = Sequence[ResourceCheck]


class Resource:
    """Base class of resources, such as the spaCy pipeline. By default, all methods return empty values."""

    def checks(self, site: Site) -> Checks:
        """Return functions that check that the resource exists, without a download.

        Models on the hub are not checked here, but by `model_checks`.
        """
        return ()

    def pins(self, site: Site) -> dict[str, Any]:
        """Return new values, with exact versions, for the settings that describe this resource.

        For example, `latest` is replaced with the name of a release. The keys are names of settings.
        """
        return {}

    def models(self, site: Site) -> Sequence[Model]:
        """Return the models in Hugging Face's layout that the resource needs."""
        return ()

    def model_checks(self, site: Site) -> Checks:
        """Return checks that the models are on this machine or on the hub. Nothing is downloaded."""
        return [model.check for model in self.models(site)]

    def signature(self, site: Site) -> dict[str, Any]:
        """Return what the resource adds to the build's signature: versions that can change rows.

        Models are downloaded if necessary. Raises SettingsError and SourceError.
        """
        return {}

    def versions(self, site: Site) -> dict[str, str]:
        """Return facts about this machine that can change scores, such as the processor."""
        return {}

    def identity(self, site: Site) -> Mapping[str, Any] | None:
        """Return facts that identify the content of local sources, by the name of the source.

        Returns None if no earlier build can be reused, for example because a model is not on this machine.
        """
        if any(model.preview.missing for model in self.models(site)):
            return None
        return {}


@dataclass(frozen=True)
class BitextResource(Resource):
    """Releases of OPUS, and the user's own bitext."""

    bitext: Bitext

    def checks(self, site: Site) -> Checks:
        """Return checks of the releases and the user's files, including the language of texts."""
        bitext = self.bitext.pinned(site)
        releases = bitext.releases()
        return [
            *(partial(sources.check_splitters, release) for release in releases),
            *(partial(check_exists, release, site) for release in releases),
            *(
                partial(custom_bitext.inspect_beginning, requested)
                for requested in bitext.custom_requests()
            ),
        ]

    def pins(self, site: Site) -> dict[str, Any]:
        """Return the corpora, each with the version of its release."""
        return {"corpora": self.bitext.pinned(site).corpora}

    def identity(self, site: Site) -> dict[str, Any]:
        """Return facts that identify the content of each source that is on this machine."""
        bitext = self.bitext.pinned(site)
        found: list[SourceFiles | None] = [opus.find(each, site) for each in bitext.releases()]
        found += [custom_bitext.locate_files(requested) for requested in bitext.custom_requests()]
        return sources.identities(archives for archives in found if archives is not None)


@dataclass(frozen=True)
class EngineResource(Resource):
    """The engine that translates from the pivot language to the language of the pairs."""

    translation: Translation
    pivot: str
    language: str

    def checks(self, site: Site) -> Checks:
        """Return a check of the translation model, which only concerns a local folder."""
        return [partial(self.check, site)]

    def check(self, site: Site) -> None:
        """Raise SettingsError if a local model does not translate from `pivot` to `language`.

        Also raised if no model is named and there is no default model for these languages.
        """
        for model in self.models(site):
            if Path(model.name).is_dir():
                model.check()
                check_direction(open_checkpoint(model.name), self.pivot, self.language)

    def models(self, site: Site) -> list[Model]:
        """Return the translation model in a list, which is empty for an engine without a model."""
        return translation_models(self.translation, self.pivot, self.language)

    @property
    def pinned(self) -> Translation:
        """The translation settings. If the model is on the hub, its commit replaces a branch or tag."""
        for model in translation_models(self.translation, self.pivot, self.language):
            commit = model.preview.commit
            if commit:
                update = {"model": model.name, "revision": commit}
                return self.translation.model_copy(update=update)
        return self.translation

    def _engine(self, site: Site) -> LazyEngine:
        return engine_for(self.pinned, self.pivot, self.language, site)

    def pins(self, site: Site) -> dict[str, Any]:
        """Return the translation settings. If the model is on the hub, they contain its commit."""
        return {"translation": self.pinned}

    def signature(self, site: Site) -> dict[str, Any]:
        """Return the signature of the engine: its kind, its model and its decoding settings."""
        return {"engine": self._engine(site).signature}

    def versions(self, site: Site) -> dict[str, str]:
        """Return the type of processor that computes the translations."""
        return processor(site)


@dataclass(frozen=True)
class ParserResource(Resource):
    """The spaCy pipeline of a language."""

    parser: Parser
    language: str

    def checks(self, site: Site) -> Checks:
        """Return a check of a pipeline in a local folder.

        The plan shows whether a package is missing.
        """
        return self.model_checks(site) if "/" in self.parser.pipeline_name(self.language) else []

    def model_checks(self, site: Site) -> Checks:
        """Return a check that the spaCy pipeline is installed."""

        def find() -> None:
            pipelines.find_pipeline(self.parser.pipeline_name(self.language))

        return [find]

    def signature(self, site: Site) -> dict[str, Any]:
        """Return the name, versions and digest of the spaCy pipeline."""
        return {"parser": parser_signature(self.parser, self.language, site)}


@dataclass(frozen=True)
class FilterResource(Resource):
    """The models of the filters, and the endpoint that some filters send requests to."""

    filters: Filters
    language: str

    def checks(self, site: Site) -> Checks:
        """Return a check that BITEXT_PIVOT_ENDPOINT is set if a filter needs an endpoint."""
        return [partial(self._check_server, site)]

    def _check_server(self, site: Site) -> None:
        for name in self.filters.served_models:
            require_server(
                EndpointServer.from_site(site), f"filters.advanced.{name}.model names a model"
            )

    def _chosen(self, site: Site) -> Filters:
        """Return the filters with the default models for the language and the device."""
        return self.filters.for_language(self.language, site.device)

    def _pinned(self, site: Site) -> Filters:
        """Return the filters with all models filled in, and with the commits of models on the hub."""
        found = {model.stage: model.preview.commit for model in self.models(site)}
        pins = {stage: {"revision": commit} for stage, commit in found.items() if commit}
        return self._chosen(site).with_settings(**pins)

    def models(self, site: Site) -> list[Model]:
        """Return the models that the active filters need."""
        return filter_models(self._chosen(site))

    def pins(self, site: Site) -> dict[str, Any]:
        """Return the filter settings with all models filled in, and with commits of hub models."""
        return {"filters": self._pinned(site)}

    def signature(self, site: Site) -> dict[str, Any]:
        """Return the settings and versions of each active filter, and the citations of the models."""
        filters, runtime = self._pinned(site), Runtime.of(site)
        return {"filters": filters.signature(runtime), **filters.citations(runtime)}


def processor(site: Site) -> dict[str, str]:
    """Return the type of processor, because the last digits of scores depend on it."""
    return {"processor": device.describe_processor(site.device)}
