"""Export: write judged pairs to the files of a data set and count them."""

from collections import Counter
from collections.abc import Iterable

from corpus.files import DataFiles
from corpus.rows import rejected_row, row
from pairs.records import JudgedPair

LABELS = ("category", "category_bisect", "construction")


def export(files: DataFiles, judged: Iterable[JudgedPair]) -> dict[str, Counter[str]]:
    """Write kept and rejected pairs to their files, in order, and count them.

    Returns counters `rejected` (by filter), and `category`, `category_bisect`, `construction` of kept pairs.
    """
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("rejected", *LABELS)}
    with files:
        for pair in judged:
            if pair.rejected_by is not None:
                counts["rejected"][pair.rejected_by] += 1
                files.write("rejected", "train", rejected_row(pair))
                continue
            files.write("pairs", "train", row(pair))
            for name in LABELS:
                counts[name][getattr(pair, name)] += 1
    return counts
