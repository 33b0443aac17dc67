"""The user's own bitext: settings for each file format, and functions that read alignments from it."""

import hashlib
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from bitext_pivot.alignments import corpus_names
from bitext_pivot.alignments.extraction import AlignmentBatch, Extraction
from bitext_pivot.alignments.release import Release
from bitext_pivot.alignments.screening.identify import (
    SAMPLE_SIZE,
    detect_other_language,
    warn_of_other_language,
)
from bitext_pivot.alignments.texts import segments
from bitext_pivot.alignments.texts.lines import read_files, read_zip
from bitext_pivot.alignments.texts.segments import SegmentPair
from bitext_pivot.alignments.texts.table_files import read_table
from bitext_pivot.alignments.texts.tmx import read_tmx
from bitext_pivot.core.errors import SettingsError, as_settings_error
from bitext_pivot.core.reading import row_files
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.splitting import splitter
from bitext_pivot.core.storage.atomic import sha256
from bitext_pivot.core.storage.received import what_is_at

_MAX_RELEASE_BYTES = 40  # bytes
BitextName = Annotated[str, AfterValidator(corpus_names.check_name)]
ReleaseName = Annotated[
    str, AfterValidator(partial(corpus_names.check_name, longest=_MAX_RELEASE_BYTES))
]


