"""Read documents of one language from raw OPUS zips, folders of text files, JSON lines and tables."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field

from bitext_pivot.alignments.catalogue.corpus_licences import corpus_licence
from bitext_pivot.alignments.custom_bitext import CustomCorpus
from bitext_pivot.alignments.extraction import text_skip_reason
from bitext_pivot.alignments.release import Release, ReleaseFiles
from bitext_pivot.alignments.screening.identify import SAMPLE_SIZE, warn_of_other_language
from bitext_pivot.alignments.texts.document_files import digest_files, list_files
from bitext_pivot.alignments.texts.lines import read_lines
from bitext_pivot.alignments.xces.sentences import SentenceArchive, UnreadableDocumentError
from bitext_pivot.core import text_files
from bitext_pivot.core.errors import SettingsError, as_settings_error
from bitext_pivot.core.reading import row_files
from bitext_pivot.core.records import Sentence, Source
from bitext_pivot.core.splitting import signature, splitter
from bitext_pivot.core.storage.received import what_is_at


class TextFolder(CustomCorpus, title="Folder of text files"):
    """A folder of UTF-8 text files."""

    kind: Literal["folder"] = "folder"
    """A folder of text files."""
    path: Path = Field(title="Folder")
    """One document per file, one paragraph per line. Files with an extension other than .txt are counted and
    not read."""


class JsonLinesFile(CustomCorpus, title="JSON lines"):
    """A file with one document per JSON object or table row."""

    kind: Literal["jsonl"] = "jsonl"
    """A file of JSON lines, CSV or Parquet."""
    path: Path = Field(title="File")
    """Each line is {"id": ..., "text": ...}, with one paragraph per line of the text; CSV and Parquet have
    columns of these names. JSON and CSV may be compressed (.gz, .bz2, .xz, .zst)."""


CustomDocuments = TextFolder | JsonLinesFile
DocumentSource = Release | CustomDocuments
_LINE_END = re.compile(r"\r\n?|\n")
_READER_VERSIONS = {"folder": "folder 7", "jsonl": "jsonl 5", "opus": "opus 2"}
"""Version of the reader of each kind of documents. Raise it when the reader returns other text."""


class Document(NamedTuple):
    """The name of a document and its paragraphs in order, each a list of sentences."""

    name: str
    paragraphs: list[list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFiles:
    """Documents of one corpus whose files are on this machine."""

    documents: DocumentSource
    language: str
    path: Path
    sha256: str
    """SHA-256 of all files."""
    skip_damaged: bool = False

    @property
    def name(self) -> str:
        """Corpus and release: `Europarl/v8`."""
        return self.documents.full_name

    @property
    def licence(self) -> str:
        """Licence of every sentence in the documents."""
        documents = self.documents
        return (
            corpus_licence(documents.corpus)
            if isinstance(documents, Release)
            else documents.licence
        )

    @property
    def identity(self) -> list[object]:
        """Values on which the sentences depend, such as the digest of the files; not their path."""
        files = [self.name, self.licence, self.language, self.sha256, self.skip_damaged]
        kind = "opus" if isinstance(self.documents, Release) else self.documents.kind
        return [*files, signature(self.language), _READER_VERSIONS[kind]]

    def sentences(self, skips: Counter[str]) -> Iterator[list[Sentence]]:
        """Yield the sentences of each document that has any.

        Documents that cannot be read are counted in `skips`. Raises SettingsError if a file of the user is damaged, and
        DamagedError if a file of OPUS is.
        """
        names: set[str] = set()
        for document in self._documents(skips):
            if document.name in names:
                skips["document of the same name"] += 1
                continue
            names.add(document.name)
            if sentences := list(self._rows(document, skips)):
                yield sentences

    def _documents(self, skips: Counter[str]) -> Iterator[Document]:
        if isinstance(self.documents, Release):
            yield from _read_opus(self, skips)
            return
        split = splitter(self.language).split
        with as_settings_error():
            for name, paragraphs in _READERS[type(self.documents)](self.path, skips):
                yield Document(name, [split(paragraph) for paragraph in paragraphs])

    def _rows(self, document: Document, skips: Counter[str]) -> Iterator[Sentence]:
        corpus, _, release = self.name.partition("/")
        source = Source(
            corpus=corpus, release=release, licence=self.licence, documents=(document.name,)
        )
        paragraphs = [sentences for sentences in document.paragraphs if sentences]
        numbered = [
            (number, text) for number, sentences in enumerate(paragraphs, 1) for text in sentences
        ]
        for position, (paragraph, text) in enumerate(numbered, 1):
            if reason := text_skip_reason(text, len(text)):
                skips[reason] += 1
                continue
            yield Sentence(
                id=f"{self.name}/{self.language}/{document.name}:{position}", source=source, language=self.language,
                paragraph=paragraph, position=position, text=text,
            )  # fmt: skip


def release_documents(archives: ReleaseFiles, *, skip_damaged: bool) -> DocumentFiles:
    """Return the documents of an OPUS release of one language, whose files are `archives`."""
    release = archives.release
    return DocumentFiles(
        documents=release,
        language=release.a,
        path=archives.sentences(release.a),
        sha256=archives.sha256,
        skip_damaged=skip_damaged,
    )


def locate_documents(settings: CustomDocuments, language: str) -> DocumentFiles:
    """Locate the user's own documents and compute their digest.

    Raises SettingsError if a path does not exist or is of the wrong kind, or if the language has no sentence splitter.
    """
    splitter(language)
    path, is_folder = settings.path, isinstance(settings, TextFolder)
    if not (path.is_dir() if is_folder else path.is_file()):
        expected = "a folder" if is_folder else "a file"
        raise SettingsError(
            f"path {str(path)!r} of {settings.name} is {what_is_at(path)}; expected {expected}. Correct the path."
        )
    return DocumentFiles(
        documents=settings, language=language, path=path, sha256=digest_files(path)
    )


def inspect_beginning(settings: CustomDocuments, language: str) -> list[str]:
    """Read the beginning of the documents and return a warning if they are in another language.

    Raises SettingsError if the path or the language is refused by `locate_documents`, or if the beginning cannot be
    read or has no text.
    """
    locate_documents(settings, language)
    skips = Counter[str]()
    with as_settings_error():
        first = [*islice(_paragraphs(settings, skips), SAMPLE_SIZE)]
    if not first:
        reasons = "".join(f"; skipped: {count} {reason}" for reason, count in skips.items())
        raise SettingsError(
            f"{settings.path} has no text{reasons}. Name documents that contain text."
        )
    warning = warn_of_other_language(settings.full_name, first, language, "--language")
    return [warning] if warning else []


def _paragraphs(documents: CustomDocuments, skips: Counter[str]) -> Iterator[str]:
    """Return the non-empty paragraphs of all documents.

    Unreadable documents are counted in `skips`.
    """
    raw = _READERS[type(documents)](documents.path, skips)
    return filter(None, chain.from_iterable(paragraphs for _, paragraphs in raw))


def _read_opus(texts: DocumentFiles, skips: Counter[str]) -> Iterator[Document]:
    corpus = texts.name.partition("/")[0]
    with closing(SentenceArchive(texts.path, corpus, skip_damaged=texts.skip_damaged)) as archive:
        for document in archive.documents():
            try:
                sentences = archive.read_all(document)
            except UnreadableDocumentError as error:
                skips[error.reason] += 1
                continue
            blocks: dict[int, list[str]] = {}
            for block, text in sentences:
                if text:
                    blocks.setdefault(block, []).append(text)
            yield Document(document, list(blocks.values()))


def _read_folder(folder: Path, skips: Counter[str]) -> Iterator[tuple[str, Iterable[str]]]:
    for name, path in list_files(folder, skips).items():
        ending = text_files.extension(path)
        if _is_text_extension(ending):
            yield name, list(read_lines(path))
        else:
            skips[f"file that is no text ({ending})"] += 1


def _is_text_extension(ending: str) -> bool:
    return ending in {"", ".txt", ".text"} or ending[1:].isdigit()  # `chapter.2` is text too


def _read_table(path: Path, skips: Counter[str]) -> Iterator[tuple[str, Iterable[str]]]:
    rows = row_files.read_rows(
        path, "Name a file of documents.", names={"text"}, is_header=lambda cells: "text" in cells
    )
    for number, row in rows:
        if isinstance(row, dict) and isinstance(row.get("text"), str):
            yield str(row.get("id", number)), _LINE_END.split(row["text"])
        else:
            skips["row without a text"] += 1


_READERS: dict[type[DocumentSource], Callable[[Path, Counter[str]], Iterator[tuple[str, Iterable[str]]]]] = {
    TextFolder: _read_folder, JsonLinesFile: _read_table
}  # fmt: skip
"""For each kind of documents, the function that yields their names and paragraphs."""
