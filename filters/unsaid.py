"""A half that was cut short and closed by a full stop all the same: its part of `long` goes on where it ends.

No filter of the paper. No single sign tells such a half from one that leaves something out in good faith, so several
are weighed together: it ends in a word that something must follow, the last words of its part of `long` stand in
neither half, it is shorter than its part, and both are shorter than `long`. The weights (unsaid.toml) are those of a
logistic regression on published and natural pairs and the same pairs with a half cut; `benchmarks/fit_unsaid.py` makes
them.

The part of `long` that belongs to a half is found by its content words: it is divided where most words before stand in
the first half alone, and most behind in the second alone.
"""

import functools
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from filters.base import Filter
from filters.batch import Batch, as_scores
from filters.words import FIRST, SECOND
from pairs.columns import Counts
from pairs.records import ParsedPair

SIGNS = (
    "ends open", "ratio", "other's excess", "tail", "other's missing", "length", "other's new", "missing", "part",
)  # fmt: skip
"""What is counted of each half, in the order of the columns of `signs`."""
_OPEN = frozenset({"DET", "ADP", "CCONJ", "SCONJ", "PART", "AUX"})
_MARKS = frozenset({"PUNCT"})


class Unsaid(Filter):
    """The odds, as a logarithm, that a half was cut short, for the half of which they are higher."""

    preset: ClassVar = "strict"
    thresholds: ClassVar = frozenset({"max_odds"})

    max_odds: float = Field(
        default=3.0,
        title="Highest odds",
        ge=-100,
        le=100,
        description="Logarithm of the odds that a half was cut, as in the data that the weights were fitted on, where "
        "every second half was cut. 2 finds 8 to 14 % more of them, and rejects 0.5 % more of EMEA and JRC.",
    )

    def score(self, pairs: Sequence[ParsedPair]) -> list[float]:
        """Return the higher odds of both halves."""
        batch = Batch.of(pairs)
        weights, bias = _weights()
        return as_scores((signs(batch) @ weights + bias).max(axis=1))

    def accepts(self, score: float) -> bool:
        """Accept up to `max_odds`."""
        return score <= self.max_odds


@functools.cache
def _weights() -> tuple[NDArray[np.float64], float]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return np.array([table["weights"][sign] for sign in SIGNS]), float(table["bias"])


def signs(batch: Batch) -> NDArray[np.float64]:
    """Return what `SIGNS` names of both halves: an array (pairs, 2, signs)."""
    sizes = np.maximum(batch.sizes, 1)
    part, missing, tail, begins = _parts(batch)
    tokens = np.stack([begins, sizes[:, 0] - begins], axis=1)
    length = np.clip(np.log(sizes[:, 1:] / np.maximum(tokens, 1)), -2, 2)
    new = np.stack([batch.shared_content[:, [one, FIRST | SECOND]].sum(axis=1) for one in (FIRST, SECOND)], axis=1)
    ratio = np.minimum(sizes[:, 1:].sum(axis=1) / sizes[:, 0], 1)
    return np.stack(
        [
            _ends_open(batch),
            np.stack([ratio, ratio], axis=1),
            np.maximum(length, 0)[:, ::-1],
            np.minimum(tail, 8),
            np.minimum(missing, 12)[:, ::-1],
            np.minimum(length, 0),
            np.minimum(new, 6)[:, ::-1],
            np.clip(missing - new, -4, 8),
            part / np.maximum(part.sum(axis=1, keepdims=True), 1),
        ],
        axis=2,
    )


def _ends_open(batch: Batch) -> Counts:
    """Tell of both halves whether their last word, marks aside, is one that something must follow."""
    words = np.flatnonzero(~batch.is_tagged(_MARKS))
    last = np.full(3 * len(batch), -1)
    last[batch.sentence[words]] = words
    is_open = np.append(batch.is_tagged(_OPEN), False)
    found: Counts = is_open[last].reshape(len(batch), 3)[:, 1:]
    return found


def _parts(batch: Batch) -> tuple[Counts, Counts, Counts, Counts]:
    """Return of the parts of `long`: content words, those in neither half, those behind all found ones; and the cut.

    The first three are arrays (pairs, 2), the last tells at which token of `long` the second part begins.
    """
    words = batch.content[batch.sentence[batch.content] % 3 == 0]
    pair = batch.sentence[words] // 3
    is_found = (batch.standing[words] & (FIRST | SECOND)) > 0
    is_second = _is_second(batch, words, pair)
    group = 2 * pair + is_second
    size = 2 * len(batch)
    last = np.full(size, -1)
    last[group[is_found]] = np.flatnonzero(is_found)
    is_behind = np.arange(words.size) > last[group]
    cut = batch.sizes[:, 0].copy()
    first = np.flatnonzero(is_second)[::-1]
    long_starts = np.concatenate([[0], np.cumsum(batch.sizes.ravel())[2:-1:3]])[: len(batch)]
    cut[pair[first]] = words[first] - long_starts[pair[first]]
    counts = [np.bincount(group[chosen], minlength=size) for chosen in (slice(None), ~is_found, is_behind)]
    part, missing, tail = (one.reshape(len(batch), 2) for one in counts)
    return part, missing, tail, cut


def _is_second(batch: Batch, words: Counts, pair: Counts) -> NDArray[np.bool_]:
    """Tell of each content word of `long` whether it belongs to the second half."""
    standing = batch.standing[words] & (FIRST | SECOND)
    votes = (standing == FIRST).astype(np.int64) - (standing == SECOND)
    many = np.bincount(pair, minlength=len(batch))
    starts = np.cumsum(many) - many
    sums = np.append(0, np.cumsum(votes))
    sums = sums[1:] - np.repeat(sums[starts], many)
    best, cut = np.zeros(len(batch), np.int64), starts - 1
    some = np.flatnonzero(many)
    if some.size:
        best[some] = np.maximum(np.maximum.reduceat(sums, starts[some]), 0)
        first = np.flatnonzero((sums == np.repeat(best, many)) & (sums > 0))[::-1]
        cut[pair[first]] = first  # of several the first stays
    return np.arange(words.size) > np.repeat(cut, many)
