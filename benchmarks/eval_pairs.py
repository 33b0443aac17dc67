"""Real pairs for measurements: published BiSECT pairs, and natural 1-2 and 2-1 links with machine translations.

Ids are line numbers, counted from 1 behind the heading.
"""

import csv
import gzip
import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

from bad_pairs import GoodPair

from bitext_pivot.core.reading.pair_files import read_pairs
from bitext_pivot.core.records import Pair
from bitext_pivot.core.white_space import squeezed

PUBLISHED = {"test": "bisect_test_visible.tsv", "orig": "bisect_orig_visible.tsv"}
COLUMNS = {"split": "split_with_<SEP>"}
"""Name of a column in their files."""
NATURAL, MULTIWAY = "wmt_natural_visible.tsv", "wmt_multiway_visible.tsv.gz"
SYSTEM, OTHER_SYSTEM = "google", "microsoft"
Row = dict[str, str]
_BOUNDARY = re.compile(r"(?<=[.!?])[\"'”’)]*\s+(?=[\"'“‘(]*[A-Z0-9])")
_ABBREVIATION = re.compile(
    r"\b(?:[A-Z]|Mr|Mrs|Ms|Dr|St|Prof|Gen|Sen|Gov|No|vs|Jr|Sr|Inc|Co|Corp)\.$"
)


def halves(text: str) -> list[str]:
    """Cut a text at its sentence boundaries, but not after abbreviations."""
    parts, start = [], 0
    for match in _BOUNDARY.finditer(text):
        end = match.start() + len(match.group().rstrip())
        if not _ABBREVIATION.search(text[start : match.start()]):
            parts.append(text[start:end].strip())
            start = match.end()
    return [*parts, text[start:].strip()]


def rows(table: Path) -> list[Row]:
    """Return the lines of a table, which may be compressed."""
    read = gzip.open if table.suffix == ".gz" else open
    with read(table, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def english(name: str, long: str, first: str, second: str) -> Pair:
    """Return an English pair of three sentences, squeezed as `bitext-pivot judge` reads them."""
    long, first, second = map(squeezed, (long, first, second))
    return Pair(
        id=name,
        language="en",
        long=long,
        split=(first, second),
        pivot=None,
        translated=None,
        engine=None,
        alignment=None,
    )


def published(table: Path) -> list[GoodPair]:
    """Return published pairs."""
    lines = (line for line in read_pairs(table, "en", COLUMNS) if line.number > 1)
    return [
        GoodPair(pair=replace(line.pair, id=str(line.number - 1))) for line in lines if line.pair
    ]


def natural_pair(row: Row, name: str, system: str = SYSTEM) -> Pair | None:
    """Return the pair of a natural link by one system, None if its split side is not cut into two sentences."""
    sides = row[system], row["reference"]
    long, split = sides if row["shape"] == "1-2" else sides[::-1]
    parts = halves(split)
    return english(name, long, *parts) if len(parts) == 2 else None


def natural(folder: Path) -> list[GoodPair]:
    """Return natural links of one system, with the other sentences that belong to them."""
    table, neighbours = rows(folder / NATURAL), _neighbours(folder / MULTIWAY)
    languages = defaultdict[tuple[str, str], Row](dict)
    for row in table:
        languages[row["year"], row["line"]][row["lang"]] = row["source"]
    sources = []
    for number, row in enumerate(table, 1):
        is_long = row["shape"] == "1-2"
        variants, foreign = halves(row[OTHER_SYSTEM]), halves(row["source"])
        others = [
            text
            for name, text in languages[row["year"], row["line"]].items()
            if name != row["lang"]
        ]
        if pair := natural_pair(row, str(number)):
            source = GoodPair(
                pair=pair,
                foreign_long=row["source"] if is_long else None,
                foreign_split=(foreign[0], foreign[1])
                if not is_long and len(foreign) == 2
                else None,
                stranger=others[0] if others else None,
                variant_long=row[OTHER_SYSTEM] if is_long else None,
                variant_first=variants[0] if not is_long and len(variants) == 2 else None,
                neighbour=neighbours.get((row["year"], row["reference"])),
            )
            sources.append(source)
    return sources


def all_sources(folder: Path) -> dict[str, list[GoodPair]]:
    """Return the good pairs that bad ones are built from, by set."""
    return {
        **{name: published(folder / file) for name, file in PUBLISHED.items()},
        "wmt": natural(folder),
    }


def _neighbours(multiway: Path) -> dict[tuple[str, str], str]:
    """Return the sentence before or after each sentence of a document, by year and text."""
    texts = {(row["year"], row["doc"], int(row["line"])): row["en"] for row in rows(multiway)}
    neighbours = {}
    for (year, document, line), text in texts.items():
        near = (texts.get((year, document, line + step)) for step in (1, -1))
        if neighbour := next(
            (sentence for sentence in near if sentence and len(halves(sentence)) == 1), None
        ):
            neighbours[year, text] = neighbour
    return neighbours
