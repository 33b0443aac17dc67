"""Pairs that no rule had seen before 25 November 2026, drawn by hash; the part `fix` was read since, `report` was not.

Three sets, all of `{eval}`:
    natural    1-2 and 2-1 links of WMT news without those of wmt_natural_visible.tsv: back-translations from Czech by
               two systems, and from other languages where the reference is in no visible link
    wikisplit  WikiSplit's validation and test set (5,000 lines each)
    reworded   two English sentences that follow each other, joined into one, and their back-translations: good pairs
               in which nearly every word may be replaced
"""

import gzip
import hashlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Literal

from bad_pairs import GoodPair
from eval_pairs import MULTIWAY, NATURAL, SYSTEM, Row, english, halves, rows

SEED = "unseen-2026-11-25"
Part = Literal["fix", "report"]
PIVOTS = ("fr", "de", "es", "cs")
SIZES = {"natural": 1000, "wikisplit": 1500, "reworded": 1500}
"""Pairs of each set and part, at most."""
_SPACES = 3  # of each sentence: `halves` cuts behind unknown abbreviations


def place(key: str) -> int:
    """Return the place of a key in the draw."""
    return int.from_bytes(hashlib.sha256(f"{SEED} {key}".encode()).digest()[:8])


def part_of(key: str) -> Part:
    """Return the part that a document or pair belongs to."""
    return "fix" if place(f"part {key}") % 2 else "report"


def unseen(folder: Path, part: Part) -> dict[str, list[GoodPair]]:
    """Return the pairs of one part by set, in the order of the draw."""
    sets = {
        "natural": natural(folder),
        "wikisplit": wikisplit(folder),
        "reworded": reworded(folder),
    }
    drawn = {
        name: {pair.long: pair for key, pair in pairs if part_of(key) == part}
        for name, pairs in sets.items()
    }
    return {
        name: sorted(pairs.values(), key=lambda pair: place(pair.long))[: SIZES[name]]
        for name, pairs in drawn.items()
    }


def natural(folder: Path) -> Iterator[tuple[str, GoodPair]]:
    """Yield the document of each link, and the link."""
    seen = {row["reference"] for row in rows(folder / NATURAL)}
    table = rows(folder / MULTIWAY)
    others = {(row["year"], row["doc"], row["line"], row["system"] == SYSTEM): row for row in table}
    for row in table:
        for pivot in PIVOTS:
            sides = halves(row["en"]), halves(row[f"bt_{pivot}"])
            shortest = min(text.count(" ") for side in sides for text in side)
            if (
                {*map(len, sides)} != {1, 2}
                or shortest < _SPACES
                or (pivot != "cs" and row["en"] in seen)
            ):
                continue
            (long,), split = sorted(sides, key=len)
            other = others.get((row["year"], row["doc"], row["line"], row["system"] != SYSTEM))
            is_translated = len(sides[1]) == 1
            variant = other[f"bt_{pivot}"] if other and is_translated else None
            yield (
                row["doc"],
                GoodPair(pair=english(_name(row, pivot), long, *split), variant_long=variant),
            )


def _name(row: Row, pivot: str) -> str:
    return f"{row['year']}/{row['doc']}/{row['line']}/{pivot}/{row['system']}"


def wikisplit(folder: Path) -> Iterator[tuple[str, GoodPair]]:
    """Yield each long sentence, and its pair."""
    for name in ("validation", "test"):
        with gzip.open(
            folder / "models" / f"wikisplit_{name}.tsv.gz", "rt", encoding="utf-8"
        ) as file:
            for number, line in enumerate(file, 1):
                long, split = line.rstrip("\n").split("\t")
                yield (
                    long,
                    GoodPair(pair=english(f"{name}/{number}", long, *split.split(" <::::> "))),
                )


def reworded(folder: Path) -> Iterator[tuple[str, GoodPair]]:
    """Yield the document of two sentences, and the pair: each joined text with one of its eight back-translations."""
    table = rows(folder / MULTIWAY)
    for first, second in pairwise(table):
        pivot = PIVOTS[place(f"{first['en']} {first['system']}") % len(PIVOTS)]
        is_next = all(first[name] == second[name] for name in ("year", "doc", "system"))
        split = first[f"bt_{pivot}"], second[f"bt_{pivot}"]
        texts = first["en"], second["en"], *split
        if is_next and all(
            len(halves(text)) == 1 and text.endswith((".", "!", "?")) for text in texts
        ):
            long = f"{first['en'].rstrip(' .!?')}, and {second['en'][0].lower()}{second['en'][1:]}"
            yield first["doc"], GoodPair(pair=english(_name(first, pivot), long, *split))
