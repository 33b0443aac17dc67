"""Divide pairs into train, validation and test, and find texts of one set in another.

A document, or a run of links of a corpus without documents, belongs to one set as a whole, by its name alone: the same
document of a corpus is in the same set in every build of a language.
"""

import hashlib
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, FilePath, model_validator

from corpus.formats import SEPARATOR, WIKISPLIT_SEPARATOR
from corpus.near_duplicates import HeldOut, words
from pairs.errors import SettingsError
from pairs.records import Pair
from pairs.settings import Settings

Subset = Literal["train", "validation", "test"]
SUBSETS: tuple[Subset, ...] = ("train", "validation", "test")
RUN = 1_000
"""Links in a row that stay together in a corpus without documents."""


class Division(Settings):
    """Which pairs are for validation and for test; the others are for training."""

    validation: float = Field(
        default=0.05,
        ge=0,
        lt=1,
        title="Share for validation",
        description="Share of the documents for validation, drawn by their names. 0: only what is named below.",
    )
    test: float = Field(
        default=0.05,
        ge=0,
        lt=1,
        title="Share for test",
        description="Share of the documents for test, drawn by their names. 0: only what is named below.",
    )
    validation_corpora: list[str] = Field(
        default=[],
        title="Corpora for validation",
        description="Names without release, such as EMEA; all their pairs are for validation.",
    )
    test_corpora: list[str] = Field(
        default=[],
        title="Corpora for test",
        description="Names without release; all their pairs are for test. The shares apply to the other corpora.",
    )
    validation_documents: FilePath | None = Field(
        default=None,
        title="Documents for validation",
        description="A file of names as in the column `document`, one per line; they go before corpora and shares.",
    )
    test_documents: FilePath | None = Field(
        default=None,
        title="Documents for test",
        description="A file of names as in the column `document`, one per line; they go before corpora and shares.",
    )
    contamination: list[FilePath] = Field(
        default=[],
        title="Foreign test sets",
        description="Files of test sets: one sentence per line, or BiSECT's, WikiSplit's or tab-separated columns. "
        "Pairs with the same text, or nearly the same, are rejected and listed in contamination.jsonl.",
    )
    near_duplicates: float = Field(
        default=0.7,
        ge=0.5,
        le=1,
        title="Similarity of near-duplicates",
        description="Jaccard similarity of the runs of three words from which a text of another set or a foreign test "
        "set is a near-duplicate. 1: only the same letters and digits are a duplicate.",
    )

    @model_validator(mode="after")
    def _leaves_pairs_for_training(self) -> Self:
        if self.validation + self.test >= 1:
            raise ValueError(f"the shares {self.validation} and {self.test} leave nothing to train on: lower one")
        if both := set(self.validation_corpora) & set(self.test_corpora):
            raise ValueError(f"{', '.join(sorted(both))} is for validation and for test: name each corpus once")
        return self

    def check(self, corpora: Collection[str]) -> None:
        """Raise ValueError if a corpus for validation or test is none of the `corpora` of a build."""
        if unknown := sorted({*self.validation_corpora, *self.test_corpora} - {*corpora}):
            raise ValueError(f"division names {', '.join(unknown)}, not read here: expected of {', '.join(corpora)}")

    def files(self) -> dict[str, str]:
        """Return the SHA-256 of each named file, by its path. Raises SettingsError if one cannot be read."""
        paths = (self.validation_documents, self.test_documents, *self.contamination)
        return {str(path): hashlib.sha256(_read(path)).hexdigest() for path in paths if path}


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A line of a foreign test set that a pair repeats."""

    file: str
    line: int
    """Counted from 1."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The set of a pair, and why the pair must not be in it."""

    subset: Subset
    rejected_by: str | None = None
    match: Match | None = None


