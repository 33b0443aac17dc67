"""What builds need: those of bitext, of documents, and of documents that several bitexts share."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rich.filesize import decimal

from bitext_pivot.alignments import monolingual, opus, own, sources
from bitext_pivot.alignments.monolingual import AnyDocuments, Texts
from bitext_pivot.alignments.own import RequestedBitext
from bitext_pivot.alignments.release import Release
from bitext_pivot.alignments.sizes import check_exists, check_name
from bitext_pivot.alignments.sources import AnyArchives
from bitext_pivot.core.endpoint_server import Server, required
from bitext_pivot.core.progress import inform, warn
from bitext_pivot.core.site import Site
from bitext_pivot.corpus.recipe import LINKS
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.chain import Filters
from bitext_pivot.syntax import pipelines
from bitext_pivot.syntax.parsing import Parser
from bitext_pivot.tasks.ahead.needs import Checks, Needs, versions
from bitext_pivot.tasks.run import table
from bitext_pivot.tasks.run.forms import PairForm, SharedForm, TextForm
from bitext_pivot.tasks.run.models import (
    Model,
    Processing,
    calibrated,
    commits,
    engine_for,
    engine_of,
    parser_signature,
    pinned,
    pinned_translation,
    translation_model,
    try_engine,
    try_filters,
    try_parser,
)
from bitext_pivot.tasks.run.targets import Stage
from bitext_pivot.translation.checkpoint import open_checkpoint
from bitext_pivot.translation.directions import check_direction
from bitext_pivot.translation.models import Translation


@dataclass(frozen=True)
class PairNeeds(Needs):
    """What pairs out of bitext need: corpora, an engine, a parser, the models of the filters."""

    form: PairForm

    @property
    def folder(self) -> str:
        """Name of the folder of builds: that of the language pair."""
        return self.form.folder

    def rounds(self, site: Site) -> Iterator[Checks]:
        """Yield the checks of names, then of corpora and models, last the parser, which is tried."""
        form = self.form.pinned(site)
        releases, processing = form.releases(), Processing.of(form)
        yield [partial(check_name, release, site) for release in releases]
        yield [
            *(partial(sources.check, release) for release in releases),
            *(partial(check_exists, release, site) for release in releases),
            *(
                partial(own.find, RequestedBitext(entry, form.language, form.pivot))
                for entry in form.own
            ),
            *(
                partial(_check_model, model, form.pivot, form.language)
                for model in processing.models
            ),
            partial(_check_parser, form.parser, form.language),
            partial(_check_server, processing.filters, site),
        ]
        yield [partial(try_parser, form.parser, form.language, site)]

    def pins(self, site: Site) -> dict[str, Any]:
        """Return the corpora with their releases, and the models of translation and filters with commits."""
        processing = pinned(Processing.of(self.form))
        return {
            "corpora": self.form.pinned(site).corpora,
            "translation": processing.translation,
            "filters": processing.filters,
        }

    def signatures(self, site: Site) -> dict[str, Any]:
        """Return what translates, parses and scores, and the commits of hub models."""
        processing = Processing.of(self.form)
        models = commits(processing)
        for model in processing.models:
            if size := model.preview.download:
                inform(f"Downloading {model.name}: {decimal(size)}")
        processing = pinned(processing)
        runtime, filters = Runtime.of(site), processing.filters
        return {
            "engine": engine_of(processing, site).signature,
            "parser": parser_signature(processing.parser, processing.language, site),
            "filters": filters.signature(runtime),
            "models": models,
            **filters.cited(runtime),
        }

    def stages(self, site: Site) -> Iterator[Stage]:
        """Yield the stages from bitext to divided pairs."""
        form = self.form
        processing = pinned(Processing.of(form))
        processing, _ = calibrated(processing, engine_of(processing, site).signature)
        yield from table.of_pairs(form, processing, site)
        yield table.hold_out(form.division, LINKS)

    def try_models(self, site: Site) -> None:
        """Load and check the engine, the models of the filters and the parser.

        Warns of weak ones, and of the user's bitext in another language.
        """
        form = self.form
        for entry in form.own:
            for warning in own.language_warnings(RequestedBitext(entry, form.language, form.pivot)):
                warn(warning)
        processing = pinned(Processing.of(form))
        language = processing.language
        try_engine(processing.translation, processing.pivot, language, site)
        for warning in try_filters(processing.filters, language, Runtime.of(site), site):
            warn(warning)
        try_parser(processing.parser, language, site)

    def sources(self, site: Site) -> dict[str, Any] | None:
        """Return the identities of the releases and own bitext that are here; None if a model is not."""
        form = self.form.pinned(site)
        if any(model.preview.missing for model in Processing.of(form).models):
            return None
        found: list[AnyArchives | None] = [opus.find(release, site) for release in form.releases()]
        found += [
            own.resolve(RequestedBitext(entry, form.language, form.pivot)) for entry in form.own
        ]
        return sources.identities(archives for archives in found if archives is not None)

    def versions(self, site: Site) -> dict[str, str]:
        """Return the versions, and the processor that computes the translations."""
        return versions(site)


@dataclass(frozen=True)
class TextNeeds(Needs):
    """What recipes over documents need: the documents and a parser."""

    form: TextForm

    @property
    def folder(self) -> str:
        """Name of the folder of builds: that of the language."""
        return self.form.language

    def rounds(self, site: Site) -> Iterator[Checks]:
        """Yield the checks of documents and parser, then the parser, which is tried if all else is right."""
        form = self.form
        releases = [entry for entry in form.documents if isinstance(entry, Release)]
        yield [partial(check_name, release, site) for release in releases]
        yield [
            *(partial(check_exists, release, site) for release in releases),
            form.check,
            partial(_check_parser, form.parser, form.language),
        ]
        yield [partial(try_parser, form.parser, form.language, site)]

    def signatures(self, site: Site) -> dict[str, Any]:
        """Return what parses."""
        return {"parser": parser_signature(self.form.parser, self.form.language, site)}

    def stages(self, site: Site) -> list[Stage]:
        """Return the stages from documents to divided rows."""
        form = self.form
        return [
            table.sentences(form.shard_rows),
            table.parse(form.parser, form.language, site),
            *form.stages(),
            table.hold_out(form.division, LINKS),
        ]

    def try_models(self, site: Site) -> None:
        """Load and check the parser; warn of the user's documents in another language."""
        for documents in self.form.own:
            if warning := monolingual.warning(documents, self.form.language):
                warn(warning)
        try_parser(self.form.parser, self.form.language, site)

    def sources(self, site: Site) -> dict[str, Any]:
        """Return the identities of the documents that are here."""
        found = [self._find(documents, site) for documents in self.form.documents]
        return {texts.name: texts.identity for texts in found if texts is not None}

    def _find(self, documents: AnyDocuments, site: Site) -> Texts | None:
        """Return documents whose files are here, without a download; else None."""
        form = self.form
        if not isinstance(documents, Release):
            return monolingual.resolve(documents, form.language)
        found = opus.find_documents(documents, site)
        if found is None:
            return None
        path, sha256 = found
        return Texts(
            documents=documents,
            language=form.language,
            path=path,
            sha256=sha256,
            skip_damaged=form.skip_damaged,
        )


