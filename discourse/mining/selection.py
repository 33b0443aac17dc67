"""Choose the discourse markers to use, and a seeded sample of each marker's pairs (Discovery, section 2.2)."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable

import numpy as np
from pydantic import Field

from bitext_pivot.core.sampling import rank
from bitext_pivot.core.settings import Settings
from bitext_pivot.discourse.mining.predictability import PredictionSettings


class SelectionSettings(Settings):
    """How often a discourse marker must occur, and how many of its pairs are used."""

    min_count: int = Field(default=10_000, ge=1, title="Minimum pairs of a marker")
    """Minimum number of pairs that a marker must have. Rarer markers are not used."""
    max_count: int = Field(default=200_000, ge=1, title="Maximum pairs of a marker")
    """Maximum number of pairs of a marker. For a more frequent marker, a sample of this size is used."""
    per_marker: int = Field(default=10_000, ge=1, title="Pairs per marker")
    """Number of pairs of each marker in the variants Base and Hard of the data set."""
    seed: int = 0
    """Seed of the samples of pairs."""
    control: PredictionSettings = PredictionSettings()
    """Prediction of the markers from n-grams. The variant Hard excludes pairs whose marker is easy to predict."""


def count_and_bound_markers(
    rows: Iterable[tuple[str, str]], settings: SelectionSettings
) -> tuple[Counter[str], dict[str, int]]:
    """Return the number of pairs of each discourse marker, and the bounds for their samples.

    `rows` holds the marker and the id of each pair. A pair is sampled if its `rank`, a hash of the id, is at most the
    bound of its marker; markers with fewer pairs than `min_count` have no bound. At most `max_count` pairs per marker
    are sampled, and the sample does not depend on the order of the rows. Memory use is 8 bytes per pair.
    """
    ranks: dict[str, array[int]] = defaultdict(lambda: array("Q"))
    for marker, id in rows:
        ranks[marker].append(rank(id, settings.seed))
    counts = Counter({marker: len(listed) for marker, listed in ranks.items()})
    frequent = [marker for marker in sorted(counts) if counts[marker] >= settings.min_count]
    return counts, {
        marker: int(np.sort(ranks[marker])[: settings.max_count][-1]) for marker in frequent
    }
