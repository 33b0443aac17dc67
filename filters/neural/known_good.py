"""Pairs that are known to be good, by language: they show how strict a model of entailment is.

Most of the English ones are of WikiSplit's validation file (Botha et al. 2018, CC BY-SA 4.0; sources in
known_good/README.md); the others were written for this purpose.
"""

import csv
import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_FOLDER = Path(__file__).with_name("known_good")
FALLBACK = "en"
"""The language whose pairs stand for those of a language without any."""


class KnownGoodPair(NamedTuple):
    """A good pair."""

    long: str
    first: str
    second: str


def known_good_languages() -> list[str]:
    """Return the languages that have known good pairs."""
    return sorted(path.stem for path in _FOLDER.glob("*.tsv"))


def read_known_good(language: str) -> list[KnownGoodPair]:
    """Return the known good pairs of a language, those of English if it has none."""
    if language not in known_good_languages():
        language = FALLBACK
    path = _FOLDER / f"{language}.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [KnownGoodPair(row["long"], row["first"], row["second"]) for row in rows]


def choose_margin(margins: Sequence[float], lost: float) -> float:
    """Return the highest margin of a good pair below which at most a share of them lies."""
    return sorted(margins)[math.floor(lost * len(margins))]
