"""Progress of a run: a bar for each stage, whatever ran the shards."""

import pytest

from bitext_pivot.tasks.run.stage_progress import Outcome


def test_a_stage_has_shards_rows_and_time_left(monkeypatch: pytest.MonkeyPatch) -> None:
    from bitext_pivot.tasks.run import stage_progress

    shown: list[tuple[str, int, int, str]] = []
    monkeypatch.setattr(stage_progress, "show_stage", lambda *bar: shown.append(bar))
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    stage = stage_progress.StageProgress("parse", 4)
    ended: list[tuple[int, Outcome, int]] = [
        (0, "reused", 50),
        (60, "built", 100),
        (300, "built", 2000),
        (310, "failed", 0),
    ]
    for seconds, outcome, rows in ended:
        now = float(seconds)
        stage.count(outcome, rows)
    assert shown == [
        ("parse", 0, 4, ""),
        ("parse", 1, 4, "1 of 4 (1 reused), 50 rows"),
        ("parse", 2, 4, "2 of 4 (1 reused), 150 rows, 2 min left"),
        ("parse", 3, 4, "3 of 4 (1 reused), 2,150 rows, 2 min left"),
        ("parse", 4, 4, "4 of 4 (1 reused, 1 failed), 2,150 rows"),
    ]  # fmt: skip
