"""Progress of a run: one bar and one table, whatever ran the shards."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from prefect.artifacts import Artifact
    from prefect.client.schemas.objects import State

START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str | None, Any]]:
    """Key and data of every update."""
    from bitext_pivot.tasks.run import progress

    artifacts: list[tuple[str | None, Any]] = []

    def put(artifact: "Artifact") -> None:
        artifacts.append(
            (artifact.key, getattr(artifact, "progress", None) or getattr(artifact, "table", 0))
        )

    monkeypatch.setattr(progress, "put", put)
    return artifacts


def ended(after: float, name: str = "Completed") -> "State[None]":
    """Return the final state of a task that ended some seconds after the start."""
    from prefect.states import Completed, Failed

    state: State[None] = Failed() if name == "Failed" else Completed(name=name)
    return state.model_copy(update={"timestamp": START + timedelta(seconds=after)})


def test_a_stage_has_shards_rows_rate_and_time_left() -> None:
    from bitext_pivot.tasks.run.progress import StageProgress

    stage = StageProgress(4)
    rows, numbers = [tuple(stage.row().values())], [stage.numbers]
    for state, number, seconds in (
        (ended(0, "Reused"), 50, 9.0),
        (ended(60), 100, 60.0),
        (ended(120), 200, 120.0),  # in parallel with the one before
        (ended(130, "Failed"), 0, None),
    ):
        stage.count(state, number, seconds)
        rows.append(tuple(stage.row().values()))
        numbers.append(stage.numbers)
    assert rows == [
        ("0 of 4", "0", "", ""),
        ("1 of 4 (1 reused)", "50", "", ""),
        ("2 of 4 (1 reused)", "150", "1.7", "2"),
        ("3 of 4 (1 reused)", "350", "2.5", "1"),
        ("4 of 4 (1 reused, 1 failed)", "350", "2.5", "0"),
    ]
    assert numbers[0] == "0 of 4"
    assert numbers[2] == "2 of 4 (1 reused), 150 rows, 1.7 rows a second, 2 min left"
    assert numbers[4] == "4 of 4 (1 reused, 1 failed), 350 rows, 2.5 rows a second"


def test_a_run_starts_with_one_bar_and_one_table(shown: list[tuple[str | None, Any]]) -> None:
    from bitext_pivot.tasks.run.progress import RunProgress

    run = RunProgress("fetch", "parse")
    run.begin(fetch=1)
    run.count("fetch", ended(1), 0, None)
    run.begin(parse=2)
    run.count("parse", ended(2), 5, 1.0)
    run.show()
    assert [data for key, data in shown if key == "progress"] == [0, 50.0, 75.0]
    table = shown[-1][1]
    assert [(row["stage"], row["shards done"]) for row in table] == [
        ("fetch", "1 of 1"),
        ("parse", "1 of 2"),
    ]
    assert [row["shards done"] for row in shown[1][1]] == ["0 of 1", ""]
    assert {key for key, _ in shown} == {"progress", "stages"}


def test_a_stage_without_tasks_is_done(shown: list[tuple[str | None, Any]]) -> None:
    from bitext_pivot.tasks.run.progress import RunProgress

    RunProgress("judge").begin(judge=0)
    assert shown[0] == ("progress", 100.0)


def test_updates_come_every_few_seconds(
    shown: list[tuple[str | None, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitext_pivot.tasks.run import progress

    monkeypatch.setattr(progress, "_EVERY", 3600.0)
    run = progress.RunProgress()
    run.begin(parse=50)
    for second in range(50):
        run.count("parse", ended(second), 10, 1.0)
    assert [key for key, _ in shown] == ["progress", "stages"]
