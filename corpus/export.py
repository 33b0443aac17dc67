"""Export: write judged pairs to the files of a data set and count them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from corpus.divide import Divider
from corpus.files import DataFiles
from corpus.rows import rejected_row, row
from pairs.records import JudgedPair

Divided = tuple[JudgedPair, str]
"""A pair and its set."""
LABELS = ("category", "category_bisect", "construction")


def divided(judged: Iterable[JudgedPair], divider: Divider, matches: list[dict[str, Any]]) -> Iterator[Divided]:
    """Yield each pair with its set. Kept pairs with a text of another set or a foreign test set become rejected ones.

    Lines of foreign test sets that pairs repeat are added to `matches`, with the pair's id and text.
    """
    for one in judged:
        pair = one.pair
        if one.rejected_by is not None:
            yield one, divider.subset(pair)
            continue
        place = divider.place(pair)
        if place.match:
            found = {"file": Path(place.match.file).name, "line": place.match.line, "text": place.match.text}
            matches.append({**found, "id": pair.id, "long": pair.long, "split": list(pair.split)})
        yield replace(one, rejected_by=place.rejected_by) if place.rejected_by else one, place.subset


def export(files: DataFiles, pairs: Iterable[Divided]) -> dict[str, Counter[str]]:
    """Write kept and rejected pairs to the files of their sets, in order, and count them.

    Returns counters `rejected` (by filter), and `subset`, `category`, `category_bisect`, `construction` of kept pairs.
    """
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("rejected", "subset", *LABELS)}
    with files:
        for pair, name in pairs:
            if pair.rejected_by is not None:
                counts["rejected"][pair.rejected_by] += 1
                files.write("rejected", name, rejected_row(pair))
                continue
            files.write("pairs", name, row(pair))
            counts["subset"][name] += 1
            for label in LABELS:
                counts[label][getattr(pair, label)] += 1
    return counts
