"""The real pairs that BERTScore is measured on: published BiSECT pairs, and natural links under three real systems."""

import csv
from collections.abc import Iterator
from pathlib import Path

from natural_pairs import SYSTEMS, halves

from pairs.ready_made import read_lines
from pairs.records import Pair, Parse, ParsedPair

_NO_PARSE = Parse(tokens=(), starts=(), lemmas=(), tags=(), pos=(), deps=(), heads=(), morphs=(), scheme="ud")


def eval_pairs(folder: Path) -> dict[str, list[ParsedPair]]:
    """Return the pairs of each set by name, with empty parses: BERTScore reads the texts alone. Ids are row numbers."""
    return {
        "bisect_test": list(_published(folder / "bisect_test_visible.tsv")),
        "bisect_orig": list(_published(folder / "bisect_orig_visible.tsv")),
        "wmt_natural": list(_natural(folder / "wmt_natural_visible.tsv")),
    }


def whole(name: str, long: str, first: str, second: str) -> ParsedPair:
    """Return an English pair out of its three sentences."""
    pair = Pair(
        id=name, language="en", long=long, split=(first, second),
        pivot=None, translated=None, engine=None, alignment=None,
    )  # fmt: skip
    return ParsedPair(pair=pair, long=_NO_PARSE, split=(_NO_PARSE, _NO_PARSE))


def _published(table: Path) -> Iterator[ParsedPair]:
    for line in read_lines(table, "en"):
        if line.pair is not None and line.number > 1:
            yield whole(str(line.number), line.pair.long, *line.pair.split)


def _natural(table: Path) -> Iterator[ParsedPair]:
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    for number, row in enumerate(rows, 2):
        for system in SYSTEMS:
            one, two = row[system], row["reference"]
            long, split = (one, two) if row["shape"] == "1-2" else (two, one)
            if len(parts := halves(split)) == 2:
                yield whole(f"{number} {system}", long, *parts)
