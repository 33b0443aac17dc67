"""Formats of a data set: the settings of the export, and one row as lines of text."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from corpus.rows import Row
from pairs.settings import Settings

SEPARATOR = "<SEP>"
"""Between the two sentences in files of BiSECT."""
WIKISPLIT_SEPARATOR = "<::::>"
_SIDES = ("long", "split")


class Files(Settings):
    """Formats and sizes of the files of a data set. Each recipe adds its formats."""

    formats: Sequence[str]
    compress: bool = Field(
        default=False,
        title="Compress text",
        description="Compress all files but Parquet with zstd (`.zst`). Parquet is always compressed with zstd.",
    )
    file_rows: int = Field(
        default=200_000, ge=1, title="Rows per file", description="Pairs after which the next file begins."
    )

    FULL: ClassVar[Sequence[str]] = ("parquet", "jsonl")
    """Formats with all columns."""
    TEXT: ClassVar[Mapping[str, "TextFormat"]] = {}
    """The recipe's own formats."""

    @model_validator(mode="after")
    def _can_be_loaded(self) -> Self:
        if not set(self.FULL) & set(self.formats):
            raise ValueError("formats has neither parquet nor jsonl, the two with all columns: add one")
        if len(set(self.formats)) < len(self.formats):
            raise ValueError(f"formats has one twice ({', '.join(self.formats)}): name each once")
        return self

    @property
    def loaded(self) -> str:
        """The format that the card names for `load_dataset`."""
        return next(one for one in self.FULL if one in self.formats)

    def endings(self, name: str) -> tuple[str, ...]:
        """Return the file name extensions of a format."""
        if name == "parquet":
            return (".parquet",)
        endings = (".jsonl",) if name == "jsonl" else self.TEXT[name].endings
        return tuple(ending + (".zst" if self.compress else "") for ending in endings)


@dataclass(frozen=True, slots=True)
class TextFormat:
    """A format of one line per row, in one file or in several line-aligned files."""

    endings: tuple[str, ...]
    columns: Sequence[str]
    """The columns of a row that the functions below read."""
    lines: Callable[[Any], tuple[str, ...]]
    """The lines of a row, one per file."""
    texts: Callable[[Any], Sequence[str]] = lambda _: ()
    """The texts of a row that may not have a line break or one of `reserved`."""
    reserved: tuple[str, ...] = ()
    """Strings with a meaning in the format."""
    header: str = ""
    """The first line of each file, if it has one."""

    def accepts(self, row: Mapping[str, Any]) -> bool:
        """Return True if a row can be written without changing its text."""
        texts = self.texts(row)
        return not any(len(text.splitlines()) > 1 or any(word in text for word in self.reserved) for text in texts)


def _texts(row: Row) -> tuple[str, ...]:
    return row["long"], *row["split"]


def _columns(row: Row, separator: str) -> tuple[str, str]:
    return row["long"], f" {separator} ".join(row["split"])


class Export(Files):
    """Formats and sizes of the files of a data set of split sentences."""

    formats: list[Literal["parquet", "jsonl", "bisect", "wikisplit", "tsv"]] = Field(
        default=["parquet", "jsonl", "bisect"],
        title="Formats",
        description="parquet, jsonl: all columns, also of rejected pairs; `load_dataset` reads either. bisect: `.src` "
        "and `.dst` as BiSECT was released. wikisplit: `long<TAB>s1 <::::> s2`. tsv: `long<TAB>s1 <SEP> s2`, which "
        "`bitext-pivot judge` reads.",
    )

    TEXT: ClassVar[Mapping[str, TextFormat]] = {
        "bisect": TextFormat((".src", ".dst"), _SIDES, lambda row: _columns(row, SEPARATOR), _texts, (SEPARATOR,)),
        "wikisplit": TextFormat(
            (".wikisplit.tsv",),
            _SIDES,
            lambda row: ("\t".join(_columns(row, WIKISPLIT_SEPARATOR)),),
            _texts,
            (WIKISPLIT_SEPARATOR, "\t"),
        ),
        "tsv": TextFormat(
            (".tsv",), _SIDES, lambda row: ("\t".join(_columns(row, SEPARATOR)),), _texts, (SEPARATOR, "\t")
        ),
    }
