"""Write records to the files of a data set, by their subset, count them, and draw examples."""

from array import array
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from bitext_pivot.core.counts import Counts
from bitext_pivot.core.sampling import HashSample, rank
from bitext_pivot.core.tables import escape
from bitext_pivot.corpus import text_formats
from bitext_pivot.corpus.data_set_files import DataSetFiles
from bitext_pivot.corpus.division import SUBSETS, Assignment
from bitext_pivot.corpus.formats import json_line
from bitext_pivot.corpus.pair_relations import EQUAL
from bitext_pivot.corpus.recipe import REJECTED, REST, Recipe, RowSpec
from bitext_pivot.corpus.trust import PairRanking, Trust

EXAMPLES = 10
"""Maximum number of examples per group of records (`CardText.group`), such as a category."""
_Row = Mapping[str, Any]


class RecordObserver(Protocol):
    """An object that receives every exported record, such as a sample of the records."""

    def add(self, record: Any, row: _Row, rejected_by: str | None) -> None:
        """Process the next record, given its row and the reason for its rejection, if any."""


class ExampleSample:
    """A sample of kept records, up to 10 for each group of the recipe, drawn by hashes of their ids."""

    def __init__(self, recipe: Recipe[Any]) -> None:
        self._card = recipe.card
        self._groups: dict[str, HashSample[str]] = {}

    def add(self, record: Any, row: _Row, rejected_by: str | None) -> None:
        """Process the next record. Rejected records are ignored."""
        if rejected_by is None:
            group = self._groups.setdefault(self._card.group(record), HashSample(EXAMPLES))
            example = self._card.example
            group.add(row["id"], lambda: example(record) if example else _columns(row))

    def groups(self) -> dict[str, list[str]]:
        """Return the sampled records in Markdown, by group."""
        return {name: sample.values() for name, sample in sorted(self._groups.items())}


def _columns(row: _Row) -> str:
    values = {
        name: value if isinstance(value, str) else json_line(value) for name, value in row.items()
    }
    lines = [f"- {name}: {escape(' '.join(text.split()))}" for name, text in values.items()]
    return "\n".join([escape(row["id"]), "", *lines])


def reject_equal_records(
    rows: RowSpec, records: Iterable[tuple[Any, Assignment]]
) -> Iterator[tuple[Any, Assignment]]:
    """Yield all records with their subsets, and reject those that equal an earlier kept record.

    `rows.equal_by` returns the texts that are compared. Without this function, no record is rejected; with it, each
    kept record needs about 100 bytes of memory.
    """
    ranks: set[int] = set()
    for record, assignment in records:
        if rows.equal_by and not (record.rejected_by or assignment.rejected_by):
            number = rank("\n".join(rows.equal_by(record)))
            if number in ranks:
                assignment = replace(assignment, rejected_by=EQUAL)
            ranks.add(number)
        yield record, assignment


def rank_kept_records(
    rows: RowSpec, records: Iterable[tuple[Any, Assignment]], best: float
) -> Iterator[Trust] | None:
    """Return the trust of each kept record (its rank in its corpus), in the order of `records`.

    Returns None if the rows of the recipe have no column `trust`. `best` is the share of each corpus to mark as best.
    """
    if rows.ranking_input is None:
        return None
    ranking = PairRanking()
    for record, assignment in reject_equal_records(rows, records):
        if not (record.rejected_by or assignment.rejected_by):
            ranking.add(rows.ranking_input(record))
    return iter(ranking.trust(best))


def export_records(
    files: DataSetFiles,
    recipe: Recipe[Any],
    records: Iterable[tuple[Any, Assignment]],
    *observers: RecordObserver,
    trust: Iterator[Trust] | None = None,
) -> Counts:
    """Write all records of a build to the files of its data set, and count them.

    `trust` is the result of `rank_kept_records` for the same records. Each observer gets every record, with its row for
    the recipe's first kind of row, such as `pairs`. The counts are described at
    `bitext_pivot.corpus.facts.BuildFacts`. If there are no records, an empty training file is written.
    """
    rows, counted = recipe.rows, recipe.counted
    first_kind = rows.first_kind
    counts, unique = Counts(), {name: array("q") for name in counted.unique}
    with files:
        for record, assignment in reject_equal_records(rows, records):
            rejected_by = record.rejected_by or assignment.rejected_by
            row = rows.row(record, first_kind)
            is_best = True
            if trust is not None and rejected_by is None:
                percentile, is_best = next(trust)
                row = {**row, "trust": percentile}
            for observer in observers:
                observer.add(record, row, rejected_by)
            counts.update(counted.count(record, rejected_by))
            counts["verdicts", _source(row), rejected_by or "kept"] += 1
            if rejected_by is None:
                for kind in rows.kinds(record):
                    written = kind if is_best or kind != first_kind else REST
                    columns = row if kind == first_kind else rows.row(record, kind)
                    files.write(written, assignment.subset, columns)
                    counts["kinds", written] += 1
                if not is_best:
                    continue
                counts.update(_kept(row, counted.labels, assignment.subset))
                for name, hashes in unique.items():
                    hashes.append(hash(str(row[name])))
            else:
                files.write(REJECTED, assignment.subset, {**row, "rejected_by": rejected_by})
                counts["kinds", REJECTED] += 1
                counts["divided" if record.rejected_by is None else "rejected", rejected_by] += 1
        if not files.subsets(first_kind):  # otherwise `load_dataset` would load other files
            files.begin(first_kind, SUBSETS[0])
    counts += text_formats.write_text_formats(files, first_kind, counts.below("rejected"))
    counts.update({("unique", name): len(np.unique(hashes)) for name, hashes in unique.items()})
    return counts


def _source(row: _Row) -> str:
    """Return `corpus/release` of a row, or `pairs` if the row was not built from bitext."""
    if not row["corpus"]:
        return "pairs"
    return f"{row['corpus']}/{row['release']}"


def _kept(row: _Row, labels: Iterable[str], subset: str) -> list[tuple[str, ...]]:
    """Return the names of the counters to increment for a kept record of any recipe.

    A row of a joined data set may stand for equal rows of several corpora. It then counts for the licence of each.
    """
    licences = {
        ("licence", f"{source['corpus']}/{source['release']}", source["licence"] or "unknown")
        for source in row.get("sources") or [row]
    }
    labelled = [("labels", name, row[name] or "") for name in labels]
    return [("subset", subset), *sorted(licences), *labelled]
