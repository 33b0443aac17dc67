"""Formats of lines, each written in one pass over the finished rows of a data set: `pairs/train-00000.src`.

Preferences need a second pass: a line has a kept and a rejected split of the same long sentence.
"""

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import chain, groupby

import numpy as np

from bitext_pivot.core.counts import Counts
from bitext_pivot.corpus import reading
from bitext_pivot.corpus.data_set_files import DataFiles, stream
from bitext_pivot.corpus.formats import Row
from bitext_pivot.corpus.recipe import REJECTED

_Rows = Iterable[Row]
_ByLong = defaultdict[str, list[Row]]
_LONG = ("long", "rejected_by")


def write(files: DataFiles, first_kind: str, reasons: Collection[str]) -> Counts:
    """Write the formats of lines of kept rows, and count `skipped` rows.

    Formats with a folder have rows of `first_kind`, counted in `kinds`. `reasons` are those of rejected
    records: what the division rejects is neither a better nor a worse split.
    """
    export = files.export
    counts = Counts()
    for name in export.formats:
        if name in export.full:
            continue
        if name not in export.apart:
            counts += _write_beside(files, name)
        elif export.text(name).is_paired:
            counts += _write_apart(files, name, _preferences(files, first_kind, reasons))
        else:
            rows = {subset: files.read(first_kind, subset) for subset in files.subsets(first_kind)}
            counts += _write_apart(files, name, rows)
    return counts


def _write_beside(files: DataFiles, name: str) -> Counts:
    """Write a file of a format beside each file of kept rows."""
    ending = files.export.endings(files.export.loaded)[0]
    counts = Counts()
    for path in _kept_files(files):
        rows = reading.read(files.folder / path)
        written = _write_file(files, name, path.removesuffix(ending), rows)
        reason = f"not in the files of {name}: separator or line break in the text"
        counts["skipped", reason] += files.rows[path] - written
    return counts


def _kept_files(files: DataFiles) -> Iterator[str]:
    """Yield the files of kept rows."""
    for kind in files.schemas:
        if kind != REJECTED:
            for subset in files.subsets(kind):
                yield from files.loaded(kind, subset)


def _write_apart(files: DataFiles, name: str, sets: dict[str, _Rows]) -> Counts:
    """Write the rows of each set to the files of a format in its own folder."""
    size = files.export.file_rows
    counts = Counts()
    for subset, rows in sets.items():
        for number, numbered in groupby(enumerate(rows), lambda entry: entry[0] // size):
            part = (row for _, row in numbered)
            stem = f"{name}/{subset}-{number:05d}"
            counts["kinds", name] += _write_file(files, name, stem, part)
    return counts


def _write_file(files: DataFiles, name: str, stem: str, rows: _Rows) -> int:
    """Write rows to the line-aligned files of a format; returns how many it can hold."""
    text_format = files.export.text(name)
    names = [stem + ending for ending in files.export.endings(name)]
    written = 0
    with ExitStack() as stack:
        outs = [stack.enter_context(stream(files.folder / path)) for path in names]
        if text_format.header:
            for out in outs:
                out.write(f"{text_format.header}\n".encode())
        for row in filter(text_format.accepts, rows):
            for out, line in zip(outs, text_format.lines(row), strict=True):
                out.write(line.encode())
            written += 1
    files.rows.update(dict.fromkeys(names, written))
    return written


def _preferences(files: DataFiles, kind: str, reasons: Collection[str]) -> dict[str, _Rows]:
    """Return a row for each kept and each rejected split of a sentence, by the set of the kept one.

    Of equal rejected splits the first one counts. Memory: 8 bytes per row, and the rows of sentences with
    both.
    """
    kept_longs = array("q")
    for subset in files.subsets(kind):
        kept_longs.extend(hash(row["long"]) for row in files.read(kind, subset, ["long"]))
    rejected_longs = array("q")
    for row in _rejected(files, reasons, _LONG):
        rejected_longs.append(hash(row["long"]))
    shared = set(np.intersect1d(kept_longs, rejected_longs).tolist())
    rejected: _ByLong = defaultdict(list)
    for row in _rejected(files, reasons):
        if hash(row["long"]) in shared:
            rejected[row["long"]].append(row)
    sets: dict[str, _Rows] = {}
    for subset in files.subsets(kind):
        kept: _ByLong = defaultdict(list)
        for row in files.read(kind, subset):
            if hash(row["long"]) in shared:
                kept[row["long"]].append(row)
        sets[subset] = chain.from_iterable(
            _compared(rows, rejected[long]) for long, rows in kept.items()
        )
    return sets


def _rejected(
    files: DataFiles, reasons: Collection[str], columns: Sequence[str] | None = None
) -> Iterator[Row]:
    """Yield the rows that were rejected for one of the reasons."""
    for subset in files.subsets(REJECTED):
        for row in files.read(REJECTED, subset, columns):
            if row["rejected_by"] in reasons:
                yield row


def _compared(kept: Sequence[Row], rejected: Sequence[Row]) -> Iterator[Row]:
    """Yield each of the kept rows of a sentence with each of its rejected splits."""
    good = [row["split"] for row in kept]
    bad = {tuple(row["split"]): row for row in reversed(rejected) if row["split"] not in good}
    for row in kept:
        for other in reversed(bad.values()):
            yield {
                **row,
                "rejected": other["split"],
                "rejected_by": other["rejected_by"],
                "rejected_id": other["id"],
            }
