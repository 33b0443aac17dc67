"""Pairs that no rule had seen before 25 November 2026, by set.

natural    1-2 and 2-1 links of WMT news without those of wmt_natural_visible.tsv: back-translations from Czech by two
           systems, and from other languages where the reference is in no visible link
wikisplit  WikiSplit's validation and test set (5,000 lines each)
"""

import gzip
from collections.abc import Iterator
from pathlib import Path

from eval_pairs import MULTIWAY, NATURAL, english, halves, rows

from bitext_pivot.core.records import Pair

PIVOTS = ("fr", "de", "es", "cs")
_SPACES = 3  # of each sentence: `halves` cuts behind unknown abbreviations


def natural(folder: Path) -> Iterator[Pair]:
    """Yield the links."""
    seen = {row["reference"] for row in rows(folder / NATURAL)}
    for row in rows(folder / MULTIWAY):
        for pivot in PIVOTS:
            sides = halves(row["en"]), halves(row[f"bt_{pivot}"])
            shortest = min(text.count(" ") for side in sides for text in side)
            is_seen = pivot != "cs" and row["en"] in seen
            if {*map(len, sides)} == {1, 2} and shortest >= _SPACES and not is_seen:
                (long,), split = sorted(sides, key=len)
                name = f"{row['year']}/{row['doc']}/{row['line']}/{pivot}/{row['system']}"
                yield english(name, long, *split)


def wikisplit(folder: Path) -> Iterator[Pair]:
    """Yield the pairs."""
    for name in ("validation", "test"):
        path = folder / "models" / f"wikisplit_{name}.tsv.gz"
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                long, split = line.rstrip("\n").split("\t")
                yield english(f"{name}/{number}", long, *split.split(" <::::> "))
