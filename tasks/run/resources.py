"""Resources: what a build needs besides its settings. Each kind is checked, pinned and signed in one place.

A form lists its resources; `check`, `plan` and the short cut of finished builds loop over them. A new kind of input is
one more class. Nothing here imports Prefect: commands ask before they do.
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
from bitext_pivot.tasks.run.models import (
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
"""A function that raises BuildErrors, or returns warnings for log and card."""
Checks = Sequence[ResourceCheck]


class Resource:
    """What a build needs of one kind. A method that a kind does not define has nothing to do."""

    def checks(self, site: Site) -> Checks:
        """Return checks that what is named is there, but models of the hub: they download nothing and load nothing."""
        return ()

    def pins(self, site: Site) -> dict[str, Any]:
        """Return the fields of the form that change: releases in place of `latest`, commits in place of branches."""
        return {}

    def models(self, site: Site) -> Sequence[Model]:
        """Return the models in Hugging Face's layout."""
        return ()

    def located(self, site: Site) -> Sequence[Model]:
        """Return the models that are to be located."""
        return self.models(site)

    def signature(self, site: Site) -> dict[str, Any]:
        """Return what enters the signature of a build, with models downloaded. Raises SettingsError, SourceError."""
        return {}

    def versions(self, site: Site) -> dict[str, str]:
        """Return what else of this machine decides the rows, besides the versions of packages."""
        return {}

    def identity(self, site: Site) -> Mapping[str, Any] | None:
        """Return the identities of the sources that are here, without a download; None if a build has to begin."""
        if any(model.preview.missing for model in self.models(site)):
            return None
        return {}


@dataclass(frozen=True)
class Corpora(Resource):
    """Releases of OPUS and bitext of the user."""

    bitext: Bitext

    def checks(self, site: Site) -> Checks:
        """Return the checks of releases and of the user's files; these warn of texts in another language."""
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
        """Return the corpora with their releases."""
        return {"corpora": self.bitext.pinned(site).corpora}

    def identity(self, site: Site) -> dict[str, Any]:
        """Return the identities of the sources that are here."""
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
        """Return the check of a model in a folder."""
        return [partial(self.check, site)]

    def check(self, site: Site) -> None:
        """Raise SettingsError for a direction without a model, and for a folder without a model for the direction."""
        for model in self.models(site):
            if Path(model.name).is_dir():
                model.check()
                check_direction(open_checkpoint(model.name), self.pivot, self.language)

    def models(self, site: Site) -> list[Model]:
        """Return the model, if the engine has one."""
        return translation_models(self.translation, self.pivot, self.language)

    @property
    def pinned(self) -> Translation:
        """The settings with the commit of a hub model."""
        for model in translation_models(self.translation, self.pivot, self.language):
            commit = model.preview.commit
            if commit:
                update = {"model": model.name, "revision": commit}
                return self.translation.model_copy(update=update)
        return self.translation

    def _engine(self, site: Site) -> LazyEngine:
        return engine_for(self.pinned, self.pivot, self.language, site)

    def pins(self, site: Site) -> dict[str, Any]:
        """Return the settings with the commit of a hub model."""
        return {"translation": self.pinned}

    def signature(self, site: Site) -> dict[str, Any]:
        """Return what translates."""
        return {"engine": self._engine(site).signature}

    def versions(self, site: Site) -> dict[str, str]:
        """Return the processor that computes the translations."""
        return processor(site)


@dataclass(frozen=True)
class Parsing(Resource):
    """The spaCy pipeline of a language."""

    parser: Parser
    language: str

    def checks(self, site: Site) -> Checks:
        """Return the check that it is installed."""

        def find() -> None:
            pipelines.find_pipeline(self.parser.pipeline_name(self.language))

        return [find]

    def signature(self, site: Site) -> dict[str, Any]:
        """Return what parses."""
        return {"parser": parser_signature(self.parser, self.language, site)}


@dataclass(frozen=True)
class Filtering(Resource):
    """The models of the filters, and the server that some ask."""

    filters: Filters
    language: str

    def checks(self, site: Site) -> Checks:
        """Return the check that there is a server for filters that ask one."""
        return [partial(self._check_server, site)]

    def _check_server(self, site: Site) -> None:
        for name in self.filters.served_models:
            require_server(
                EndpointServer.from_site(site), f"filters.advanced.{name}.model names a model"
            )

    def _chosen(self, site: Site) -> Filters:
        """Return the filters with the models for the language, and for the device of this machine."""
        return self.filters.for_language(self.language, site.device)

    def _pinned(self, site: Site) -> Filters:
        """Return the chosen filters with the commits of hub models in place of their revisions."""
        found = {model.stage: model.preview.commit for model in self.models(site)}
        pins = {stage: {"revision": commit} for stage, commit in found.items() if commit}
        return self._chosen(site).with_settings(**pins)

    def models(self, site: Site) -> list[Model]:
        """Return the models of the active filters."""
        return filter_models(self._chosen(site))

    def pins(self, site: Site) -> dict[str, Any]:
        """Return the settings with the models that are used, and the commits of those of the hub."""
        return {"filters": self._pinned(site)}

    def signature(self, site: Site) -> dict[str, Any]:
        """Return what scores."""
        filters, runtime = self._pinned(site), Runtime.of(site)
        return {"filters": filters.signature(runtime), **filters.citations(runtime)}


def processor(site: Site) -> dict[str, str]:
    """Return the processor that computes translations, which decides their last digits."""
    return {"processor": device.processor(site.device)}
