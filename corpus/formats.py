"""Formats of a data set: the settings of the export, and one row as lines of text."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from corpus.rows import Row
from pairs.settings import Settings

SEPARATOR = "<SEP>"
"""Between the two sentences in files of BiSECT."""
WIKISPLIT_SEPARATOR = "<::::>"
Format = Literal["parquet", "jsonl", "bisect", "wikisplit", "tsv"]


class Export(Settings):
    """Formats and sizes of the files of a data set."""

    formats: list[Format] = Field(
        default=["parquet", "jsonl", "bisect"],
        title="Formats",
        description="parquet, jsonl: all columns, also of rejected pairs; `load_dataset` reads either. bisect: `.src` "
        "and `.dst` as BiSECT was released. wikisplit: `long<TAB>s1 <::::> s2`. tsv: `long<TAB>s1 <SEP> s2`, which "
        "`bitext-pivot judge` reads.",
    )
    compress: bool = Field(
        default=False,
        title="Compress text",
        description="Compress all files but Parquet with zstd (`.zst`). Parquet is always compressed with zstd.",
    )
    file_rows: int = Field(
        default=200_000, ge=1, title="Rows per file", description="Pairs after which the next file begins."
    )

    FULL: ClassVar[tuple[Format, ...]] = ("parquet", "jsonl")
    """Formats with all columns."""

    @model_validator(mode="after")
    def _can_be_loaded(self) -> Self:
        if not set(self.FULL) & set(self.formats):
            raise ValueError("formats has neither parquet nor jsonl, the two with all columns: add one")
        if len(set(self.formats)) < len(self.formats):
            raise ValueError(f"formats has one twice ({', '.join(self.formats)}): name each once")
        return self

    @property
    def loaded(self) -> Format:
        """The format that the card names for `load_dataset`."""
        return next(one for one in self.FULL if one in self.formats)

    def endings(self, name: Format) -> tuple[str, ...]:
        """Return the file name extensions of a format."""
        if name == "parquet":
            return (".parquet",)
        suffix = ".zst" if self.compress else ""
        return tuple(ending + suffix for ending in TEXT[name].endings)


def json_line(row: Mapping[str, Any]) -> str:
    """Return one line of JSON; line breaks of Unicode stay escaped so that every reader agrees on lines."""
    text = json.dumps(row, ensure_ascii=False)
    return text.replace("\x85", "\\u0085").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


@dataclass(frozen=True, slots=True)
class TextFormat:
    """A format of one line per pair, in one file or in two line-aligned files."""

    endings: tuple[str, ...]
    lines: Callable[[Row], tuple[str, ...]]
    """The lines of a pair, one per file."""
    reserved: tuple[str, ...] = ()
    """Strings with a meaning in the format: pairs whose text contains one or a line break are left out."""

    def accepts(self, row: Row) -> bool:
        """Return True if a pair can be written without changing its text."""
        texts = (row["long"], *row["split"]) if self.reserved else ()
        return not any(len(text.splitlines()) > 1 or any(word in text for word in self.reserved) for text in texts)


def _columns(row: Row, separator: str) -> tuple[str, str]:
    return row["long"], f" {separator} ".join(row["split"])


TEXT: dict[str, TextFormat] = {
    "jsonl": TextFormat((".jsonl",), lambda row: (json_line(row),)),
    "bisect": TextFormat((".src", ".dst"), lambda row: _columns(row, SEPARATOR), (SEPARATOR,)),
    "wikisplit": TextFormat(
        (".wikisplit.tsv",), lambda row: ("\t".join(_columns(row, WIKISPLIT_SEPARATOR)),), (WIKISPLIT_SEPARATOR, "\t")
    ),
    "tsv": TextFormat((".tsv",), lambda row: ("\t".join(_columns(row, SEPARATOR)),), (SEPARATOR, "\t")),
}