@dataclass(frozen=True)
class SharedNeeds(Needs):
    """What documents that several bitexts share need: the bitexts, and an engine for each pivot language."""

    form: SharedForm

    @property
    def folder(self) -> str:
        """Name of the folder of builds: that of all languages."""
        return self.form.folder

    def rounds(self, site: Site) -> Iterator[Checks]:
        """Yield the checks of the bitexts and of the models."""
        language, translations = self.form.language, self.form.translations()
        releases = self.form.releases()
        yield [partial(check_name, release, site) for release in releases]
        yield [
            *(partial(check_exists, release, site) for release in releases),
            *(
                partial(_check_engine, each, pivot, language)
                for pivot, each in translations.items()
            ),
        ]

    def signatures(self, site: Site) -> dict[str, Any]:
        """Return what translates from each pivot language."""
        engines = _engines(self.form, site)
        kinds = dict.fromkeys(engine.partition(" direction=")[0] for engine in engines.values())
        return {"engine": " ".join(kinds), "engines": engines}

    def stages(self, site: Site) -> list[Stage]:
        """Return the stages from bitexts to divided rows."""
        form = self.form
        return [
            table.neighbours(form.shard_rows),
            table.back_translate(_engines(form, site), form.explicitation),
            table.label(form.explicitation),
            table.hold_out(form.division, LINKS),
        ]

    def try_models(self, site: Site) -> None:
        """Load and check the models of all pivot languages."""
        for pivot, translation in pinned_translations(self.form).items():
            try_engine(translation, pivot, self.form.language, site)

    def sources(self, site: Site) -> dict[str, Any] | None:
        """Return the identities of the bitexts that are here; None if a model is not."""
        for pivot, translation in self.form.translations().items():
            model = translation_model(translation, pivot, self.form.language)
            if model is not None and model.preview.missing:
                return None
        found = [opus.find(release, site) for release in self.form.releases()]
        return {
            archives.release.name: archives.identity for archives in found if archives is not None
        }

    def versions(self, site: Site) -> dict[str, str]:
        """Return the versions, and the processor that computes the translations."""
        return versions(site)


def pinned_translations(form: SharedForm) -> dict[str, Translation]:
    """Return the settings of the translation from each pivot language, with the commits of hub models.

    The form has one setting for all of them, which cannot hold several commits. The check has asked the hub.
    """
    translations = form.translations()
    return {
        pivot: pinned_translation(each, pivot, form.language)
        for pivot, each in translations.items()
    }


def _engines(form: SharedForm, site: Site) -> dict[str, str]:
    """Return the signature of the engine of each pivot language."""
    return {
        pivot: engine_for(each, pivot, form.language, site).signature
        for pivot, each in pinned_translations(form).items()
    }


def _check_parser(parser: Parser, language: str) -> None:
    pipelines.find(parser.name(language))


def _check_server(filters: Filters, site: Site) -> None:
    """Raise SettingsError for filters that ask models, without a server."""
    for name in filters.served_models:
        required(Server.of(site), f"filters.advanced.{name}.models names models")


def _check_engine(translation: Translation, pivot: str, language: str) -> None:
    if model := translation_model(translation, pivot, language):
        _check_model(model, pivot, language)


def _check_model(model: Model, pivot: str, language: str) -> None:
    """Raise SettingsError for a model that cannot be used, in a folder also for one of another direction.

    Raises SourceError for one that is not here while the hub does not answer.
    """
    model.preview.bytes  # noqa: B018 -- is looked up
    if model.stage == "translate" and Path(model.name).is_dir():
        check_direction(open_checkpoint(model.name), pivot, language)
