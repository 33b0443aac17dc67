"""Padded batches for a GPU. The same rows always form the same batches, which are halved if memory runs out."""

import logging
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

_Row = TypeVar("_Row")
_Result = TypeVar("_Result")
_logger = logging.getLogger(__name__)


def token_batches(lengths: Sequence[int], tokens: int) -> Iterator[list[int]]:
    """Yield the indices of rows in batches of at most `tokens` tokens including padding, the longest rows first.

    `lengths` contains the number of tokens of each row. Each index is yielded once. A row with more than `tokens`
    tokens forms a batch of its own.
    """
    order = sorted(range(len(lengths)), key=lambda index: -lengths[index])
    start = 0
    while start < len(order):
        size = max(1, tokens // max(1, lengths[order[start]]))
        yield order[start : start + size]
        start += size


def run_halving(
    rows: Sequence[_Row], run: Callable[[Sequence[_Row]], list[_Result]]
) -> list[_Result]:
    """Return `run(rows)`. If the device runs out of memory, divide the rows into halves until they fit.

    Raises the RuntimeError of `run` if it has another cause, or if a single row does not fit.
    """
    try:
        return run(rows)
    except RuntimeError as error:
        if "out of memory" not in str(error).lower() or len(rows) == 1:
            raise
    half = (len(rows) + 1) // 2
    _logger.warning(
        "The GPU is out of memory with %d rows in a batch: continuing with %d.", len(rows), half
    )
    return run_halving(rows[:half], run) + run_halving(rows[half:], run)
