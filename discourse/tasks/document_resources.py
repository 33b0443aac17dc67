"""What builds from documents need: the documents, the shared bitexts, and a translation engine per pivot language."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from bitext_pivot.alignments import opus
from bitext_pivot.alignments.availability import check_exists
from bitext_pivot.alignments.release import Release
from bitext_pivot.core.site import Site
from bitext_pivot.discourse.reading import monolingual
from bitext_pivot.discourse.reading.monolingual import DocumentFiles, DocumentSource
from bitext_pivot.discourse.reading.multiway import SharedBitext
from bitext_pivot.discourse.reading.running_text import RunningText
from bitext_pivot.tasks.run.resources import Checks, EngineResource, Resource, processor
from bitext_pivot.translation.models import Translation


@dataclass(frozen=True)
class DocumentsResource(Resource):
    """The documents of one language that a build reads."""

    texts: RunningText

    def checks(self, site: Site) -> Checks:
        """Return one check per OPUS release, and one per file or folder of the user.

        A check of the user's own documents also warns about texts in another language.
        """
        documents, language = self.texts.documents, self.texts.language
        return [
            partial(check_exists, entry, site)
            if isinstance(entry, Release)
            else partial(monolingual.inspect_beginning, entry, language)
            for entry in documents
        ]

    def identity(self, site: Site) -> dict[str, Any]:
        """Return the `identity` of each corpus whose files are on this machine, by name."""
        sources = [self._find(documents, site) for documents in self.texts.documents]
        return {source.name: source.identity for source in sources if source is not None}

    def _find(self, documents: DocumentSource, site: Site) -> DocumentFiles | None:
        """Return the documents, or None if their files would have to be downloaded."""
        settings = self.texts
        if not isinstance(documents, Release):
            return monolingual.locate_documents(documents, settings.language)
        files = opus.find(documents, site)
        if files is None:
            return None
        return monolingual.release_documents(files, skip_damaged=settings.skip_damaged)


@dataclass(frozen=True)
class SharedCorporaResource(Resource):
    """The bitexts with the same documents that a build reads."""

    bitext: SharedBitext

    def checks(self, site: Site) -> Checks:
        """Return one check per bitext: whether OPUS has the release."""
        return [partial(check_exists, release, site) for release in self.bitext.releases()]

    def identity(self, site: Site) -> dict[str, Any]:
        """Return the `identity` of each bitext whose files are on this machine, by name."""
        sources = [opus.find(release, site) for release in self.bitext.releases()]
        return {files.release.name: files.identity for files in sources if files is not None}


@dataclass(frozen=True)
class EnginesResource(Resource):
    """The engine of each pivot language.

    The build settings name one model for all pivot languages, so they cannot hold the commit of each model.
    """

    translations: Mapping[str, Translation]
    language: str

    @property
    def engines(self) -> dict[str, EngineResource]:
        """The engine of each pivot language."""
        return {
            pivot: EngineResource(translation, pivot, self.language)
            for pivot, translation in self.translations.items()
        }

    @property
    def pinned(self) -> dict[str, Translation]:
        """The translation settings for each pivot language, with the commits of hub models."""
        return {pivot: engine.pinned for pivot, engine in self.engines.items()}

    def checks(self, site: Site) -> Checks:
        """Return one check for the translation engine of each pivot language."""
        return [partial(engine.check, site) for engine in self.engines.values()]

    def model_checks(self, site: Site) -> Checks:
        """Return the checks of the models that the translation engines need."""
        engines = self.engines.values()
        return [*chain.from_iterable(engine.model_checks(site) for engine in engines)]

    def signature(self, site: Site) -> dict[str, Any]:
        """Return what the translations depend on: engine, model and versions per pivot language."""
        signatures = {
            pivot: engine.signature(site)["engine"] for pivot, engine in self.engines.items()
        }
        kinds = dict.fromkeys(name.partition(" direction=")[0] for name in signatures.values())
        return {"engine": " ".join(kinds), "engines": signatures}

    def versions(self, site: Site) -> dict[str, str]:
        """Return the processor on which the translations are computed."""
        return processor(site)

    def identity(self, site: Site) -> dict[str, Any] | None:
        """Return an empty dictionary, or None if a translation model is not on this machine."""
        identities = [engine.identity(site) for engine in self.engines.values()]
        return None if None in identities else {}
