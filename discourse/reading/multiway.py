"""Read documents that several bitexts share: neighbouring sentences, each linked to one sentence of a translation."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import NamedTuple, Self

from pydantic import Field, model_validator

from bitext_pivot.alignments.catalogue.corpus_licences import corpus_licence
from bitext_pivot.alignments.extraction import (
    READER_VERSION,
    LinkGroup,
    SkipDamaged,
    text_skip_reason,
)
from bitext_pivot.alignments.release import RawReleaseName, Release, ReleaseFiles
from bitext_pivot.alignments.xces.links import read_link_groups
from bitext_pivot.alignments.xces.sentences import SentenceArchive, UnreadableDocumentError
from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.languages import LanguageCode
from bitext_pivot.core.records import Source
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.storage.store import RowStore
from bitext_pivot.discourse.explicitation_records import NeighbourPair, NeighbourTranslation

MIN_LANGUAGES = 2
"""Minimum number of languages with a translation of two neighbouring sentences, because a label needs two
votes."""
_MAX_CHARACTERS = 2_000  # characters of a sentence
_MAX_CANDIDATES = 1 << 30  # links per group, so that a document is never divided
_STORED = 500  # documents stored in one transaction


class SharedBitext(Settings):
    """Settings of a recipe that reads several bitexts with the same documents in one language."""

    language: LanguageCode = "en"
    """Language of the shared documents."""
    pivots: list[LanguageCode] = Field(
        default=["fr", "de", "es"],
        json_schema_extra={"minItems": MIN_LANGUAGES},
        title="Pivot languages",
    )
    """Languages of the translations, which are machine-translated back. Each language has one vote on the relation of
    two sentences, and a label needs two votes."""
    corpora: list[RawReleaseName] = Field(default=["Europarl/v8"], min_length=1)
    """OPUS corpora and releases, such as Europarl/v8, whose documents have the same names in all their
    language pairs. The raw documents are read."""
    max_documents: int | None = Field(default=None, ge=1, title="Maximum documents")
    """Maximum number of shared documents read per corpus, for a first look. If empty, all documents are read."""
    skip_damaged: SkipDamaged = False
    """Skip and count documents that are damaged inside their archive. Otherwise the archive is downloaded
    again, and the build stops if it is still damaged."""
    shard_rows: int = Field(default=5_000, ge=1, title="Shard size")
    """Pairs of neighbouring sentences per shard. A shard ends with the document in which it reaches this
    number."""

    @model_validator(mode="after")
    def _can_vote(self) -> Self:
        """Raise ValueError for fewer than two pivot languages, or a language or corpus named twice."""
        if len(self.pivots) < MIN_LANGUAGES:
            raise ValueError(
                f"pivots is {self.pivots}, but a label needs {MIN_LANGUAGES} languages that agree. "
                "Name another language whose bitext has the same documents."
            )
        for name in ("pivots", "corpora"):
            values = getattr(self, name)
            if len(set(values)) < len(values):
                raise ValueError(
                    f"{name} contains a name twice ({', '.join(values)}): name each one once"
                )
        if self.language in self.pivots:
            raise ValueError(
                f"pivots contains {self.language!r}, the language of the documents: remove it"
            )
        return self

    @property
    def folder(self) -> str:
        """Name of the build's folder in the data folder, pivot languages first: `fr-de-es-en`."""
        return "-".join([*self.pivots, self.language])

    @property
    def title(self) -> str:
        """Title of the build: `fr-de-es-en: Europarl/v8`."""
        return f"{self.folder}: {', '.join(self.corpora)}"

    def releases(self) -> list[Release]:
        """Return the bitext of each corpus with each pivot language, grouped by corpus."""
        return [
            Release.parse(name, self.language, pivot)
            for name in self.corpora
            for pivot in self.pivots
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedDocuments:
    """The bitexts of one corpus that share documents, with their files on this machine."""

    archives: Sequence[ReleaseFiles]
    """For each pivot language, the files of the bitext with that language."""
    language: str
    max_documents: int | None = None
    skip_damaged: bool = False

    @property
    def name(self) -> str:
        """Corpus and release: `Europarl/v8`."""
        return self.archives[0].release.full_name

    @property
    def identity(self) -> list[object]:
        """Values on which the sentences depend: the bitexts' files, and how they are read."""
        files = {archives.release.name: archives.identity for archives in self.archives}
        return [
            READER_VERSION,
            files,
            self.language,
            self.max_documents,
            self.skip_damaged,
            corpus_licence(self.name.partition("/")[0]),
        ]

    def neighbours(self, store: RowStore, skips: Counter[str]) -> Iterator[list[NeighbourPair]]:
        """Yield the neighbouring sentences of each shared document that has any.

        Documents and sentences that cannot be used are counted in `skips`. The links of all documents are stored in
        `store`, so that memory holds the links of one document only. Documents come in the order of the first bitext.
        If a document has several translations into a language, the first is read.

        Raises DamagedError if a file is damaged, and SourceError if no document is shared.
        """
        documents = self._index(store, skips)
        shared = [document for document, number in documents.items() if number >= MIN_LANGUAGES]
        skips["document in one language only"] += len(documents) - len(shared)
        if not shared:
            raise SourceError(
                f"{self.name} has no document in {self.language} that two of its bitexts share; expected bitexts of "
                "the same documents. Name another corpus, such as Europarl."
            )
        paths = {
            name: archives.sentences(name)
            for archives in self.archives
            for name in archives.release.languages
        }
        corpus = self.name.partition("/")[0]
        with ExitStack() as stack:
            zips = {
                name: stack.enter_context(
                    closing(SentenceArchive(path, corpus, skip_damaged=self.skip_damaged))
                )
                for name, path in paths.items()
            }
            for document in islice(shared, self.max_documents):
                if rows := list(self._of_document(document, zips, store, skips)):
                    yield rows

    def _index(self, store: RowStore, skips: Counter[str]) -> Counter[str]:
        """Store the 1-1 links of all documents, and count the pivot languages of each document."""
        languages = Counter[str]()
        for archives in self.archives:
            side = archives.release.languages.index(self.language)
            groups = read_link_groups(
                archives.links,
                archives.release.languages,
                max_candidates=_MAX_CANDIDATES,
                shapes=frozenset({"1-1"}),
            )
            documents = dict[str, None]()  # an ordered set
            while batch := list(islice(groups, _STORED)):
                linked = [group for group in batch if group.candidates]
                store.put(
                    _store_row(group, side, archives.release.languages[1 - side])
                    for group in linked
                )
                documents |= dict.fromkeys(group.documents[side] for group in linked)
                skips["bad link"] += sum(group.skips["bad link"] for group in batch)
            languages.update(documents.keys())
        return languages

    def _of_document(
        self,
        document: str,
        zips: Mapping[str, SentenceArchive],
        store: RowStore,
        skips: Counter[str],
    ) -> Iterator[NeighbourPair]:
        try:
            sentences = zips[self.language].read(document, None)
        except UnreadableDocumentError as error:
            skips[error.reason] += 1
            return
        corpus, _, release = self.name.partition("/")
        source = Source(
            corpus=corpus, release=release, licence=corpus_licence(corpus), documents=(document,)
        )
        translations = list(self._translations(document, zips, store, skips))
        pairs = pairwise(_Sentence(*item) for item in sentences.items())
        for number, (first, second) in enumerate(pairs, 1):
            renderings = _neighbour_translations(translations, first.id, second.id)
            if reason := _skip_reason(first, second, renderings):
                skips[reason] += 1
                continue
            yield NeighbourPair(
                id=f"{self.name}/{self.language}/{document}:{number}-{number + 1}",
                source=source,
                language=self.language,
                ids=(first.id, second.id),
                first=first.text,
                second=second.text,
                renderings=renderings,
            )

    def _translations(
        self,
        document: str,
        zips: Mapping[str, SentenceArchive],
        store: RowStore,
        skips: Counter[str],
    ) -> Iterator["_DocumentTranslation"]:
        """Yield the translation of a document into each pivot language, without unusable sentences."""
        languages = [language for language in zips if language != self.language]
        stored = store.get([f"{language} {document}" for language in languages])
        for language in languages:
            if (row := stored.get(f"{language} {document}")) is None:
                continue
            name, links = json.loads(row)
            try:
                texts = zips[language].read(name, {foreign for _, foreign in links})
            except UnreadableDocumentError as error:
                skips[error.reason] += 1
                continue
            usable = {
                id: _Sentence(foreign, texts[foreign])
                for id, foreign in links
                if text_skip_reason(texts.get(foreign), _MAX_CHARACTERS) is None
            }
            yield _DocumentTranslation(language, name, usable)


class _Sentence(NamedTuple):
    id: str
    text: str


class _DocumentTranslation(NamedTuple):
    """The translation of a document into one language."""

    language: str
    document: str
    """Name of the document in that language."""
    sentences: Mapping[str, _Sentence]
    """Translated sentences, by the id of the original sentence."""


def _neighbour_translations(
    translations: Iterable[_DocumentTranslation], first_id: str, second_id: str
) -> tuple[NeighbourTranslation, ...]:
    """Return the translations of two sentences into each language that has both."""
    neighbours = []
    for language, document, sentences in translations:
        if first_id in sentences and second_id in sentences:
            first, second = sentences[first_id], sentences[second_id]
            ids, texts = (first.id, second.id), (first.text, second.text)
            neighbours.append(
                NeighbourTranslation(language=language, document=document, ids=ids, texts=texts)
            )
    return tuple(neighbours)


def _skip_reason(
    first: _Sentence, second: _Sentence, renderings: Sequence[NeighbourTranslation]
) -> str | None:
    """Return the reason to skip two neighbouring sentences, or None."""
    if reason := text_skip_reason(first.text, _MAX_CHARACTERS) or text_skip_reason(
        second.text, _MAX_CHARACTERS
    ):
        return reason
    if len(renderings) < MIN_LANGUAGES:
        return "1-1 links of both sentences in fewer than two languages"
    return None


def _store_row(group: LinkGroup, side: int, language: str) -> tuple[str, str]:
    """Return the key and the value under which the links of a document are stored.

    The value holds the name of the translated document and the linked sentence ids.
    """
    links = [(link.ids[side][0], link.ids[1 - side][0]) for link in group.candidates]
    return f"{language} {group.documents[side]}", json.dumps([group.documents[1 - side], links])
