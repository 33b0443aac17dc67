"""The division into train, validation and test: its settings, and what it needs and says of a record."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, Self

from pydantic import Field, FilePath, model_validator

from bitext_pivot.core.reading import input_files
from bitext_pivot.core.settings import Settings
from bitext_pivot.core.storage import atomic

Subset = Literal["train", "validation", "test"]
SUBSETS: tuple[Subset, ...] = ("train", "validation", "test")
SIMILARITY = 0.6
"""Jaccard similarity from which a text is a near-duplicate, unless a form says otherwise."""


class DivisionItem(NamedTuple):
    """What the division needs of a record."""

    id: str
    corpus: str
    document: str
    """Its document in the language of the data set; the same one for all records of a corpus without documents."""
    position: int
    """Position in the document; where a corpus has few documents, runs of 100 positions are divided."""
    texts: tuple[str, ...]
    """Texts that no other set may have."""


class Division(Settings):
    """Which pairs are for validation and for test; the others are for training."""

    validation: float = Field(default=0.05, ge=0, lt=1, title="Share for validation")
    """Share of the documents for validation, drawn by their names; of a corpus with fewer than 100 documents,
    share of their parts of 100 links. 0: only what is named below."""
    test: float = Field(default=0.05, ge=0, lt=1, title="Share for test")
    """Share of the documents for test, drawn as those for validation. 0: only what is named below."""
    validation_corpora: list[str] = Field(default=[], title="Corpora for validation")
    """Names without release, such as EMEA; all their pairs are for validation."""
    test_corpora: list[str] = Field(default=[], title="Corpora for test")
    """Names without release; all their pairs are for test. The shares apply to the other corpora."""
    validation_documents: FilePath | None = Field(default=None, title="Documents for validation")
    """A file of names as in the column `document`, one per line; they go before corpora and shares."""
    test_documents: FilePath | None = Field(default=None, title="Documents for test")
    """A file of names as in the column `document`, one per line; they go before corpora and shares."""
    contamination: list[FilePath] = Field(default=[], title="Foreign test sets")
    """Files of test sets: one sentence per line, or BiSECT's, WikiSplit's or tab-separated columns. Pairs
    with the same text, or nearly the same, are rejected and listed in contamination.jsonl."""
    near_duplicates: float = Field(
        default=SIMILARITY, ge=0.5, le=1, title="Similarity of near-duplicates"
    )
    """Jaccard similarity of the runs of three words from which a text of another set or a foreign test set is
    a near-duplicate. 1: only the same letters and digits are a duplicate."""

    @model_validator(mode="after")
    def _leaves_pairs_for_training(self) -> Self:
        if self.validation + self.test >= 1:
            raise ValueError(
                f"the shares {self.validation} and {self.test} leave nothing to train on: lower one"
            )
        if names := set(self.validation_corpora) & set(self.test_corpora):
            raise ValueError(
                f"{', '.join(sorted(names))} is for validation and for test: name each corpus once"
            )
        return self

    def check(self, corpora: Collection[str]) -> None:
        """Raise ValueError if a corpus for validation or test is none of the `corpora` of a build."""
        if unknown := sorted({*self.validation_corpora, *self.test_corpora} - {*corpora}):
            raise ValueError(
                f"division names {', '.join(unknown)}, not read here: expected of {', '.join(corpora)}"
            )

    def files(self) -> dict[str, str]:
        """Return the SHA-256 of each named file, by its path."""
        paths = (self.validation_documents, self.test_documents, *self.contamination)
        return {str(path): atomic.sha256(path) for path in paths if path}


@dataclass(frozen=True, slots=True, kw_only=True)
class ContaminationMatch:
    """A line of a foreign test set that a record repeats."""

    file: str
    """Name of the file, without its folder."""
    line: int
    """Counted from 1."""
    text: str
    id: str
    """Of the record."""
    texts: tuple[str, ...]
    """Of the record, as in its item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """The set of a record, and why the record must not be in it."""

    subset: Subset
    rejected_by: str | None = None
    """What rejects it here; None if it stays, and for a record that was rejected before."""
    match: ContaminationMatch | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOutText:
    """A text that records of other sets must not have."""

    subset: Subset
    text: str


def read_lines(path: Path) -> list[tuple[int, str]]:
    """Return the lines of a file that are not empty, numbered from 1. Raises SettingsError if it is no text file."""
    lines = enumerate(
        input_files.utf8_lines(path, "Name a text file, one sentence or name per line."), 1
    )
    return [(number, line.strip()) for number, line in lines if line.strip()]
