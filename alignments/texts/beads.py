"""Align the sentences of a text and its translation by their lengths (Gale and Church 1993).

The difference of two lengths in characters is normal, with c = 1 and variance s2 = 6.8 per character; 1-1, 1-0 and 0-1,
2-1 and 1-2, 2-2 have the probabilities of the paper's Table 5. As in the program printed with the paper, the variance
is that of the mean length of both sides, and the cost of a length difference is at most 25 nats, so that a long
untranslated sentence remains possible. nltk's port of that program is the reference in the tests (docs/decisions/0013).
"""

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

_VARIANCE = 6.8
_WORST = 25.0
_MOVES = tuple(
    (left, right, -math.log(prior))
    for left, right, prior in (
        (1, 1, 0.89), (1, 2, 0.089), (2, 1, 0.089), (2, 2, 0.011), (1, 0, 0.0099), (0, 1, 0.0099),
    )
)  # fmt: skip
_NEVER = float("inf")


class Bead(NamedTuple):
    """Adjacent sentences on one side and their translations on the other; one side may be empty."""

    one: range
    """Indices of the sentences in the first text, from 0."""
    other: range
    cost: float
    """Negative log probability in nats; 0.1165 for a 1-1 bead of equal lengths."""


def align(left: Sequence[int], right: Sequence[int], *, band: int = 500) -> list[Bead]:
    """Return the cheapest sequence of beads for the lengths, in characters, of the sentences of two texts.

    Every sentence is in one bead, in order. Of equal costs, the first of 1-1, 1-2, 2-1, 2-2, 1-0, 0-1 is used. Only
    alignments at most `band` sentences off the diagonal are considered, so that time and memory are linear.
    """
    table = _table(_ends(left), _ends(right), band)
    beads: list[Bead] = []
    i, j = len(left), len(right)
    while i or j:
        first, moves = table[i]
        a, b, prior = _MOVES[moves[j - first]]
        cost = prior + distance(sum(left[i - a : i]), sum(right[j - b : j]))
        beads.append(Bead(range(i - a, i), range(j - b, j), cost))
        i, j = i - a, j - b
    beads.reverse()
    return beads


def distance(left: int, right: int) -> float:
    """Return -log of the probability that translations differ this much in length or more, at most 25.

    Lengths are in characters, one of them at least 1 (paper, section 3.2).
    """
    tail = math.erfc(abs(left - right) / math.sqrt(_VARIANCE * (left + right)))
    return min(-math.log(tail), _WORST) if tail else _WORST


def _ends(lengths: Sequence[int]) -> list[int]:
    return list(accumulate(lengths, initial=0))


def _table(left: list[int], right: list[int], band: int) -> list[tuple[int, bytearray]]:
    """Return, per index in the first text, the first index of the band in the other and the best moves there."""
    last_i, last_j = len(left) - 1, len(right) - 1
    band = max(band, -(-last_j // max(last_i, 1)))  # neighbouring rows must overlap
    rows: list[list[float]] = []
    table = []
    for i in range(last_i + 1):
        middle = i * last_j // max(last_i, 1)
        first, end = max(0, middle - band), min(last_j, middle + band) + 1
        row = [_NEVER] * (last_j + 1)
        rows = [row, *rows[:2]]
        moves = bytearray(end - first)
        for j in range(first, end):
            row[j], moves[j - first] = _cheapest(rows, left, right, (i, j))
        table.append((first, moves))
    return table


def _cheapest(
    rows: list[list[float]], left: list[int], right: list[int], place: tuple[int, int]
) -> tuple[float, int]:
    """Return the cost of the best path to a cell and its last move; `rows` are the costs of this row and before."""
    i, j = place
    if not i and not j:
        return 0.0, 0
    best, chosen = _NEVER, 0
    for move, (a, b, prior) in enumerate(_MOVES):
        if a <= i and b <= j:
            cost = rows[a][j - b] + prior
            if cost < best:
                cost += distance(left[i] - left[i - a], right[j] - right[j - b])
                if cost < best:
                    best, chosen = cost, move
    return best, chosen
