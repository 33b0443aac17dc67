"""Divide records into train, validation and test, and reject records that repeat a text of another subset.

A document belongs to one subset as a whole, and its name alone decides which: the same document of a corpus is in the
same subset in every build of a language. If a corpus has few documents, runs of 100 links are assigned instead.
"""

from collections.abc import Iterable, Iterator, Mapping

from bitext_pivot.core.reading.row_files import without_separators
from bitext_pivot.core.sampling import rank
from bitext_pivot.corpus.division import (
    SUBSETS,
    Assignment,
    ContaminationMatch,
    Division,
    DivisionItem,
    HeldOutText,
    Subset,
    read_lines,
)
from bitext_pivot.corpus.near_duplicates import TextIndex, TokenizedText, split_words

VERSION = 6
"""Version of the rules. It is part of the digest in the folder names of shards with assignments to subsets. Raise it
when a change assigns a record to another subset."""
ENOUGH = 100
"""Minimum number of documents in a corpus to assign whole documents. With fewer, shares of 5 % are missed by far."""
PART = 100
"""Number of consecutive links or sentences that share a subset in a corpus with fewer than `ENOUGH` documents."""


class SubsetRules:
    """The rules that decide whether a record is for train, validation or test.

    `starts` maps each document of a corpus with few documents to its first position (see `find_documents`). Raises
    SettingsError if a list of documents is not a text file.
    """

    def __init__(self, division: Division, starts: Mapping[str, int]) -> None:
        self._division, self._starts = division, starts
        self._corpora = dict.fromkeys(division.validation_corpora, SUBSETS[1])
        self._corpora |= dict.fromkeys(division.test_corpora, SUBSETS[2])
        self.documents: dict[str, Subset] = {}
        """The subset of each document that the user's lists of documents name."""
        for path, subset in (
            (division.validation_documents, SUBSETS[1]),
            (division.test_documents, SUBSETS[2]),
        ):
            self.documents |= dict.fromkeys(
                (name for _, name in read_lines(path)) if path else (), subset
            )

    def subset(self, item: DivisionItem) -> Subset:
        """Return the subset of a record.

        The lists of documents decide first, then the lists of corpora, then the shares.
        """
        if named := self.documents.get(item.document) or self._corpora.get(item.corpus):
            return named
        document = f"{item.corpus}/{item.document}"
        part = (item.position - self._starts.get(document, item.position)) // PART
        # The first run has the rank of the document, so that a short document is in one subset in every build.
        share = rank(f"{document}#{part}" if part else document) / 2**64
        if share < self._division.test:
            return "test"
        return "validation" if share < self._division.test + self._division.validation else "train"

    def held_out(self, items: Iterable[tuple[DivisionItem, str | None]]) -> Iterator[HeldOutText]:
        """Yield the texts of all accepted records for validation and test.

        `items` contains each record with the filter that rejected it, or with None if it was accepted.
        """
        for item, rejected_by in items:
            subset = self.subset(item)
            if subset != "train" and rejected_by is None:
                yield from (HeldOutText(subset=subset, text=text) for text in item.texts)


class SubsetAssigner:
    """Assigns each record of a build to a subset, and rejects records that repeat a text of another subset.

    Keeps the texts of validation, of test and of the test sets in `division.contamination` in memory. Raises
    SettingsError if a file that the settings name is not a text file.
    """

    def __init__(
        self, division: Division, sets: SubsetRules, held_out: Iterable[HeldOutText]
    ) -> None:
        self._sets = sets
        self._lines = [
            (path.name, number, line)
            for path in division.contamination
            for number, line in read_lines(path)
        ]
        foreign = (
            (TokenizedText(split_words(text)), n)
            for n, (_, _, line) in enumerate(self._lines)
            for text in split_columns(line)
        )
        self._foreign = TextIndex(division.near_duplicates, foreign)
        texts: dict[Subset, list[str]] = {name: [] for name in SUBSETS[1:]}
        for entry in held_out:
            texts[entry.subset].append(entry.text)
        self._held_out = {
            name: TextIndex(
                division.near_duplicates,
                ((TokenizedText(split_words(text)), 0) for text in texts[name]),
            )
            for name in texts
        }

    def assign(self, item: DivisionItem, rejected_by: str | None) -> Assignment:
        """Return the subset of a record, and the reason to reject it if it repeats a text.

        Every record is compared with the test sets in `division.contamination`, records of train and validation with
        the texts of test, and records of train with the texts of validation. A record that a filter has rejected
        (`rejected_by`) gets a subset without any comparison.
        """
        subset = self._sets.subset(item)
        if rejected_by is not None:
            return Assignment(subset=subset)
        texts = [TokenizedText(split_words(text)) for text in item.texts]
        for text in texts if self._lines else ():
            if hit := self._foreign.find(text):
                file, line, match = self._lines[hit[0]]
                rejected_by = f"{'near-duplicate in' if hit[1] else 'in'} {file}"
                repeated = ContaminationMatch(
                    file=file, line=line, text=match, id=item.id, texts=item.texts
                )
                return Assignment(subset=subset, rejected_by=rejected_by, match=repeated)
        for set_name in SUBSETS[: SUBSETS.index(subset) : -1]:
            for text in texts:
                if hit := self._held_out[set_name].find(text):
                    kind = "near-duplicate" if hit[1] else "duplicate"
                    return Assignment(subset=subset, rejected_by=f"{kind} of {set_name}")
        return Assignment(subset=subset)


def find_documents(items: Iterable[DivisionItem]) -> tuple[dict[str, int], set[str]]:
    """Return where the documents of small corpora begin, and the names of all documents.

    A corpus is small if it has fewer than `ENOUGH` documents. The positions are given by `corpus/document`.
    """
    starts: dict[str, dict[str, int]] = {}
    for item in items:
        positions = starts.setdefault(item.corpus, {})
        positions[item.document] = min(item.position, positions.get(item.document, item.position))
    few = {
        f"{corpus}/{document}": position
        for corpus, positions in starts.items()
        if len(positions) < ENOUGH
        for document, position in positions.items()
    }
    return few, set().union(*starts.values())


def split_columns(line: str) -> list[str]:
    """Return the tab-separated columns of a line, without the separators `<SEP>` and `<::::>`."""
    return without_separators(line).split("\t")
