"""Progress of a run: a bar for each stage, whatever ran the shards."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from prefect.client.schemas.objects import State


def ended(name: str) -> "State[None]":
    from prefect.states import Completed, Failed

    return Failed() if name == "Failed" else Completed(name=name)


def test_a_stage_has_shards_rows_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    from bitext_pivot.tasks.run import progress

    shown: list[tuple[str, int, int, str]] = []
    monkeypatch.setattr(progress, "show_stage", lambda *bar: shown.append(bar))
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    stage = progress.StageProgress("parse", 4)
    for seconds, name, rows in (
        (0, "Reused", 50),
        (60, "Completed", 100),
        (300, "Completed", 2000),
        (310, "Failed", 0),
    ):
        now = float(seconds)
        stage.count(ended(name), rows)
    assert shown == [
        ("parse", 0, 4, ""),
        ("parse", 1, 4, "1 of 4 (1 reused), 50 rows"),
        ("parse", 2, 4, "2 of 4 (1 reused), 150 rows, 2 min left"),
        ("parse", 3, 4, "3 of 4 (1 reused), 2,150 rows, 2 min left"),
        ("parse", 4, 4, "4 of 4 (1 reused, 1 failed), 2,150 rows"),
    ]  # fmt: skip
