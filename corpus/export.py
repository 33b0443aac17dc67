"""Export: write judged pairs to the files of a data set and count them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from corpus.divide import Divider
from corpus.files import DataFiles
from corpus.rows import rejected_row, row
from pairs.records import JudgedPair, Pair

LABELS = ("category", "category_bisect", "construction")


def without_duplicates(judged: Iterable[JudgedPair], divider: Divider) -> Iterator[JudgedPair]:
    """Yield all pairs; kept ones whose text is also in another set or a foreign test set become rejected ones."""
    for pair in judged:
        reason = divider.duplicate(pair.pair) if pair.rejected_by is None else None
        yield replace(pair, rejected_by=reason) if reason else pair


def export(files: DataFiles, judged: Iterable[JudgedPair], subset: Callable[[Pair], str]) -> dict[str, Counter[str]]:
    """Write kept and rejected pairs to the files of their sets, in order, and count them.

    Returns counters `rejected` (by filter), and `subset`, `category`, `category_bisect`, `construction` of kept pairs.
    """
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("rejected", "subset", *LABELS)}
    with files:
        for pair in judged:
            name = subset(pair.pair)
            if pair.rejected_by is not None:
                counts["rejected"][pair.rejected_by] += 1
                files.write("rejected", name, rejected_row(pair))
                continue
            files.write("pairs", name, row(pair))
            counts["subset"][name] += 1
            for label in LABELS:
                counts[label][getattr(pair, label)] += 1
    return counts