class CustomCorpus(Settings):
    """Settings shared by all formats of the user's own corpora."""

    name: BitextName = Field(default="", validate_default=True)
    """Name of the corpus, written to every row. If it is empty, the name of the file is used."""
    release: ReleaseName = "v1"
    """Version of the corpus."""
    licence: str = Field(default="unknown", min_length=1)
    """Licence written to every row: an SPDX identifier or a short text."""

    @model_validator(mode="before")
    @classmethod
    def _name_by_file(cls, values: Any) -> Any:
        """Name a corpus after its file unless the user has named it."""
        if not isinstance(values, dict) or values.get("name"):
            return values
        file = values.get("file") or values.get("language_file")
        if not isinstance(file, str | Path):
            return values  # pydantic reports the missing file
        return {**values, "name": corpus_names.name_from_stem(Path(file).name.partition(".")[0])}

    @model_serializer(mode="wrap")
    def _with_kind(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Serialize `kind` even without defaults: it selects the class when settings are read."""
        kind = getattr(self, "kind", None)
        return write(self) if kind is None else {"kind": kind, **write(self)}

    @property
    def full_name(self) -> str:
        """Name of the corpus and its release: `letters/v1`."""
        return f"{self.name}/{self.release}"


class LineFiles(CustomCorpus, title="Line files"):
    """Two text files in which line n of the first is aligned with line n of the second."""

    kind: Literal["lines"] = "lines"
    """Two text files, one segment per line."""
    language_file: Path = Field(title="File in the language of the pairs")
    """UTF-8 text, plain or compressed (.gz, .bz2, .xz, .zst)."""
    pivot_file: Path = Field(title="File in the pivot language")
    """A file with the same number of lines, in the same order."""


class MosesZip(CustomCorpus, title="Moses zip"):
    """A zip of two line files, with the member names that OPUS uses."""

    kind: Literal["moses"] = "moses"
    """A Moses zip in the layout of OPUS."""
    file: Path = Field(title="Zip")
    """A zip with the members *.<a>-<b>.<a> and *.<a>-<b>.<b>, and optionally .ids and .scores."""


class TranslationMemory(CustomCorpus, title="Translation memory (TMX)"):
    """A translation memory (TMX)."""

    kind: Literal["tmx"] = "tmx"
    """A translation memory."""
    file: Path = Field(title="TMX file")
    """A TMX file, plain or compressed (.gz, .bz2, .xz, .zst), whose units have both languages."""


class TableFile(CustomCorpus, title="Table"):
    """A CSV, TSV, JSON or Parquet table with a text column for each language."""

    kind: Literal["table"] = "table"
    """A table with a column for each language."""
    file: Path = Field(title="Table file")
    """The file extension decides the format. CSV, TSV and JSON may be compressed (.gz, .bz2, .xz, .zst)."""
    columns: dict[str, str] = {}
    """Column name for each language whose column is not named by the language code: en=target,fr=source."""


CustomBitext = LineFiles | MosesZip | TranslationMemory | TableFile
_SWAP_ADVICE = {
    "moses": "the languages in the names of its members",
    "tmx": "the language codes of its units",
    "table": "the names of its columns, or those of `columns`",
}
"""For each kind of file, what the user has to exchange if the two languages are swapped."""
CustomBitextSetting = Annotated[CustomBitext, Field(discriminator="kind")]


@dataclass(frozen=True, slots=True)
class CustomBitextRequest:
    """A request to read the user's own bitext for a language pair, before the files are located."""

    own: CustomBitext
    language: str
    pivot: str

    @property
    def corpus(self) -> str:
        """Name of the corpus."""
        return self.own.name


@dataclass(frozen=True, slots=True)
class CustomBitextFiles:
    """The located files of the user's own bitext."""

    own: CustomBitext
    release: Release
    paths: tuple[Path, ...]
    """One file, or two in the order of `release.languages`."""
    sha256: str
    """SHA-256 of the SHA-256 digests of all files."""

    @property
    def licence(self) -> str:
        """Licence of every row."""
        return self.own.licence

    @property
    def identity(self) -> Mapping[str, object]:
        """The values that identify the content for the key of a shard: digest, kind and columns, not the path."""
        stated = self.own.model_dump(include={"kind", "columns"})
        if self.own.kind == "table":
            stated["reader"] = row_files.VERSION
        return {"sha256": self.sha256, **stated}

    def batches(self, settings: Extraction) -> Iterator[AlignmentBatch]:
        """Yield the 1-2 and 2-1 alignments of the files in order.

        Raises SettingsError if a file is damaged or not in the expected format.
        """
        release = self.release
        texts = _read_segments(self.own, self.paths, release)
        with as_settings_error():
            yield from segments.split_segments(texts, release, settings, licence=self.licence)


def locate_files(requested: CustomBitextRequest) -> CustomBitextFiles:
    """Locate the files of the user's own bitext and compute their digest.

    Raises SettingsError if a path is not a file, or if a language has no sentence splitter.
    """
    paths = _locate_paths(requested)
    digest = hashlib.sha256("\n".join(map(sha256, paths)).encode()).hexdigest()
    return CustomBitextFiles(requested.own, _release(requested), paths, digest)


def _read_segments(
    bitext: CustomBitext, paths: tuple[Path, ...], release: Release
) -> Generator[SegmentPair]:
    if isinstance(bitext, LineFiles):
        return read_files(*paths)
    if isinstance(bitext, MosesZip):
        return read_zip(bitext.file, release, refuses=True)
    if isinstance(bitext, TableFile):
        return read_table(bitext.file, release.languages, bitext.columns)
    return read_tmx(bitext.file, release.languages)


def inspect_beginning(requested: CustomBitextRequest) -> list[str]:
    """Read the beginning of the files and return a warning for each side in the wrong language.

    Raises the errors of `locate_files`, and SettingsError if the beginning shows that a file cannot be used: it is
    damaged or not UTF-8, a table lacks a column, or there is no text in one of the languages.
    """
    release, name = _release(requested), requested.own.full_name
    with (
        as_settings_error(),
        closing(_read_segments(requested.own, _locate_paths(requested), release)) as segments,
    ):
        first = [*islice(segments, SAMPLE_SIZE)]
        for side in (0, 1):
            if not any(segment.texts[side] for segment in first):
                # read to the end, where a translation memory without this language raises its error
                any(segment.texts[side] for segment in segments)
    texts = [[segment.texts[side] for segment in first] for side in (0, 1)]
    sides = [*zip(release.languages, texts, strict=True)]
    detected = {detect_other_language(side, language, min_texts=1) for language, side in sides}
    if detected == {*release.languages}:
        advice = _SWAP_ADVICE.get(requested.own.kind, "its two files")
        return [f"The two languages of {name} seem to be swapped. Exchange {advice}."]
    warnings = [warn_of_other_language(name, side, language) for language, side in sides]
    return [warning for warning in warnings if warning]


def _locate_paths(requested: CustomBitextRequest) -> tuple[Path, ...]:
    """Return the paths of the files: one, or two in the order of the languages in `requested.release`.

    Raises SettingsError if a path is not a file.
    """
    for language in (requested.language, requested.pivot):
        splitter(language)
    own = requested.own
    fields = ("language_file", "pivot_file") if isinstance(own, LineFiles) else ("file",)
    paths = tuple(_require_file(getattr(own, field), field) for field in fields)
    return paths if _release(requested).a == requested.language else paths[::-1]


def _release(requested: CustomBitextRequest) -> Release:
    return Release.parse(f"{requested.own.full_name}:moses", requested.language, requested.pivot)


def _require_file(path: Path, field: str) -> Path:
    if not path.is_file():
        kind = what_is_at(path)
        raise SettingsError(f"{field} {str(path)!r} is {kind}; expected a file. Correct the path.")
    return path
