"""Bitext that people bring: what a form says of it, and reading it as a corpus like those of OPUS."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from alignments.extract import DocumentBatch, Extraction, Extractor, within
from alignments.release import Release
from alignments.texts import segments
from alignments.texts.documents import Paragraphs, matched, named, read_documents
from alignments.texts.lines import read_files, read_zip
from alignments.texts.splitting import SIGNATURE, Splitter
from alignments.texts.tmx import read_tmx
from pairs.errors import SettingsError
from pairs.settings import Settings
from pairs.storage import atomic

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]*$")]


class _Own(Settings):
    """What is said of any bitext that is brought."""

    name: Name = Field(title="Name", description="Name of the corpus, on every row that comes of it.")
    release: Name = Field(default="v1", title="Release", description="Which state of the corpus this is.")
    licence: str = Field(
        default="unknown", min_length=1, title="Licence", description="SPDX identifier or a short text, on every row."
    )


class LineFiles(_Own, title="Line files"):
    """Two text files, a segment a line, line n of one the translation of line n of the other."""

    kind: Literal["lines"] = Field(default="lines", title="Kind", description="Two text files, a segment a line.")
    language_file: Path = Field(
        title="File in the language of the pairs", description="UTF-8 text, plain or .gz, .bz2, .xz."
    )
    pivot_file: Path = Field(title="File in the pivot language", description="As many lines, in the same order.")


class MosesZip(_Own, title="Moses zip"):
    """A zip of two such files with their names as OPUS gives them."""

    kind: Literal["moses"] = Field(default="moses", title="Kind", description="A Moses zip as OPUS has it.")
    file: Path = Field(
        title="Zip",
        description="With the members *.<a>-<b>.<a>, *.<a>-<b>.<b> and, where they are known, .ids, .scores.",
    )


class MemoryFile(_Own, title="Translation memory (TMX)"):
    """A translation memory (TMX)."""

    kind: Literal["tmx"] = Field(default="tmx", title="Kind", description="A translation memory.")
    file: Path = Field(title="TMX file", description="Plain or .gz, .bz2, .xz, with units in both languages.")


class DocumentFolders(_Own, title="Document folders"):
    """Documents and their translations under the same names in two folders, not aligned yet; or two single files."""

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
        description="Every line, or blank lines only: then line breaks inside a paragraph are blanks.",
    )
    band: int = Field(
        default=500,
        ge=1,
        title="Band",
        description="Sentences that a translation may run ahead or behind where paragraphs do not match.",
    )
    max_cost: float = Field(
        default=8.0,
        gt=0,
        title="Highest cost",
        description="Leave out an alignment whose lengths are less likely (nats of Gale and Church's model).",
    )


OwnBitext = Annotated[LineFiles | MosesZip | MemoryFile | DocumentFolders, Field(discriminator="kind")]


@dataclass(frozen=True, slots=True)
class Asked:
    """Bitext that is to be brought, and for which pair; `resolve` finds it."""

    own: LineFiles | MosesZip | MemoryFile | DocumentFolders
    language: str
    pivot: str

    @property
    def corpus(self) -> str:
        """Name of the corpus."""
        return self.own.name


@dataclass(frozen=True, slots=True)
class OwnArchives:
    """Bitext that was brought, found and checked."""

    own: LineFiles | MosesZip | MemoryFile | DocumentFolders
    release: Release
    paths: tuple[Path, ...]
    """In the order of `release.languages` where there is one a side."""
    sha256: str
    """Of all its files together."""

    @property
    def corpus(self) -> str:
        """Name of the corpus."""
        return self.release.corpus

    @property
    def licence(self) -> str:
        """Licence of every row."""
        return self.own.licence

    @property
    def identity(self) -> Mapping[str, str | int | float]:
        """What goes into a shard key: checksum, what splits, how it is aligned; the same wherever the files lie."""
        common = {"kind": self.own.kind, "sha256": self.sha256, "splitter": SIGNATURE}
        if isinstance(self.own, DocumentFolders):
            return {**common, **self.own.model_dump(include={"paragraphs", "band", "max_cost"})}
        return common

    def batches(self, settings: Extraction, *, after_link: int = 0) -> Iterator[DocumentBatch]:
        """Yield the 1-2 and 2-1 alignments in order; links up to number `after_link` are read over.

        Raises SourceError when a file is damaged or is not what it should be.
        """
        if isinstance(self.own, DocumentFolders):
            return self._aligned(self.own, settings, after_link)
        found = self._segments(self.own)
        return segments.batches(found, self.release, settings, licence=self.licence, after_link=after_link)

    def _segments(self, own: LineFiles | MosesZip | MemoryFile) -> Iterator[segments.Segment]:
        if isinstance(own, LineFiles):
            return read_files(*self.paths)
        if isinstance(own, MosesZip):
            return read_zip(own.file, self.release)
        return read_tmx(own.file, self.release.languages)

    def _aligned(self, own: DocumentFolders, settings: Extraction, after_link: int) -> Iterator[DocumentBatch]:
        links = read_documents(
            matched(*self.paths),
            (Splitter(self.release.a), Splitter(self.release.b)),
            paragraphs=own.paragraphs,
            band=own.band,
            max_cost=own.max_cost,
        )
        extractor = Extractor(release=self.release, licence=self.licence, settings=settings, at_once=segments.AT_ONCE)
        return extractor.batches(within(links, after_link, settings.max_links))


def resolve(asked: Asked) -> OwnArchives:
    """Find the files of bitext that is brought.

    Raises SettingsError when a path does not exist or is of the wrong kind, two folders have no name in common, or
    there are no rules to split a language: all before anything is read but for checksums.
    """
    own = asked.own
    release = Release.of(f"{own.name}/{own.release}:moses", asked.language, asked.pivot)
    for one in release.languages:
        Splitter(one)
    paths = find(own)
    if len(paths) == 2 and release.a != asked.language:
        paths = paths[::-1]
    return OwnArchives(own, release, paths, _digest(paths))


def find(own: LineFiles | MosesZip | MemoryFile | DocumentFolders) -> tuple[Path, ...]:
    """Return the files or folders of user-supplied bitext; raises SettingsError when one is missing."""
    if isinstance(own, DocumentFolders):
        return _folders(own.language_folder, own.pivot_folder)
    if isinstance(own, LineFiles):
        return _file(own.language_file, "language_file"), _file(own.pivot_file, "pivot_file")
    return (_file(own.file, "file"),)


def _file(path: Path, field: str) -> Path:
    if not path.is_file():
        found = "a folder" if path.is_dir() else "not there"
        raise SettingsError(f"{field} {str(path)!r} is {found}; expected a file. Correct the path.")
    return path


def _folders(language: Path, pivot: Path) -> tuple[Path, Path]:
    if language.is_file() or pivot.is_file():
        return _file(language, "language_folder"), _file(pivot, "pivot_folder")
    for path, field in ((language, "language_folder"), (pivot, "pivot_folder")):
        if not path.is_dir():
            raise SettingsError(f"{field} {str(path)!r} is not there; expected a folder of texts. Correct the path.")
    one, other = named(language), named(pivot)
    if not one.keys() & other.keys():
        raise SettingsError(
            f"No file of {language} ({', '.join([*one][:3]) or 'empty'}) has the same name in {pivot} "
            f"({', '.join([*other][:3]) or 'empty'}); expected a document and its translation under one name. "
            "Rename them, or name other folders."
        )
    return language, pivot


def _digest(paths: tuple[Path, ...]) -> str:
    """Return one checksum for all files: of their names below the folder, their sizes and contents."""
    digest = hashlib.sha256()
    for path in paths:
        files = named(path) if path.is_dir() else {"": path}
        for name, file in files.items():
            digest.update(f"{name}\0{file.stat().st_size}\0{atomic.sha256(file)}\n".encode())
        digest.update(b"\n")
    return digest.hexdigest()
