"""Real pairs for measurements: published BiSECT pairs, and natural 1-2 and 2-1 links translated by three systems."""

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from corpus.pair_files import read_lines
from pairs.records import Pair, Parse, ParsedPair

SYSTEMS = ("google", "microsoft", "bergamot_tiny")
_BOUNDARY = re.compile(r"(?<=[.!?])[\"'”’)]*\s+(?=[\"'“‘(]*[A-Z0-9])")
_ABBREVIATION = re.compile(r"\b(?:[A-Z]|Mr|Mrs|Ms|Dr|St|Prof|Gen|Sen|Gov|No|vs|Jr|Sr|Inc|Co|Corp)\.$")
_NO_PARSE = Parse(tokens=(), starts=(), lemmas=(), tags=(), pos=(), deps=(), heads=(), morphs=(), scheme="ud")


def halves(text: str) -> list[str]:
    """Cut a text at its sentence boundaries, but not after abbreviations."""
    parts, start = [], 0
    for match in _BOUNDARY.finditer(text):
        end = match.start() + len(match.group().rstrip())
        if not _ABBREVIATION.search(text[start : match.start()]):
            parts.append(text[start:end].strip())
            start = match.end()
    return [*parts, text[start:].strip()]


def eval_pairs(folder: Path) -> dict[str, list[ParsedPair]]:
    """Return the pairs of each set by name, with empty parses. Ids are line numbers."""
    return {
        "bisect_test": list(_published(folder / "bisect_test_visible.tsv")),
        "bisect_orig": list(_published(folder / "bisect_orig_visible.tsv")),
        "wmt_natural": list(_natural(folder / "wmt_natural_visible.tsv")),
    }


def whole(name: str, long: str, first: str, second: str) -> ParsedPair:
    """Return an English pair of three sentences, with empty parses."""
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
