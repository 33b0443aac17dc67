"""User-supplied bitext: settings per file format, and readers that yield it like an OPUS corpus."""

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
from bitext_pivot.core.errors import SettingsError, refused
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
    """Settings of any user-supplied corpus."""

    name: BitextName = Field(default="", validate_default=True)
    """Name of the corpus, on every row. Empty: that of its file."""
    release: ReleaseName = "v1"
    """Version of the corpus."""
    licence: str = Field(default="unknown", min_length=1)
    """SPDX identifier or a short text, on every row."""

    @model_validator(mode="before")
    @classmethod
    def _name_by_file(cls, values: Any) -> Any:
        """Give a corpus without a name that of its file, as a path alone does."""
        if not isinstance(values, dict) or values.get("name"):
            return values
        file = values.get("file") or values.get("language_file")
        if not isinstance(file, str | Path):
            return values  # the file is asked for
        return {**values, "name": corpus_names.name_from_stem(Path(file).name.partition(".")[0])}

    @model_serializer(mode="wrap")
    def _with_kind(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Write the kind also where defaults are left out: settings are read by it."""
        kind = getattr(self, "kind", None)
        return write(self) if kind is None else {"kind": kind, **write(self)}

    @property
    def full_name(self) -> str:
        """Corpus and release: `letters/v1`."""
        return f"{self.name}/{self.release}"


class LineFiles(CustomCorpus, title="Line files"):
    """Two text files; line n of one is the translation of line n of the other."""

    kind: Literal["lines"] = "lines"
    """Two text files, one segment per line."""
    language_file: Path = Field(title="File in the language of the pairs")
    """UTF-8 text, plain or .gz, .bz2, .xz, .zst."""
    pivot_file: Path = Field(title="File in the pivot language")
    """As many lines, in the same order."""


class MosesZip(CustomCorpus, title="Moses zip"):
    """A zip of two such files, with the names that OPUS gives them."""

    kind: Literal["moses"] = "moses"
    """A Moses zip as OPUS has it."""
    file: Path = Field(title="Zip")
    """With the members *.<a>-<b>.<a>, *.<a>-<b>.<b> and, if known, .ids, .scores."""


class TranslationMemory(CustomCorpus, title="Translation memory (TMX)"):
    """A translation memory (TMX)."""

    kind: Literal["tmx"] = "tmx"
    """A translation memory."""
    file: Path = Field(title="TMX file")
    """Plain or .gz, .bz2, .xz, .zst, with units in both languages."""


class TableFile(CustomCorpus, title="Table"):
    """A table with a column of texts for each language: CSV, TSV, JSON lines or an array, Parquet."""

    kind: Literal["table"] = "table"
    """A table with a column for each language."""
    file: Path = Field(title="Table file")
    """Its ending says what it is; text may be .gz, .bz2, .xz, .zst."""
    columns: dict[str, str] = {}
    """Names of its columns by language, where they are not the codes: en=target,fr=source."""


CustomBitext = LineFiles | MosesZip | TranslationMemory | TableFile
_SWAP_ADVICE = {
    "moses": "the languages in the names of its members",
    "tmx": "the language codes of its units",
    "table": "the names of its columns, or those of `columns`",
}
"""What to exchange in one file with swapped sides, by its kind."""
CustomBitextSetting = Annotated[CustomBitext, Field(discriminator="kind")]


@dataclass(frozen=True, slots=True)
class CustomBitextRequest:
    """User-supplied bitext for a pair of languages, before its files are located."""

    own: CustomBitext
    language: str
    pivot: str

    @property
    def corpus(self) -> str:
        """Name of the corpus."""
        return self.own.name


@dataclass(frozen=True, slots=True)
class CustomBitextFiles:
    """User-supplied bitext whose files exist."""

    own: CustomBitext
    release: Release
    paths: tuple[Path, ...]
    """One file, or one per language in the order of `release.languages`."""
    sha256: str
    """Digest of all files."""

    @property
    def licence(self) -> str:
        """Licence of every row."""
        return self.own.licence

    @property
    def identity(self) -> Mapping[str, object]:
        """What enters the key of a shard: digest and columns, but not the path."""
        stated = self.own.model_dump(include={"kind", "columns"})
        if self.own.kind == "table":
            stated["reader"] = row_files.VERSION
        return {"sha256": self.sha256, **stated}

    def batches(self, settings: Extraction) -> Iterator[AlignmentBatch]:
        """Yield the 1-2 and 2-1 alignments in order. Raises SettingsError if a file is damaged or of another kind."""
        release = self.release
        texts = _read_segments(self.own, self.paths, release)
        with refused():
            yield from segments.split_segments(texts, release, settings, licence=self.licence)


def locate_files(requested: CustomBitextRequest) -> CustomBitextFiles:
    """Find the files of user-supplied bitext and compute their digest.

    Raises SettingsError if a path is no file, or there are no rules to split a language into sentences.
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
    """Read the beginning of the files; return a warning for each side that is in another language.

    Raises SettingsError as `locate_files` does, and for what is wrong there: another encoding than UTF-8, damage, a
    table that lacks a column, no text in a language.
    """
    release, name = _release(requested), requested.own.full_name
    with (
        refused(),
        closing(_read_segments(requested.own, _locate_paths(requested), release)) as segments,
    ):
        first = [*islice(segments, SAMPLE_SIZE)]
        for side in (0, 1):
            if not any(segment.texts[side] for segment in first):
                # a memory without a language says so behind its last unit
                any(segment.texts[side] for segment in segments)
    texts = [[segment.texts[side] for segment in first] for side in (0, 1)]
    sides = [*zip(release.languages, texts, strict=True)]
    others = {detect_other_language(side, language, fewest=1) for language, side in sides}
    if others == {*release.languages}:
        exchanged = _SWAP_ADVICE.get(requested.own.kind, "its two files")
        return [f"The sides of {name} seem to be swapped. Exchange {exchanged}."]
    warnings = [warn_of_other_language(name, side, language) for language, side in sides]
    return [warning for warning in warnings if warning]


def _locate_paths(requested: CustomBitextRequest) -> tuple[Path, ...]:
    """Return the files, two of them in the order of the release's languages; raises as `locate_files`."""
    for language in (requested.language, requested.pivot):
        splitter(language)
    own = requested.own
    fields = ("language_file", "pivot_file") if isinstance(own, LineFiles) else ("file",)
    paths = tuple(_require_file(getattr(own, field), field) for field in fields)
    return paths if _release(requested).a == requested.language else paths[::-1]


def _release(requested: CustomBitextRequest) -> Release:
    return Release.of(f"{requested.own.full_name}:moses", requested.language, requested.pivot)


def _require_file(path: Path, field: str) -> Path:
    if not path.is_file():
        kind = what_is_at(path)
        raise SettingsError(f"{field} {str(path)!r} is {kind}; expected a file. Correct the path.")
    return path