class Divider:
    """The division of a build: reads all its pairs twice, then answers for each.

    `pairs` returns all pairs, each with the filter that rejected it or None. Memory holds the texts for validation,
    test and contamination (`HeldOut`). Raises SettingsError if a file of the settings is no text.
    """

    def __init__(self, division: Division, pairs: Callable[[], Iterable[tuple[Pair, str | None]]]) -> None:
        self._division = division
        self._corpora = dict.fromkeys(division.validation_corpora, SUBSETS[1])
        self._corpora |= dict.fromkeys(division.test_corpora, SUBSETS[2])
        self._documents: dict[str, Subset] = {}
        for path, subset in ((division.validation_documents, SUBSETS[1]), (division.test_documents, SUBSETS[2])):
            self._documents |= dict.fromkeys((name for _, name in _lines(path)) if path else (), subset)
        self._lines: list[Match] = []
        self._foreign = HeldOut(division.near_duplicates)
        for path in division.contamination:
            for number, line in _lines(path):
                self._lines.append(Match(file=str(path), line=number, text=line))
                for text in columns(line):
                    self._foreign.add(words(text), len(self._lines) - 1)
        self._with_documents, documents = _with_documents(pair for pair, _ in pairs())
        self.unmatched = sorted(self._documents.keys() - documents)
        """Names in the lists of documents that no pair has."""
        self._held_out: dict[Subset, HeldOut] = {name: HeldOut(division.near_duplicates) for name in SUBSETS[1:]}
        for pair, rejected_by in pairs():
            held_out = self._held_out.get(self.subset(pair))
            if held_out is not None and rejected_by is None:
                for text in texts(pair):
                    held_out.add(words(text))

    def subset(self, pair: Pair) -> Subset:
        """Return the set to which a pair belongs: by its document's name, its corpus or the shares, in this order."""
        corpus, document = _document(pair)
        if named := self._documents.get(document) or self._corpora.get(corpus):
            return named
        has_documents = corpus in self._with_documents
        unit = document if has_documents else f"{document}#{int(pair.id.rpartition(':')[2]) // RUN}"
        share = _digest(f"{corpus}/{unit}") / 2**64
        if share < self._division.test:
            return "test"
        return "validation" if share < self._division.test + self._division.validation else "train"

    def place(self, pair: Pair) -> Place:
        """Return the set of a pair, and what rejects it: its `long` or its two sentences are (nearly) elsewhere.

        Elsewhere is a foreign test set; for pairs of training and validation test; for pairs of training validation.
        """
        subset, texts_of_pair = self.subset(pair), [words(text) for text in texts(pair)]
        for text in texts_of_pair:
            if found := self._foreign.find(text):
                match, kind = self._lines[found[0]], "near-duplicate in" if found[1] else "in"
                return Place(subset=subset, rejected_by=f"{kind} {Path(match.file).name}", match=match)
        for other in SUBSETS[: SUBSETS.index(subset) : -1]:
            for text in texts_of_pair:
                if found := self._held_out[other].find(text):
                    kind = "near-duplicate" if found[1] else "duplicate"
                    return Place(subset=subset, rejected_by=f"{kind} of {other}")
        return Place(subset=subset)


def texts(pair: Pair) -> tuple[str, str]:
    """Return the texts of a pair that no other set may have: `long`, and its two sentences together."""
    return pair.long, " ".join(pair.split)


def columns(line: str) -> list[str]:
    """Return the columns of a line of a test set, without BiSECT's and WikiSplit's separators."""
    return line.replace(SEPARATOR, " ").replace(WIKISPLIT_SEPARATOR, " ").split("\t")


def _with_documents(pairs: Iterable[Pair]) -> tuple[set[str], set[str]]:
    """Return the corpora with several documents, and all documents."""
    documents: dict[str, set[str]] = {}
    for pair in pairs:
        corpus, document = _document(pair)
        documents.setdefault(corpus, set()).add(document)
    several = {corpus for corpus, names in documents.items() if len(names) > 1}
    return several, set().union(*documents.values())


def _lines(path: Path) -> list[tuple[int, str]]:
    """Return the lines of a file that are not empty, numbered from 1. Raises SettingsError if it is no text file."""
    try:
        lines = enumerate(_read(path).decode("utf-8-sig").split("\n"), 1)
        return [(number, line.strip()) for number, line in lines if line.strip()]
    except UnicodeDecodeError as error:
        raise SettingsError(
            f"{path} is not UTF-8 (byte {error.start}). Convert it, one sentence or name a line."
        ) from error


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise SettingsError(f"{path} cannot be read ({error.strerror}). Name a text file.") from error


def _document(pair: Pair) -> tuple[str, str]:
    """Return the corpus of a pair and its document in the language of the pair."""
    source = pair.alignment
    if source is None:
        return "", ""
    return source.corpus, source.one_document if source.one_language == pair.language else source.two_document


def _digest(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
