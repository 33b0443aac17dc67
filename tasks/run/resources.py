"""Resources: everything that a build needs in addition to its settings, such as bitext, models and servers.

A form lists its resources. `check`, `plan` and the search for a finished build call the methods of each. A new kind of
input is a new class. Nothing here imports Prefect, because commands use resources before they start it.
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
    """One kind of resource, such as the spaCy pipeline. By default a method returns nothing."""

    def checks(self, site: Site) -> Checks:
        """Return functions that check that the resource exists, without downloading or loading anything.

        Models on the hub are not among them (see `located`).
        """
        return ()

    def pins(self, site: Site) -> dict[str, Any]:
        """Return new values for fields of the form: releases instead of `latest`, commits instead of branches."""
        return {}

    def models(self, site: Site) -> Sequence[Model]:
        """Return the models in Hugging Face's layout."""
        return ()

    def model_checks(self, site: Site) -> Checks:
        """Return checks that the models are on this machine or on the hub; they download nothing."""
        return [model.check for model in self.models(site)]

    def signature(self, site: Site) -> dict[str, Any]:
        """Return entries for the signature of the build. Models are downloaded if necessary.

        Raises SettingsError and SourceError.
        """
        return {}

    def versions(self, site: Site) -> dict[str, str]:
        """Return properties of this machine that can change rows, in addition to the versions of packages."""
        return {}

    def identity(self, site: Site) -> Mapping[str, Any] | None:
        """Return the identities of the sources on this machine, without a download.

        None means that no earlier build can be reused, for example because a model has to be downloaded.
        """
        if any(model.preview.missing for model in self.models(site)):
            return None
        return {}


@dataclass(frozen=True)
class BitextResource(Resource):
    """Releases of OPUS, and the user's own bitext."""

    bitext: Bitext

    def checks(self, site: Site) -> Checks:
        """Return the checks of the releases and of the user's files, which warn of texts in another language."""
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
        """Return the identities of the sources that are on this machine."""
        bitext = self.bitext.pinned(site)
        found: list[SourceFiles | None] = [opus.find(each, site) for each in bitext.releases()]
        found += [custom_bitext.locate_files(requested) for requested in bitext.custom_requests()]
        return sources.identities(archives for archives in found if archives is not None)


@dataclass(frozen=True)
class EngineResource(Resource):
    """The translation engine of a direction."""

    translation: Translation
    pivot: str
    language: str

    def checks(self, site: Site) -> Checks:
        """Return a check of the model if it is in a local folder."""
        return [partial(self.check, site)]

    def check(self, site: Site) -> None:
        """Raise SettingsError if the direction has no default model, or the model in a folder cannot translate it."""
        for model in self.models(site):
            if Path(model.name).is_dir():
                model.check()
                check_direction(open_checkpoint(model.name), self.pivot, self.language)

    def models(self, site: Site) -> list[Model]:
        """Return the model, if the engine has one."""
        return translation_models(self.translation, self.pivot, self.language)

    @property
    def pinned(self) -> Translation:
        """The translation settings, with the commit of a model on the hub."""
        for model in translation_models(self.translation, self.pivot, self.language):
            commit = model.preview.commit
            if commit:
                update = {"model": model.name, "revision": commit}
                return self.translation.model_copy(update=update)
        return self.translation

    def _engine(self, site: Site) -> LazyEngine:
        return engine_for(self.pinned, self.pivot, self.language, site)

    def pins(self, site: Site) -> dict[str, Any]:
        """Return the translation settings with the commit of a model on the hub."""
        return {"translation": self.pinned}

    def signature(self, site: Site) -> dict[str, Any]:
        """Return the signature of the engine."""
        return {"engine": self._engine(site).signature}

    def versions(self, site: Site) -> dict[str, str]:
        """Return the processor that computes the translations."""
        return processor(site)


@dataclass(frozen=True)
class ParserResource(Resource):
    """The spaCy pipeline of a language."""

    parser: Parser
    language: str

    def checks(self, site: Site) -> Checks:
        """Return the check of a pipeline in a folder. A missing package is a row of the plan."""
        return self.model_checks(site) if "/" in self.parser.pipeline_name(self.language) else []

    def model_checks(self, site: Site) -> Checks:
        """Return the check that the pipeline is installed."""

        def find() -> None:
            pipelines.find_pipeline(self.parser.pipeline_name(self.language))

        return [find]

    def signature(self, site: Site) -> dict[str, Any]:
        """Return the signature of the pipeline."""
        return {"parser": parser_signature(self.parser, self.language, site)}


@dataclass(frozen=True)
class FilterResource(Resource):
    """The models of the filters, and the endpoint that some filters send requests to."""

    filters: Filters
    language: str

    def checks(self, site: Site) -> Checks:
        """Return a check that an endpoint is set if a filter needs it."""
        return [partial(self._check_server, site)]

    def _check_server(self, site: Site) -> None:
        for name in self.filters.served_models:
            require_server(
                EndpointServer.from_site(site), f"filters.advanced.{name}.model names a model"
            )

    def _chosen(self, site: Site) -> Filters:
        """Return the filters with the default models for the language and the device of this machine."""
        return self.filters.for_language(self.language, site.device)

    def _pinned(self, site: Site) -> Filters:
        """Return the filters with their models, and with commits instead of branches for models on the hub."""
        found = {model.stage: model.preview.commit for model in self.models(site)}
        pins = {stage: {"revision": commit} for stage, commit in found.items() if commit}
        return self._chosen(site).with_settings(**pins)

    def models(self, site: Site) -> list[Model]:
        """Return the models of the active filters."""
        return filter_models(self._chosen(site))

    def pins(self, site: Site) -> dict[str, Any]:
        """Return the settings of the filters with their models, and with the commits of models on the hub."""
        return {"filters": self._pinned(site)}

    def signature(self, site: Site) -> dict[str, Any]:
        """Return the signatures of the active filters, and the citations of their models."""
        filters, runtime = self._pinned(site), Runtime.of(site)
        return {"filters": filters.signature(runtime), **filters.citations(runtime)}


def processor(site: Site) -> dict[str, str]:
    """Return the processor that computes translations, because the last digits of scores depend on it."""
    return {"processor": device.describe_processor(site.device)}
