"""Progress: lines in the log of a task that lasts, and one artifact per stage, whatever ran the shards."""

import logging
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from pairs import progress
from pairs.progress import Report, tracked

if TYPE_CHECKING:
    from prefect.client.schemas.objects import State

START = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """Key, percent and text of every update, none left out."""

    from prefect.artifacts import Artifact

    from tasks import progress as page

    artifacts: list[tuple[Any, ...]] = []

    def put(artifact: Artifact) -> None:
        artifacts.append((artifact.key, artifact.format(), artifact.description))

    monkeypatch.setattr(page, "put", put)
    monkeypatch.setattr(page, "_stages", {})
    monkeypatch.setattr(page, "_EVERY", 0.0)
    return artifacts


def ended(after: float, name: str = "Completed") -> "State[None]":
    """Return the final state of a task that ended some seconds after the start."""

    from prefect.client.schemas.objects import State
    from prefect.states import Completed, Failed

    state: State[None] = Failed() if name == "Failed" else Completed(name=name)
    return state.model_copy(update={"timestamp": START + timedelta(seconds=after)})


def test_a_stage_has_shards_rows_rate_and_time_left(shown: list[tuple[Any, ...]]) -> None:
    from tasks.progress import StageProgress

    stage = StageProgress("translate", 4)
    stage.show()
    stage.count(ended(0, "Reused"), 50, 9.0)
    stage.count(ended(60), 100, 60.0)
    stage.count(ended(120), 200, 120.0)  # in parallel with the one before
    stage.count(ended(130, "Failed"), 0, None)
    assert {key for key, *_ in shown} == {"progress-translate"}
    assert [tuple(rest) for _, *rest in shown] == [
        (0.0, "translate: 0 of 4 shards"),
        (25.0, "translate: 1 of 4 shards, 50 rows, 1 reused"),
        (50.0, "translate: 2 of 4 shards, 150 rows, 1.7 rows a second, 2 min left, 1 reused"),
        (75.0, "translate: 3 of 4 shards, 350 rows, 2.5 rows a second, 1 min left, 1 reused"),
        (100.0, "translate: 4 of 4 shards, 350 rows, 2.5 rows a second, 1 reused, 1 failed"),
    ]


def test_a_stage_of_corpora_has_the_time_since_the_flow_waits(shown: list[tuple[Any, ...]]) -> None:
    from tasks.progress import StageProgress

    stage = StageProgress("extract", 1)
    stage._created = START
    stage.count(ended(20), 5_000, None)
    assert shown == [("progress-extract", 100.0, "extract: 1 of 1 corpora, 5,000 rows, 250.0 rows a second")]


def test_a_long_shard_moves_the_bar_of_its_stage(shown: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch) -> None:
    from tasks import progress as page
    from tasks.progress import StageProgress

    monkeypatch.setattr(progress, "_EVERY", 0.0)
    monkeypatch.setattr(page, "get_run_logger", lambda: logging.getLogger("test"))
    stages = [StageProgress(name, tasks) for name, tasks in (("translate", 1), ("parse", 2))]
    for stage in stages:
        with page.in_the_log(), tracked(f"{stage.stage} Days-v1-00000", 4) as advance:
            advance(1)
            advance(2)
        stage.count(ended(60), 100, 60.0)
    with page.in_the_log(), tracked("days.zip", 4, "bytes") as advance:
        advance(4)
    assert [(key, percent, re.sub(r", [\d,.]+ (rows )?a second.*", "", text)) for key, percent, text in shown] == [
        ("progress-translate", 25.0, "translate: 0 of 1 shards; translate Days-v1-00000: 1 of 4"),
        ("progress-translate", 75.0, "translate: 0 of 1 shards; translate Days-v1-00000: 3 of 4"),
        ("progress-translate", 100.0, "translate: 1 of 1 shards, 100 rows"),
        ("progress-parse", 12.5, "parse: 0 of 2 shards; parse Days-v1-00000: 1 of 4"),
        ("progress-parse", 37.5, "parse: 0 of 2 shards; parse Days-v1-00000: 3 of 4"),
        ("progress-parse", 50.0, "parse: 1 of 2 shards, 100 rows"),
    ]


def test_a_stage_without_tasks_is_done(shown: list[tuple[Any, ...]]) -> None:
    from tasks.progress import StageProgress

    StageProgress("judge", 0).show()
    assert shown == [("progress-judge", 100.0, "judge: 0 of 0 shards")]


def test_updates_come_every_few_seconds_and_at_the_end(
    shown: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tasks import progress as page
    from tasks.progress import StageProgress

    monkeypatch.setattr(page, "_EVERY", 3600.0)
    stage = StageProgress("parse", 50)
    stage.show()
    for second in range(50):
        stage.count(ended(second), 10, 1.0)
    assert [percent for _, percent, _ in shown] == [0.0, 100.0]


@pytest.mark.parametrize(("every", "lines"), [(0.0, 2), (60.0, 0)])
def test_long_work_is_logged_and_short_work_is_not(
    every: float, lines: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from tasks import progress as page

    monkeypatch.setattr(progress, "_EVERY", every)
    monkeypatch.setattr(page, "get_run_logger", lambda: logging.getLogger("test"))
    caplog.set_level(logging.INFO)
    with page.in_the_log(), tracked("translate Europarl-v7-00001", 4) as advance:
        advance(1)
        advance(3)
    assert [record.name for record in caplog.records] == ["test"] * lines
    if lines:
        assert caplog.messages[0].startswith("translate Europarl-v7-00001: 1 of 4, ")


@pytest.mark.parametrize(("report", "text"), [
    (Report("x", 1_200, 5_000, "items", 10.0), "x: 1,200 of 5,000, 120 a second, 32 s left"),
    (Report("x", 5_000, 5_000, "items", 10.0, over=True), "x: 5,000 of 5,000, 500 a second"),
    (Report("x", 3, None, "items", 10.0), "x: 3, 0.30 a second"),
    (Report("x", 2_500_000, 10_000_000, "bytes", 5.0), "x: 2.5 MB of 10.0 MB, 500.0 kB a second, 15 s left"),
    (Report("x", 0, 7, "items", 0.0), "x: 0 of 7, 0.00 a second"),
])  # fmt: skip
def test_a_report_has_amount_rate_and_time_left(report: Report, text: str) -> None:
    assert report.text == text
