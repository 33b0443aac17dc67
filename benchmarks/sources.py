"""Good pairs that bad ones are built from: published pairs, and natural links with what was translated."""

import csv
import gzip
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from bad_pairs import Source
from eval_pairs import halves

from corpus.formats import SEPARATOR
from pairs.records import Pair

_SYSTEM, _OTHER_SYSTEM = "google", "microsoft"


def pair_of(line: int, long: str, split: Sequence[str]) -> Pair:
    """Make a ready-made English pair, blanks as `bitext-pivot judge` leaves them."""
    long, first, second = (" ".join(text.split()) for text in (long, *split))
    return Pair(
        id=str(line), language="en", long=long, split=(first, second),
        pivot=None, translated=None, engine=None, alignment=None,
    )  # fmt: skip


def published(path: Path) -> list[Source]:
    """Read published pairs."""
    rows = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:])
    return [Source(pair=pair_of(n, row[0], row[1].split(SEPARATOR))) for n, row in enumerate(rows, 1)]


def natural(path: Path, multiway: Path) -> list[Source]:
    """Read natural links of one system, with all that belongs to them; `multiway` has the documents' sentences."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    neighbours = _neighbours(multiway)
    languages: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for row in rows:
        languages[row["year"], row["line"]][row["lang"]] = row["source"]
    sources = []
    for n, row in enumerate(rows, 1):
        is_long = row["shape"] == "1-2"
        long, split = (row[_SYSTEM], row["reference"]) if is_long else (row["reference"], row[_SYSTEM])
        variants = halves(row[_OTHER_SYSTEM])
        parts, foreign = halves(split), halves(row["source"])
        others = [text for name, text in languages[row["year"], row["line"]].items() if name != row["lang"]]
        if len(parts) == 2:
            sources.append(
                Source(
                    pair=pair_of(n, long, parts),
                    foreign_long=row["source"] if is_long else None,
                    foreign_split=(foreign[0], foreign[1]) if not is_long and len(foreign) == 2 else None,
                    stranger=others[0] if others else None,
                    variant_long=row[_OTHER_SYSTEM] if is_long else None,
                    variant_first=variants[0] if not is_long and len(variants) == 2 else None,
                    neighbour=neighbours.get((row["year"], row["reference"])),
                )
            )
    return sources


def _neighbours(multiway: Path) -> dict[tuple[str, str], str]:
    """Return the sentence before or after each sentence of a document, by year and text."""
    with gzip.open(multiway, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    texts = {(row["year"], row["doc"], int(row["line"])): row["en"] for row in rows}
    found = {}
    for (year, document, line), text in texts.items():
        near = (texts.get((year, document, line + step)) for step in (1, -1))
        if neighbour := next((one for one in near if one and len(halves(one)) == 1), None):
            found[year, text] = neighbour
    return found
