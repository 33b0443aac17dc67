"""Candidate pairs out of natural 1-2 and 2-1 links whose foreign side real systems translated.

usage: python benchmarks/natural_pairs.py wmt_natural.tsv FOLDER

The table has year, line, lang, shape, source, reference and one column a system. A side of two sentences comes as one
string; it is cut at its only sentence boundary, and rows with none or several are left out and counted. Writes
FOLDER/<system>.tsv for `bitext-pivot judge`.
"""

import csv
import re
import sys
from collections import Counter
from pathlib import Path

BOUNDARY = re.compile(r"(?<=[.!?])[\"'”’)]*\s+(?=[\"'“‘(]*[A-Z0-9])")
ABBREVIATION = re.compile(r"\b(?:[A-Z]|Mr|Mrs|Ms|Dr|St|Prof|Gen|Sen|Gov|No|vs|Jr|Sr|Inc|Co|Corp)\.$")
SYSTEMS = ("google", "microsoft", "bergamot_tiny")


def halves(text: str) -> list[str]:
    """Cut a text at its sentence boundaries; a boundary behind an abbreviation is none."""
    parts, start = [], 0
    for match in BOUNDARY.finditer(text):
        end = match.start() + len(match.group().rstrip())
        if not ABBREVIATION.search(text[start : match.start()]):
            parts.append(text[start:end].strip())
            start = match.end()
    return [*parts, text[start:].strip()]


def main(table: Path, folder: Path) -> None:
    """Write one file of pairs a system and print what was left out."""
    folder.mkdir(parents=True, exist_ok=True)
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    for system in SYSTEMS:
        counts: Counter[str] = Counter()
        with (folder / f"{system}.tsv").open("w", encoding="utf-8") as out:
            for row in rows:
                long, split = (
                    (row[system], row["reference"]) if row["shape"] == "1-2" else (row["reference"], row[system])
                )
                parts = halves(split)
                counts["two sentences" if len(parts) == 2 else "not two sentences"] += 1
                if len(parts) == 2:
                    out.write(f"{long}\t{parts[0]} <SEP> {parts[1]}\n")
        print(system, dict(counts))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
