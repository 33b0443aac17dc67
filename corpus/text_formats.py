"""Write the text formats, such as `pairs/train-00000.src`, each in one pass over the finished rows of a data set."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack
from itertools import chain, groupby

from bitext_pivot.core.counts import Counts
from bitext_pivot.corpus.data_set_files import DataSetFiles, open_stream
from bitext_pivot.corpus.formats import DataRow
from bitext_pivot.corpus.recipe import REJECTED

_Subsets = Iterator[tuple[str, str, Iterable[DataRow]]]
"""The folders and subsets in which a text format has files, each with its rows."""


def write_text_formats(files: DataSetFiles, first_kind: str, reasons: Collection[str]) -> Counts:
    """Write the kept rows in all text formats, and count skipped rows as `skipped`.

    A row is skipped if a text contains a line break or a separator of the format. A format with its own folder has the
    rows of `first_kind`, which are counted in `kinds`. `reasons` are the filters that rejected records: a format that
    pairs kept with rejected splits only uses these, because a row that the division rejected is not a worse split.
    """
    counts = Counts()
    for name in files.export.formats:
        if name in files.export.full_formats:
            continue
        subsets = _kept_rows(files, name, first_kind)
        if files.export.text_format(name).is_paired:
            subsets = _preferences(files, name, first_kind, reasons)
        for folder, subset, rows in subsets:
            counts += _write_subset(files, name, f"{folder}/{subset}", rows)
    return counts


def _kept_rows(files: DataSetFiles, name: str, first_kind: str) -> _Subsets:
    """Yield the kept rows to write in the text format `name`, by folder and subset.

    A format with its own folder has the rows of `first_kind`, any other format the rows of all kinds.
    """
    folders = {kind: kind for kind in files.schemas if kind != REJECTED}
    if name in files.export.folder_formats:
        folders = {first_kind: name}
    for kind, folder in folders.items():
        for subset in files.subsets(kind):
            yield folder, subset, files.read(kind, [subset])


def _write_subset(files: DataSetFiles, name: str, stem: str, rows: Iterable[DataRow]) -> Counts:
    """Write the rows of a subset in a text format, with as many rows per file as in Parquet."""
    size = files.export.file_rows
    counts = Counts()
    for number, numbered in groupby(enumerate(rows), lambda entry: entry[0] // size):
        part = (row for _, row in numbered)
        counts += _write_file(files, name, f"{stem}-{number:05d}", part)
    return counts


def _write_file(files: DataSetFiles, name: str, stem: str, rows: Iterable[DataRow]) -> Counts:
    """Write rows to line-aligned files in the text format `name`, and count skipped rows.

    A row is skipped if a text contains a line break or a separator of the format.
    """
    text_format = files.export.text_format(name)
    names = [stem + ending for ending in files.export.extensions(name)]
    counts = Counts()
    written = 0
    with ExitStack() as stack:
        outs = [stack.enter_context(open_stream(files.folder / path)) for path in names]
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


def _preferences(files: DataSetFiles, name: str, kind: str, reasons: Collection[str]) -> _Subsets:
    """Yield rows that combine a kept with a rejected split of the same sentence, by subset.

    The subset is the one of the kept split. Needs about 70 bytes of memory per kept row, and holds all rows of
    sentences that have both a kept and a rejected split in memory.
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
        pairs = (_pair_splits(rows, rejected[long]) for long, rows in sentences.items())
        yield name, subset, chain.from_iterable(pairs)


def _pair_splits(kept: list[DataRow], rejected: list[DataRow]) -> Iterator[DataRow]:
    """Yield each kept row of a sentence with each distinct rejected split."""
    good = [row["split"] for row in kept]
    splits: dict[tuple[str, ...], DataRow] = {}
    for row in rejected:
        if row["split"] not in good:
            splits.setdefault(tuple(row["split"]), row)
    for row in kept:
        for other in splits.values():
            yield {"kept": row, "rejected": other}
