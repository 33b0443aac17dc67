"""Distributions of a data set, for its plots: scores, lengths and categories, counted by shard."""

from collections import Counter
from typing import Any

import numpy as np
import numpy.typing as npt

from corpus.card import CATEGORIES
from corpus.statistics import sources, tokens
from pairs.storage import arrow

SCORE_BINS = 20
"""Bins of a score between 0 and 1; scores outside are counted in the first and the last one."""
LONGEST = 100
"""Longer texts are counted as texts of this number of tokens."""
RATIO_BINS = 20
"""Bins of the length ratio between 0 and 2; longer ones are counted in the last one."""


def distributions(judged: Any, is_kept: npt.NDArray[np.bool_]) -> dict[str, Any]:
    """Return counts of an Arrow batch of judged pairs (`FIELDS` of corpus/statistics.py) for `stats.json`.

    `scores`: by score, then `kept` and `rejected`, one number per bin. `lengths`: kept pairs by number of tokens
    from 0 to 100, of `long` and of both sentences of `split`. `length_ratio`: kept pairs by tokens of `split`
    divided by tokens of `long`, in bins of 0.1. `categories`: kept pairs by corpus and category.
    """
    long, split = (np.bincount(pairs, minlength=len(judged))[is_kept] for pairs, _ in tokens(judged))
    ratios = np.minimum(split * RATIO_BINS // np.maximum(2 * long, 1), RATIO_BINS - 1)
    labels = zip(sources(judged, "pairs"), arrow.plain(arrow.leaf(judged, "category")), is_kept, strict=True)
    categories = Counter((source, category) for source, category, flag in labels if flag)
    return {
        "scores": _scores(arrow.leaf(judged, "scored.scores"), is_kept),
        "lengths": {
            side: _bins(np.minimum(lengths, LONGEST), LONGEST + 1)
            for side, lengths in (("long", long), ("split", split))
        },
        "length_ratio": _bins(ratios, RATIO_BINS),
        "categories": {
            source: {category: categories[source, category] for category in CATEGORIES}
            for source in sorted({source for source, _ in categories})
        },
    }


def _scores(maps: Any, is_kept: npt.NDArray[np.bool_]) -> dict[str, dict[str, list[int]]]:
    rows = slice(maps.offsets[0].as_py(), maps.offsets[-1].as_py())
    names, numbers = arrow.codes(maps.keys[rows])
    values, verdicts = maps.items[rows].to_numpy(), is_kept[arrow.owners(maps)]
    bins = np.clip((values * SCORE_BINS).astype(np.int64), 0, SCORE_BINS - 1)
    counts = np.bincount((numbers * 2 + verdicts) * SCORE_BINS + bins, minlength=len(names) * 2 * SCORE_BINS)
    by_name = counts.reshape(len(names), 2, SCORE_BINS).tolist()
    return {
        name: {"kept": kept_bins, "rejected": rejected_bins}
        for name, (rejected_bins, kept_bins) in sorted(zip(names, by_name, strict=True))
        if "." not in name  # parts of a score are not plotted
    }


def _bins(values: npt.NDArray[np.int64], bins: int) -> list[int]:
    counts: list[int] = np.bincount(values, minlength=bins).tolist()
    return counts
