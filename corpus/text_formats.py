"""Formats of lines, each written in a pass over the finished rows of a data set: `pairs/train-00000.src`."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack
from itertools import chain, groupby

from bitext_pivot.core.counts import Counts
from bitext_pivot.corpus.data_set_files import DataSetFiles, stream
from bitext_pivot.corpus.formats import DataRow
from bitext_pivot.corpus.recipe import REJECTED

_Sets = Iterator[tuple[str, str, Iterable[DataRow]]]
"""Folder, subset and rows of the files of a format."""


def write_text_formats(files: DataSetFiles, first_kind: str, reasons: Collection[str]) -> Counts:
    """Write the formats of lines of kept rows, and count `skipped` rows.

    Formats with a folder have rows of `first_kind`, counted in `kinds`. `reasons` are those of rejected
    records: what the division rejects is neither a better nor a worse split.
    """
    counts = Counts()
    for name in files.export.formats:
        if name in files.export.full_formats:
            continue
        sets = _sets(files, name, first_kind)
        if files.export.text_format(name).is_paired:
            sets = _preferences(files, name, first_kind, reasons)
        for folder, subset, rows in sets:
            counts += _write_set(files, name, f"{folder}/{subset}", rows)
    return counts


def _sets(files: DataSetFiles, name: str, first_kind: str) -> _Sets:
    """Yield the kept rows: of all kinds beside their files, of the first one for a format with a folder."""
    folders = {kind: kind for kind in files.schemas if kind != REJECTED}
    if name in files.export.folder_formats:
        folders = {first_kind: name}
    for kind, folder in folders.items():
        for subset in files.subsets(kind):
            yield folder, subset, files.read(kind, [subset])


def _write_set(files: DataSetFiles, name: str, stem: str, rows: Iterable[DataRow]) -> Counts:
    """Write the files of a set, which are cut as those with all columns."""
    size = files.export.file_rows
    counts = Counts()
    for number, numbered in groupby(enumerate(rows), lambda entry: entry[0] // size):
        part = (row for _, row in numbered)
        counts += _write_file(files, name, f"{stem}-{number:05d}", part)
    return counts


def _write_file(files: DataSetFiles, name: str, stem: str, rows: Iterable[DataRow]) -> Counts:
    """Write rows to the line-aligned files of a format, but for those that it cannot hold."""
    text_format = files.export.text_format(name)
    names = [stem + ending for ending in files.export.extensions(name)]
    counts = Counts()
    written = 0
    with ExitStack() as stack:
        outs = [stack.enter_context(stream(files.folder / path)) for path in names]
        if text_format.header:
            for out in outs:
                out.write(f"{text_format.header}\n".encode())
        for row in rows:
            if not text_format.accepts(row):
                counts[
                    "skipped", f"not in the files of {name}: separator or line break in the text"
                ] += 1
                continue
            for out, line in zip(outs, text_format.lines(row), strict=True):
                out.write(line.encode())
            written += 1
    files.rows.update(dict.fromkeys(names, written))
    if text_format.has_folder:
        counts["kinds", name] = written
    return counts


def _preferences(files: DataSetFiles, name: str, kind: str, reasons: Collection[str]) -> _Sets:
    """Yield a row for each kept and each rejected split of a sentence, in the set of the kept one.

    Memory: about 70 bytes per kept row, and the rows of sentences with both.
    """
    kept = {hash(row["long"]) for row in files.read(kind, columns=["long"])}
    rejected: defaultdict[str, list[DataRow]] = defaultdict(list)
    for row in files.read(REJECTED):
        if row["rejected_by"] in reasons and hash(row["long"]) in kept:
            rejected[row["long"]].append(row)
    for subset in files.subsets(kind):
        sentences: defaultdict[str, list[DataRow]] = defaultdict(list)
        for row in files.read(kind, [subset]):
            if row["long"] in rejected:
                sentences[row["long"]].append(row)
        pairs = (_compared(rows, rejected[long]) for long, rows in sentences.items())
        yield name, subset, chain.from_iterable(pairs)


def _compared(kept: list[DataRow], rejected: list[DataRow]) -> Iterator[DataRow]:
    """Yield each kept row of a sentence with each rejected one; of equal splits the first one counts."""
    good = [row["split"] for row in kept]
    splits: dict[tuple[str, ...], DataRow] = {}
    for row in rejected:
        if row["split"] not in good:
            splits.setdefault(tuple(row["split"]), row)
    for row in kept:
        for other in splits.values():
            yield {"kept": row, "rejected": other}
