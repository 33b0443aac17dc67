"""Split pairs known to be good, by language, to measure how strict an entailment model is.

Most English pairs come from the validation file of WikiSplit (Botha et al. 2018, CC BY-SA 4.0; sources in
known_good/README.md). The other pairs were written for this purpose.
"""

import csv
import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

_FOLDER = Path(__file__).with_name("known_good")
FALLBACK = "en"
"""The language whose known good pairs are used for languages without pairs of their own."""


class KnownGoodPair(NamedTuple):
    """A long sentence and a good split of it."""

    long: str
    first: str
    second: str


def known_good_languages() -> list[str]:
    """Return the languages for which there are pairs known to be good."""
    return sorted(path.stem for path in _FOLDER.glob("*.tsv"))


def read_known_good(language: str) -> list[KnownGoodPair]:
    """Return the known good pairs of a language, or the English pairs if there are none."""
    if language not in known_good_languages():
        language = FALLBACK
    path = _FOLDER / f"{language}.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [KnownGoodPair(row["long"], row["first"], row["second"]) for row in rows]


def choose_margin(margins: Sequence[float], lost: float) -> float:
    """Return the highest margin that, as the minimum, rejects at most the share `lost` of all."""
    return sorted(margins)[math.floor(lost * len(margins))]
