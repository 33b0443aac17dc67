"""Divide pairs into train, validation and test, and find texts of one set in another.

A document, or a run of links of a corpus without documents, belongs to one set as a whole, by its name alone: the same
document of a corpus is in the same set in every build of a language.
"""

import hashlib
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, FilePath, model_validator

from corpus.formats import SEPARATOR, WIKISPLIT_SEPARATOR
from pairs.errors import SettingsError
from pairs.records import JudgedPair, Pair
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
        "Pairs with the same text are rejected.",
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


class Divider:
    """The division of a build: reads all its judged pairs once, then answers for each.

    Memory: a digest of 8 bytes of each text for validation, test and contamination, about 100 bytes each in Python.
    """

    def __init__(self, division: Division, judged: Iterable[JudgedPair]) -> None:
        self._division = division
        self._corpora = dict.fromkeys(division.validation_corpora, SUBSETS[1])
        self._corpora |= dict.fromkeys(division.test_corpora, SUBSETS[2])
        self._documents: dict[str, Subset] = {}
        for path, subset in ((division.validation_documents, SUBSETS[1]), (division.test_documents, SUBSETS[2])):
            self._documents |= dict.fromkeys(_lines(path) if path else (), subset)
        self._foreign = {digest: path.name for path in division.contamination for digest in read_test_set(path)}
        self._with_documents: set[str] = set()
        self._held_out = self._read(judged)

    def subset(self, pair: Pair) -> Subset:
        """Return the set to which a pair belongs: by its document's name, its corpus or the shares, in this order."""
        corpus, _ = _document(pair)
        return self._subset(pair, has_documents=corpus in self._with_documents)

    def duplicate(self, pair: Pair) -> str | None:
        """Return why a pair must not be in its set, or None.

        Its `long` or its two sentences are in a foreign test set; or in the set for test, or for validation, which are
        not its own. Test goes before validation, and validation before train.
        """
        subset = self.subset(pair)
        for digest in digests(pair):
            if digest in self._foreign:
                return f"in {self._foreign[digest]}"
            if (other := self._held_out.get(digest, subset)) != subset:
                return f"duplicate of {other}"
        return None

    def _read(self, judged: Iterable[JudgedPair]) -> dict[int, Subset]:
        """Return the set of each text for validation and test, and note which corpora have several documents.

        Which ones do is known at the end only, so each pair is divided both ways.
        """
        first: dict[str, str] = {}
        texts: dict[tuple[Subset, bool, str], set[int]] = {}
        for pair, is_kept in ((one.pair, one.rejected_by is None) for one in judged):
            corpus, document = _document(pair)
            if first.setdefault(corpus, document) != document:
                self._with_documents.add(corpus)
            for has_documents in (False, True) if is_kept else ():
                subset = self._subset(pair, has_documents=has_documents)
                if subset != "train":
                    texts.setdefault((subset, has_documents, corpus), set()).update(digests(pair))
        held_out: dict[int, Subset] = {}
        for subset in SUBSETS[1:]:  # test last, so that a text of both is one of test
            for corpus in first:
                found = texts.get((subset, corpus in self._with_documents, corpus), ())
                held_out |= dict.fromkeys(found, subset)
        return held_out

    def _subset(self, pair: Pair, *, has_documents: bool) -> Subset:
        corpus, document = _document(pair)
        if named := self._documents.get(document) or self._corpora.get(corpus):
            return named
        unit = document if has_documents else f"{document}#{int(pair.id.rpartition(':')[2]) // RUN}"
        share = _digest(f"{corpus}/{unit}") / 2**64
        division = self._division
        if share < division.test:
            return "test"
        return "validation" if share < division.test + division.validation else "train"


def normalized(text: str) -> str:
    """Return the letters, digits and combining marks of a text in NFKC without differences of case.

    Marks stay because they are the vowels of Indic scripts.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return "".join(one for one in folded if one.isalnum() or unicodedata.category(one).startswith("M"))


def digests(pair: Pair) -> Iterator[int]:
    """Yield digests of 64 bits of the normalised texts of a pair: `long`, and its two sentences together."""
    for text in (pair.long, " ".join(pair.split)):
        if letters := normalized(text):
            yield _digest(letters)


def read_test_set(path: Path) -> Iterator[int]:
    """Yield digests of the columns of each line, without BiSECT's and WikiSplit's separators.

    Raises SettingsError if the file cannot be read or is not UTF-8.
    """
    for line in _lines(path):
        for column in line.replace(SEPARATOR, " ").replace(WIKISPLIT_SEPARATOR, " ").split("\t"):
            if letters := normalized(column):
                yield _digest(letters)


def _lines(path: Path) -> list[str]:
    try:
        return [line.strip() for line in _read(path).decode("utf-8-sig").split("\n") if line.strip()]
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
