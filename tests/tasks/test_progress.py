"""Progress reaches the run page for work that lasts, and a server that does not answer stops nothing."""

import logging
from typing import Any
from uuid import uuid4

import httpx
import pytest

from pairs import progress
from pairs.progress import Report, tracked
from tasks import progress as page


@pytest.fixture
def artifacts(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What is created and updated, in order, with every report sent at once."""
    sent: list[tuple[Any, ...]] = []
    monkeypatch.setattr(progress, "_REPORT_EVERY", 0.0)
    monkeypatch.setattr(page, "get_run_logger", lambda: logging.getLogger("test"))
    monkeypatch.setattr(page, "create_progress_artifact", lambda *of: (sent.append(("create", *of)), uuid4())[1])
    monkeypatch.setattr(page, "update_progress_artifact", lambda _, *of: sent.append(("update", *of)))
    return sent


def test_long_work_has_one_artifact_that_ends_at_100_percent(artifacts: list[tuple[Any, ...]]) -> None:
    with page.on_the_run_page(), tracked("translate Europarl-v7-00001", 4) as advance:
        advance(1)
        advance(2)
    assert [(kind, percent) for kind, percent, *_ in artifacts] == [
        ("create", 25.0),
        ("update", 75.0),
        ("update", 100.0),
    ]
    assert artifacts[0][2] == "translate-europarl-v7-00001"
    assert artifacts[1][2].startswith("translate Europarl-v7-00001: 3 of 4, ")


def test_short_work_has_no_artifact(artifacts: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_REPORT_EVERY", 60.0)
    with page.on_the_run_page(), tracked("x", 2) as advance:
        advance(2)
    assert artifacts == []


def test_a_server_that_does_not_answer_stops_nothing(
    artifacts: list[tuple[Any, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise httpx.ConnectError("refused")

    monkeypatch.setattr(page, "create_progress_artifact", refuse)
    with page.on_the_run_page(), tracked("x", 2) as advance:
        advance(2)
    assert artifacts == []


@pytest.mark.parametrize(("report", "text"), [
    (Report("x", 1_200, 5_000, "items", 10.0), "x: 1,200 of 5,000, 120 a second, 32 s left"),
    (Report("x", 5_000, 5_000, "items", 10.0, over=True), "x: 5,000 of 5,000, 500 a second"),
    (Report("x", 3, None, "items", 10.0), "x: 3, 0.30 a second"),
    (Report("x", 2_500_000, 10_000_000, "bytes", 5.0), "x: 2.5 MB of 10.0 MB, 500.0 kB a second, 15 s left"),
    (Report("x", 0, 7, "items", 0.0), "x: 0 of 7, 0.00 a second"),
])  # fmt: skip
def test_a_report_has_amount_rate_and_time_left(report: Report, text: str) -> None:
    assert report.text == text
