"""User-supplied bitext: settings per file format, and readers that yield it like an OPUS corpus."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from bitext_pivot.alignments.extract import DocumentBatch, Extraction, grouped, to_batches
from bitext_pivot.alignments.release import Release
from bitext_pivot.alignments.texts import segments
from bitext_pivot.alignments.texts.documents import Paragraphs, digest, files_by_name, match_documents, read_documents
from bitext_pivot.alignments.texts.lines import read_files, read_zip
from bitext_pivot.alignments.texts.tmx import read_tmx
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.splitting import Splitter

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$")]


class Local(Settings):
    """Settings of any user-supplied corpus."""

    name: Name = Field(title="Name", description="Name of the corpus, on every row.")
    release: Name = Field(default="v1", title="Release", description="Version of the corpus.")
    licence: str = Field(
        default="unknown", min_length=1, title="Licence", description="SPDX identifier or a short text, on every row."
    )

    @property
    def full_name(self) -> str:
        """Corpus and release: `letters/v1`."""
        return f"{self.name}/{self.release}"


class LineFiles(Local, title="Line files"):
    """Two text files; line n of one is the translation of line n of the other."""

    kind: Literal["lines"] = Field(default="lines", title="Kind", description="Two text files, one segment per line.")
    language_file: Path = Field(
        title="File in the language of the pairs", description="UTF-8 text, plain or .gz, .bz2, .xz."
    )
    pivot_file: Path = Field(title="File in the pivot language", description="As many lines, in the same order.")


class MosesZip(Local, title="Moses zip"):
    """A zip of two such files, with the names that OPUS gives them."""

    kind: Literal["moses"] = Field(default="moses", title="Kind", description="A Moses zip as OPUS has it.")
    file: Path = Field(
        title="Zip", description="With the members *.<a>-<b>.<a>, *.<a>-<b>.<b> and, if known, .ids, .scores."
    )


class MemoryFile(Local, title="Translation memory (TMX)"):
    """A translation memory (TMX)."""

    kind: Literal["tmx"] = Field(default="tmx", title="Kind", description="A translation memory.")
    file: Path = Field(title="TMX file", description="Plain or .gz, .bz2, .xz, with units in both languages.")


class DocumentFolders(Local, title="Document folders"):
    """Documents and their translations under the same names in two folders, not aligned; or two files."""

    kind: Literal["documents"] = Field(
        default="documents", title="Kind", description="Text files in two folders, to be aligned by sentence length."
    )
    language_folder: Path = Field(
        title="Documents in the language of the pairs", description="A folder of UTF-8 text files, or one such file."
    )
    pivot_folder: Path = Field(
        title="Documents in the pivot language",
        description="A folder with the translations under the same names, or one file.",
    )
    paragraphs: Paragraphs = Field(
        default="lines",
        title="A paragraph ends with",
        description="Every line, or blank lines only; line breaks inside a paragraph then become spaces.",
    )
    band: int = Field(
        default=500,
        ge=1,
        title="Band",
        description="Sentences by which a translation may be ahead or behind where paragraphs do not match.",
    )
    max_cost: float = Field(
        default=8.0,
        gt=0,
        title="Highest cost",
        description="Leave out an alignment whose lengths are less likely (nats of Gale and Church's model).",
    )


AnyOwn = LineFiles | MosesZip | MemoryFile | DocumentFolders
OwnBitext = Annotated[AnyOwn, Field(discriminator="kind")]


@dataclass(frozen=True, slots=True)
class RequestedBitext:
    """User-supplied bitext for a pair of languages, before its files are located."""

    own: AnyOwn
    language: str
    pivot: str

    @property
    def corpus(self) -> str:
        """Name of the corpus."""
        return self.own.name


@dataclass(frozen=True, slots=True)
class OwnArchives:
    """User-supplied bitext whose files exist."""

    own: AnyOwn
    release: Release
    paths: tuple[Path, ...]
    """One file, or one file or folder per language in the order of `release.languages`."""
    sha256: str
    """Digest of all files."""

    @property
    def licence(self) -> str:
        """Licence of every row."""
        return self.own.licence

    @property
    def identity(self) -> Mapping[str, object]:
        """What enters the key of a shard: digest and alignment settings, but not the path."""
        return {"sha256": self.sha256, **self.own.model_dump(include={"kind", "paragraphs", "band", "max_cost"})}

    def batches(self, settings: Extraction) -> Iterator[DocumentBatch]:
        """Yield the 1-2 and 2-1 alignments in order. Raises SourceError if a file is damaged or of another kind."""
        bitext, release = self.own, self.release
        if isinstance(bitext, DocumentFolders):
            splitters = Splitter(release.a), Splitter(release.b)
            links = read_documents(
                match_documents(*self.paths),
                splitters,
                paragraphs=bitext.paragraphs,
                band=bitext.band,
                max_cost=bitext.max_cost,
            )
            groups = grouped(islice(links, settings.max_links), segments.AT_ONCE)
            return to_batches(groups, release, settings, licence=self.licence)
        if isinstance(bitext, LineFiles):
            texts = read_files(*self.paths)
        elif isinstance(bitext, MosesZip):
            texts = read_zip(bitext.file, release)
        else:
            texts = read_tmx(bitext.file, release.languages)
        return segments.batches(texts, release, settings, licence=self.licence)


def resolve(requested: RequestedBitext) -> OwnArchives:
    """Find the files of user-supplied bitext and compute their digest. Raises as `find`."""
    bitext, paths = requested.own, find(requested)
    release = Release.of(f"{bitext.full_name}:moses", requested.language, requested.pivot)
    if len(paths) == 2 and release.a != requested.language:
        paths = paths[::-1]
    sha256 = hashlib.sha256("\n".join(map(digest, paths)).encode()).hexdigest()
    return OwnArchives(bitext, release, paths, sha256)


def find(requested: RequestedBitext) -> tuple[Path, ...]:
    """Return the files or folders of user-supplied bitext.

    Raises SettingsError if a path does not exist or is of the wrong kind, two folders have no name in common, or
    there are no rules to split a language into sentences.
    """
    for language in (requested.language, requested.pivot):
        Splitter(language)
    bitext = requested.own
    if isinstance(bitext, DocumentFolders):
        return _folders(bitext.language_folder, bitext.pivot_folder)
    if isinstance(bitext, LineFiles):
        return _file(bitext.language_file, "language_file"), _file(bitext.pivot_file, "pivot_file")
    return (_file(bitext.file, "file"),)


def _file(path: Path, field: str) -> Path:
    if not path.is_file():
        kind = "a folder" if path.is_dir() else "not there"
        raise SettingsError(f"{field} {str(path)!r} is {kind}; expected a file. Correct the path.")
    return path


def _folders(language: Path, pivot: Path) -> tuple[Path, Path]:
    if language.is_file() or pivot.is_file():
        return _file(language, "language_folder"), _file(pivot, "pivot_folder")
    for path, field in ((language, "language_folder"), (pivot, "pivot_folder")):
        if not path.is_dir():
            raise SettingsError(f"{field} {str(path)!r} is not there; expected a folder of texts. Correct the path.")
    language_files, pivot_files = files_by_name(language), files_by_name(pivot)
    if not language_files.keys() & pivot_files.keys():
        raise SettingsError(
            f"No file of {language} ({', '.join([*language_files][:3]) or 'empty'}) has the same name in {pivot} "
            f"({', '.join([*pivot_files][:3]) or 'empty'}); expected a document and its translation under one name. "
            "Rename them, or name other folders."
        )
    return language, pivot
