"""The formats of a data set: the settings of the export, and the text formats with one line per row."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Literal, Self

import orjson
from pydantic import Field, model_validator

from bitext_pivot.core.reading.row_files import SEPARATOR, WIKISPLIT_SEPARATOR
from bitext_pivot.core.settings import Settings
from bitext_pivot.corpus.statement import Statement

_SIDES = ("long", "split")
_LINE_BREAK = "[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]"
DataRow = Mapping[str, Any]
Column = str | Callable[[DataRow], str]
"""The name of a column, or a function that computes a cell from a row."""


class ExportSettings(Settings):
    """Formats and sizes of the files of a data set. Each recipe derives a class with its own formats."""

    formats: Sequence[str]
    """Formats in which the rows are written."""
    compress: bool = Field(default=False, title="Compress text")
    """Compress all text files with zstd (`.zst`). Parquet files are always compressed with zstd."""
    file_rows: int = Field(default=200_000, ge=1, title="Rows per file")
    """Maximum number of rows in a file."""
    statement: Statement = Statement()
    """Texts of the data statement on the card, as JSON with any of the fields version, published, creators, url,
    collection, preprocessing, annotation, biases, personal_data, uses, wrong_uses."""

    FULL: ClassVar[Sequence[str]] = ("parquet", "jsonl")
    """Names of the formats that contain all columns."""
    TEXT: ClassVar[Mapping[str, "TextFormat"]] = {}
    """The text formats of the recipe, by name."""

    @model_validator(mode="after")
    def _can_be_loaded(self) -> Self:
        if not set(self.FULL) & set(self.formats):
            raise ValueError(
                "formats has neither parquet nor jsonl, the formats with all columns: add one of them"
            )
        if len(set(self.formats)) < len(self.formats):
            raise ValueError(
                f"formats names a format twice ({', '.join(self.formats)}): name each once"
            )
        return self

    def best_share(self) -> float:
        """Return the share of the kept rows to use.

        The remaining rows are written to the folder `rest`.
        """
        return 1.0

    @property
    def loaded_format(self) -> str:
        """The format of the files that `datasets.load_dataset` reads."""
        return next(name for name in self.FULL if name in self.full_formats)

    @property
    def full_formats(self) -> list[str]:
        """The requested formats that contain all columns."""
        return [name for name in self.formats if name in self.FULL]

    @property
    def folder_formats(self) -> list[str]:
        """The requested text formats whose files are in a folder of their own."""
        lines = [name for name in self.formats if name not in self.FULL]
        return [name for name in lines if self.text_format(name).has_folder]

    def text_format(self, name: str) -> "TextFormat":
        """Return a text format of the recipe by its name."""
        return self.TEXT[name]

    def extensions(self, name: str) -> tuple[str, ...]:
        """Return the file extensions of a format, one for each of its files."""
        if name == "parquet":
            return (".parquet",)
        extensions = (".jsonl",) if name == "jsonl" else self.text_format(name).files
        return tuple(name + (".zst" if self.compress else "") for name in extensions)


@dataclass(frozen=True, kw_only=True)
class TextFormat:
    """A text format with one line per row, in one file or in several line-aligned files."""

    files: Mapping[str, Sequence[Column]]
    """The tab-separated columns of each file, by its file extension."""
    texts: Sequence[str]
    """Columns whose texts must contain neither line breaks nor the separators of the format."""
    separator: str = ""
    """Separator between the texts of a column with several texts, such as `split`."""
    header: str = ""
    """First line of each file; "" if it has no header."""
    has_folder: bool = False
    """Whether the files are in a folder named like the format, instead of `pairs` and the other folders of rows."""
    is_paired: bool = False
    """Whether a line combines a kept row with a rejected row of the same sentence (corpus/text_formats.py)."""

    def accepts(self, row: DataRow) -> bool:
        """Return True if the texts of a row can be written in this format without a change."""
        has_columns = any(len(columns) > 1 for columns in self.files.values())
        misread = [
            _LINE_BREAK,
            *(["\t"] if has_columns else ()),
            *filter(None, [re.escape(self.separator.strip())]),
        ]
        pattern = "|".join(misread)
        return not any(
            re.search(pattern, text) for name in self.texts for text in _texts(row[name])
        )

    def lines(self, row: DataRow) -> list[str]:
        """Format a row as one line per file, each with its line terminator."""
        return [
            "\t".join(self._cell(row, column) for column in columns) + "\n"
            for columns in self.files.values()
        ]

    def _cell(self, row: DataRow, column: Column) -> str:
        return (
            self.separator.join(map(str, _texts(row[column])))
            if isinstance(column, str)
            else column(row)
        )


def _texts(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


def json_line(row: Any) -> str:
    """Return a value as one line of JSON.

    Unicode line breaks such as U+2028 are escaped, because some readers would end the line there.
    """
    text = orjson.dumps(row).decode()
    return text.replace("\x85", "\\u0085").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _message(role: str, text: str) -> dict[str, str]:
    return {"role": role, "content": text}


def _question(instruction: str, row: DataRow) -> dict[str, str]:
    if not instruction:
        return _message("user", row["long"])
    return _message("user", f"{instruction}\n\n{row['long']}")


def _answer(split: Sequence[str]) -> dict[str, str]:
    return _message("assistant", " ".join(split))


def _chat(instruction: str, row: DataRow) -> str:
    """Return a row as a conversation in JSON, with the fields `messages`, `id` and `licence`."""
    messages = [_question(instruction, row), _answer(row["split"])]
    return json_line({"messages": messages, "id": row["id"], "licence": row["licence"]})


def _preference(instruction: str, row: DataRow) -> str:
    """Return a kept and a rejected split of a sentence as JSON, as two answers to one question."""
    kept, rejected = row["kept"], row["rejected"]
    line = {
        "prompt": [_question(instruction, kept)],
        "chosen": [_answer(kept["split"])],
        "rejected": [_answer(rejected["split"])],
        "rejected_by": rejected["rejected_by"],
        "id": kept["id"],
        "rejected_id": rejected["id"],
        "licence": kept["licence"],
    }
    return json_line(line)


PairFormat = Literal["parquet", "jsonl", "bisect", "wikisplit", "tsv", "chat", "preference"]


class PairExportSettings(ExportSettings):
    """Formats and sizes of the files of a data set of split pairs."""

    formats: list[PairFormat] = ["parquet", "jsonl", "bisect"]
    """parquet, jsonl: all columns, also of rejected pairs; `load_dataset` reads either. bisect: files `.src` and
    `.dst` in the layout of the BiSECT release. wikisplit: `long<TAB>s1 <::::> s2`. tsv: `long<TAB>s1 <SEP> s2`, which
    `bitext-pivot judge` reads. chat: conversations, to fine-tune language models. preference: a kept and a
    rejected split of one sentence, to train on preferences."""
    instruction: str = "Rewrite this sentence as two sentences with the same meaning:"
    """The request that precedes the sentence in the formats chat and preference. Write it in the language of the
    pairs, or leave it empty."""

    best: float = Field(default=1.0, gt=0, le=1)
    """Share of the kept pairs of each corpus to use: the pairs with the highest `trust`, at least one. The remaining
    pairs are in the configuration `rest`."""

    TEXT: ClassVar[Mapping[str, TextFormat]] = {
        "bisect": TextFormat(
            files={".src": ["long"], ".dst": ["split"]}, texts=_SIDES, separator=f" {SEPARATOR} "
        ),
        "wikisplit": TextFormat(
            files={".wikisplit.tsv": _SIDES}, texts=_SIDES, separator=f" {WIKISPLIT_SEPARATOR} "
        ),
        "tsv": TextFormat(files={".tsv": _SIDES}, texts=_SIDES, separator=f" {SEPARATOR} "),
    }

    def best_share(self) -> float:
        """Return the setting `best`."""
        return self.best

    def text_format(self, name: str) -> TextFormat:
        """Return a text format by its name. The formats chat and preference contain `instruction`."""
        conversations = {"chat": _chat, "preference": _preference}
        if name not in conversations:
            return self.TEXT[name]
        return TextFormat(
            files={".jsonl": [partial(conversations[name], self.instruction)]},
            texts=(),
            has_folder=True,
            is_paired=name == "preference",
        )
