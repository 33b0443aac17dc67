"""Which markers are used, and of each a seeded sample of its pairs (Discovery, section 2.2)."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable

import numpy as np
from pydantic import Field

from bitext_pivot.core.sampling import rank
from bitext_pivot.core.settings import Settings
from bitext_pivot.discourse.mining.predictability import PredictionSettings


class SelectionSettings(Settings):
    """How often a marker must occur, and how many of its pairs are used."""

    min_count: int = Field(default=10_000, ge=1, title="Fewest pairs of a marker")
    """Rarer markers are left out."""
    max_count: int = Field(default=200_000, ge=1, title="Most pairs of a marker")
    """Of a more frequent marker so many are drawn."""
    per_marker: int = Field(default=10_000, ge=1, title="Pairs per marker")
    """Pairs of each marker in the variants Base and Hard."""
    seed: int = 0
    """Another number draws other pairs."""
    control: PredictionSettings = PredictionSettings()
    """How well n-grams predict each marker (variant Hard)."""


def count_and_bound_markers(
    rows: Iterable[tuple[str, str]], settings: SelectionSettings
) -> tuple[Counter[str], dict[str, int]]:
    """Return how often each marker occurs, and for each that is frequent the highest rank that is drawn.

    `rows` are the marker and the identifier of each candidate. A row is drawn if its `rank` is at most the bound of its
    marker, so at most `max_count` are, whatever the order of the rows. Memory: 8 bytes per candidate.
    """
    ranks: dict[str, array[int]] = defaultdict(lambda: array("Q"))
    for marker, id in rows:
        ranks[marker].append(rank(id, settings.seed))
    counts = Counter({marker: len(listed) for marker, listed in ranks.items()})
    frequent = [marker for marker in sorted(counts) if counts[marker] >= settings.min_count]
    return counts, {
        marker: int(np.sort(ranks[marker])[: settings.max_count][-1]) for marker in frequent
    }
