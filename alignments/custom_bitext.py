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

from bitext_pivot.alignments import names
from bitext_pivot.alignments.extraction import DocumentBatch, Extraction
from bitext_pivot.alignments.release import Release
from bitext_pivot.alignments.screening.identify import SAMPLE, language_warning, other_language
from bitext_pivot.alignments.texts import segments
from bitext_pivot.alignments.texts.lines import read_files, read_zip
from bitext_pivot.alignments.texts.segments import Segment
from bitext_pivot.alignments.texts.tables import read_table
from bitext_pivot.alignments.texts.tmx import read_tmx
from bitext_pivot.core.errors import SettingsError, refused
from bitext_pivot.core.reading import row_files
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.splitting import splitter
from bitext_pivot.core.storage.atomic import sha256
from bitext_pivot.core.storage.received import what_is_at

_LONGEST_RELEASE = 40  # bytes
BitextName = Annotated[str, AfterValidator(names.checked)]
ReleaseName = Annotated[str, AfterValidator(partial(names.checked, longest=_LONGEST_RELEASE))]


class Local(Settings):
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
        return {**values, "name": names.from_stem(Path(file).name.partition(".")[0])}

    @model_serializer(mode="wrap")
    def _with_kind(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Write the kind also where defaults are left out: settings are read by it."""
        kind = getattr(self, "kind", None)
        return write(self) if kind is None else {"kind": kind, **write(self)}

    @property
    def full_name(self) -> str:
        """Corpus and release: `letters/v1`."""
        return f"{self.name}/{self.release}"


class LineFiles(Local, title="Line files"):
    """Two text files; line n of one is the translation of line n of the other."""

    kind: Literal["lines"] = "lines"
    """Two text files, one segment per line."""
    language_file: Path = Field(title="File in the language of the pairs")
    """UTF-8 text, plain or .gz, .bz2, .xz, .zst."""
    pivot_file: Path = Field(title="File in the pivot language")
    """As many lines, in the same order."""


class MosesZip(Local, title="Moses zip"):
    """A zip of two such files, with the names that OPUS gives them."""

    kind: Literal["moses"] = "moses"
    """A Moses zip as OPUS has it."""
    file: Path = Field(title="Zip")
    """With the members *.<a>-<b>.<a>, *.<a>-<b>.<b> and, if known, .ids, .scores."""


class MemoryFile(Local, title="Translation memory (TMX)"):
    """A translation memory (TMX)."""

    kind: Literal["tmx"] = "tmx"
    """A translation memory."""
    file: Path = Field(title="TMX file")
    """Plain or .gz, .bz2, .xz, .zst, with units in both languages."""


class TableFile(Local, title="Table"):
    """A table with a column of texts for each language: CSV, TSV, JSON lines or an array, Parquet."""

    kind: Literal["table"] = "table"
    """A table with a column for each language."""
    file: Path = Field(title="Table file")
    """Its ending says what it is; text may be .gz, .bz2, .xz, .zst."""
    columns: dict[str, str] = {}
    """Names of its columns by language, where they are not the codes: en=target,fr=source."""


AnyOwn = LineFiles | MosesZip | MemoryFile | TableFile
_EXCHANGED = {
    "moses": "the languages in the names of its members",
    "tmx": "the language codes of its units",
    "table": "the names of its columns, or those of `columns`",
}
"""What to exchange in one file with swapped sides, by its kind."""
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

    def batches(self, settings: Extraction) -> Iterator[DocumentBatch]:
        """Yield the 1-2 and 2-1 alignments in order. Raises SettingsError if a file is damaged or of another kind."""
        release = self.release
        texts = _segments(self.own, self.paths, release)
        with refused():
            yield from segments.batches(texts, release, settings, licence=self.licence)


def resolve(requested: RequestedBitext) -> OwnArchives:
    """Find the files of user-supplied bitext and compute their digest.

    Raises SettingsError if a path is no file, or there are no rules to split a language into sentences.
    """
    paths = _paths(requested)
    digest = hashlib.sha256("\n".join(map(sha256, paths)).encode()).hexdigest()
    return OwnArchives(requested.own, _release(requested), paths, digest)


def _segments(bitext: AnyOwn, paths: tuple[Path, ...], release: Release) -> Generator[Segment]:
    if isinstance(bitext, LineFiles):
        return read_files(*paths)
    if isinstance(bitext, MosesZip):
        return read_zip(bitext.file, release, refuses=True)
    if isinstance(bitext, TableFile):
        return read_table(bitext.file, release.languages, bitext.columns)
    return read_tmx(bitext.file, release.languages)


def look(requested: RequestedBitext) -> list[str]:
    """Read the beginning of the files; return a warning for each side that is in another language.

    Raises SettingsError as `resolve`, and for what is wrong there: another encoding than UTF-8, damage, a table that
    lacks a column, no text in a language.
    """
    release, name = _release(requested), requested.own.full_name
    with refused(), closing(_segments(requested.own, _paths(requested), release)) as segments:
        first = [*islice(segments, SAMPLE)]
        for side in (0, 1):
            if not any(segment.texts[side] for segment in first):
                # a memory without a language says so behind its last unit
                any(segment.texts[side] for segment in segments)
    texts = [[segment.texts[side] for segment in first] for side in (0, 1)]
    sides = [*zip(release.languages, texts, strict=True)]
    others = {other_language(side, language, fewest=1) for language, side in sides}
    if others == {*release.languages}:
        exchanged = _EXCHANGED.get(requested.own.kind, "its two files")
        return [f"The sides of {name} seem to be swapped. Exchange {exchanged}."]
    warnings = [language_warning(name, side, language) for language, side in sides]
    return [warning for warning in warnings if warning]


def _paths(requested: RequestedBitext) -> tuple[Path, ...]:
    """Return the files, two of them in the order of the release's languages; raises as `resolve`."""
    for language in (requested.language, requested.pivot):
        splitter(language)
    own = requested.own
    fields = ("language_file", "pivot_file") if isinstance(own, LineFiles) else ("file",)
    paths = tuple(_file(getattr(own, field), field) for field in fields)
    return paths if _release(requested).a == requested.language else paths[::-1]


def _release(requested: RequestedBitext) -> Release:
    return Release.of(f"{requested.own.full_name}:moses", requested.language, requested.pivot)


def _file(path: Path, field: str) -> Path:
    if not path.is_file():
        kind = what_is_at(path)
        raise SettingsError(f"{field} {str(path)!r} is {kind}; expected a file. Correct the path.")
    return path
