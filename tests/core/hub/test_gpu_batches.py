"""Padded batches: their composition, and halving when memory runs out."""

import logging
from collections.abc import Sequence

import pytest

from bitext_pivot.core.hub.gpu_batches import run_halving, token_batches

END = "</s>"
ROWS = [["x"] * length for length in (3, 9, 1, 4, 4, 2, 30)]


def test_batches_hold_limited_pieces_and_every_row_once() -> None:
    batches = list(token_batches([len(row) for row in ROWS], 12))
    assert batches == [[6], [1], [3, 4, 0], [5, 2]]
    assert all(len(batch) == 1 or len(batch) * len(ROWS[batch[0]]) <= 12 for batch in batches)


def test_out_of_memory_halves_the_batch_and_keeps_the_order(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def run(rows: Sequence[list[str]]) -> list[list[str]]:
        if len(rows) > 2:
            raise RuntimeError("CUDA failed with error out of memory")
        return [[*row, END] for row in rows]

    with caplog.at_level(logging.WARNING):
        assert run_halving(ROWS, run) == [[*row, END] for row in ROWS]
    assert "out of memory with 7 rows in a batch: continuing with 4" in caplog.text


@pytest.mark.parametrize(("message", "rows"), [("out of memory", 1), ("cuBLAS failed", 7)])
def test_a_row_that_does_not_fit_is_raised(message: str, rows: int) -> None:
    def run(_: Sequence[list[str]]) -> list[list[str]]:
        raise RuntimeError(message)

    with pytest.raises(RuntimeError, match=message):
        run_halving(ROWS[:rows], run)
