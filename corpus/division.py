"""Settings of the division into train, validation and test, and the classes of its input and results."""

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
"""Default Jaccard similarity at which a text counts as a near-duplicate."""


class DivisionItem(NamedTuple):
    """The fields of a record that decide whether it is for train, validation or test."""

    id: str
    corpus: str
    document: str
    """Name of the document in the language of the data set. A corpus without documents counts as one document."""
    position: int
    """Position of the record in the document. In a corpus with few documents, runs of 100 positions share a subset."""
    texts: tuple[str, ...]
    """Texts that must not occur in another subset."""


class Division(Settings):
    """Which pairs are for validation and test. All others are for training."""

    validation: float = Field(default=0.05, ge=0, lt=1, title="Share for validation")
    """Share of the documents to use for validation, drawn by hashes of their names. In a corpus with fewer than 100
    documents, runs of 100 links are drawn instead. 0: only the corpora and documents named below."""
    test: float = Field(default=0.05, ge=0, lt=1, title="Share for test")
    """Share of the documents to use for test, drawn in the same way. 0: only the corpora and documents named below."""
    validation_corpora: list[str] = Field(default=[], title="Corpora for validation")
    """Names of corpora without the release: EMEA, not EMEA/v3. All pairs of these corpora are for validation."""
    test_corpora: list[str] = Field(default=[], title="Corpora for test")
    """Names of corpora without the release: EMEA, not EMEA/v3. All pairs of these corpora are for test. The shares
    for validation and test apply to all other corpora."""
    validation_documents: FilePath | None = Field(default=None, title="Documents for validation")
    """A file with one document name per line, as in the column `document`. These documents are for validation.
    This takes precedence over the lists of corpora and over the shares."""
    test_documents: FilePath | None = Field(default=None, title="Documents for test")
    """A file with one document name per line, as in the column `document`. These documents are for test. This takes
    precedence over the lists of corpora and over the shares."""
    contamination: list[FilePath] = Field(default=[], title="Foreign test sets")
    """Files of test sets: one sentence per line, tab-separated columns, or the files of BiSECT or WikiSplit. Pairs
    that repeat a text of these files, exactly or nearly, are rejected and listed in contamination.jsonl."""
    near_duplicates: float = Field(
        default=SIMILARITY, ge=0.5, le=1, title="Similarity of near-duplicates"
    )
    """Minimum Jaccard similarity of two near-duplicates, computed from their runs of three words. 1: only texts with
    the same letters and digits are duplicates."""

    @model_validator(mode="after")
    def _leaves_pairs_for_training(self) -> Self:
        if self.validation + self.test >= 1:
            raise ValueError(
                f"the shares {self.validation} and {self.test} leave no documents for training: lower one of them"
            )
        if names := set(self.validation_corpora) & set(self.test_corpora):
            raise ValueError(
                f"{', '.join(sorted(names))} is named for validation and for test: name each corpus once"
            )
        return self

    def check(self, corpora: Collection[str]) -> None:
        """Raise ValueError if a corpus for validation or test is not in `corpora`."""
        if unknown := sorted({*self.validation_corpora, *self.test_corpora} - {*corpora}):
            raise ValueError(
                f"division names {', '.join(unknown)}, which this build does not read: expected one of "
                f"{', '.join(corpora)}"
            )

    def files(self) -> dict[str, str]:
        """Return the SHA-256 of each list of documents and each test set in the settings, by path."""
        paths = (self.validation_documents, self.test_documents, *self.contamination)
        return {str(path): atomic.sha256(path) for path in paths if path}


@dataclass(frozen=True, slots=True, kw_only=True)
class ContaminationMatch:
    """A record that repeats a line of a test set in `division.contamination`, and that line."""

    file: str
    """Name of the test set's file, without its folder."""
    line: int
    """Number of the line, counted from 1."""
    text: str
    """Text of the line."""
    id: str
    """Id of the record."""
    texts: tuple[str, ...]
    """Texts of the record (`DivisionItem.texts`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """The subset of a record, and the reason to reject the record if it repeats a text of another subset."""

    subset: Subset
    rejected_by: str | None = None
    """Reason to reject the record, such as `duplicate of test`. None if the record is accepted, or if a filter has
    already rejected it."""
    match: ContaminationMatch | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOutText:
    """A text of validation or test, which records of other subsets must not repeat."""

    subset: Subset
    text: str


def read_lines(path: Path) -> list[tuple[int, str]]:
    """Return the non-empty lines of a file with their line numbers, counted from 1.

    Raises SettingsError if the file is not a text file.
    """
    lines = enumerate(
        input_files.utf8_lines(path, "Name a text file, one sentence or name per line."), 1
    )
    return [(number, line.strip()) for number, line in lines if line.strip()]
