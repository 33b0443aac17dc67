"""The log of a run, and the artifacts of a data set."""

import logging
from base64 import b64encode
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from pairs.storage import atomic


@pytest.mark.parametrize(("line", "is_logged"), [
    ("Finished in state Completed()", False),
    ("Finished in state Completed('48 rows')", False),
    ("Finished in state Reused('48 rows, built before')", False),
    ("Finished in state Failed('ShardError: the disk is full')", True),  # unless its error was logged before
    ("Finished in state Crashed('the process is gone')", True),
    ("pairs-00000000/Everyday-v1-00000: 48 rows in 0.3 s, skipped none", True),
    ("Completed", True),
])  # fmt: skip
def test_a_final_state_is_logged_unless_it_repeats_a_line(line: str, is_logged: bool) -> None:
    logger = logging.getLogger("prefect.task_runs")
    record = logger.makeRecord(logger.name, logging.INFO, "engine.py", 1, line, (), None)
    assert bool(logger.filter(record)) == is_logged


def test_skips_are_listed_by_reason() -> None:
    from tasks import stages

    assert stages._reasons(Counter()) == "none"
    assert stages._reasons(Counter({"empty translation": 2, "a": 1})) == "1 a, 2 empty translation"


@pytest.fixture
def publish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], dict[str, Any]]:
    """Publish a data set of so many rows; return its artifacts by key."""
    from tasks import artifacts

    sent: dict[str, Any] = {}
    monkeypatch.setattr(artifacts, "put", lambda artifact: sent.update({artifact.key: artifact.format()}))
    monkeypatch.setattr(artifacts, "get_run_logger", lambda: logging.getLogger("tests.artifacts"))
    (tmp_path / "plots").mkdir()
    (tmp_path / "plots" / "funnel.png").write_text("funnel")
    card = '---\nlicense: other\n---\n\n# fr-en\n\nload_dataset("FOLDER")\n\n![Funnel](plots/funnel.png)\n'
    (tmp_path / "README.md").write_text(card)

    def run(rows: int) -> dict[str, Any]:
        stats = {"counts": {"subset": {"train": rows}} if rows else {}, "most_lost": "Most were lost at x: 4 y."}
        atomic.write_json(tmp_path / "stats.json", stats)
        artifacts.publish(tmp_path, "fr-en: Everyday/v1")
        return sent

    return run


def test_the_report_is_the_card_with_its_plots_behind_what_and_where(
    publish: Callable[[int], dict[str, Any]], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "tests.artifacts"):
        sent = publish(3)
    assert sent == {
        "report-fr-en": f"**3 rows** of fr\\-en: Everyday/v1 are in `{tmp_path}`. Open its `inspector.html` to read "
        f'them.\n\n# fr-en\n\nload_dataset("{tmp_path}")\n\n'
        f"![Funnel](data:image/png;base64,{b64encode(b'funnel').decode()})\n"
    }
    assert caplog.messages == [f"fr-en: Everyday/v1: 3 rows, in {tmp_path}"]


def test_a_data_set_without_rows_logs_where_they_were_lost(
    publish: Callable[[int], dict[str, Any]], caplog: pytest.LogCaptureFixture
) -> None:
    assert publish(0)["report-fr-en"].startswith("**0 rows** of")
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert record.getMessage() == "No row was kept. Most were lost at x: 4 y."


def test_a_server_that_does_not_answer_costs_an_artifact_and_no_build(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from prefect.artifacts import MarkdownArtifact

    from tasks import artifacts

    def refuse(**_: object) -> None:
        raise httpx.ConnectError("refused")

    monkeypatch.setattr(artifacts, "get_client", refuse)
    monkeypatch.setattr(artifacts.runtime.flow_run, "id", str(uuid4()), raising=False)
    monkeypatch.setattr(artifacts, "get_run_logger", lambda: logging.getLogger("tests.artifacts"))
    artifacts.put(MarkdownArtifact(key="report-fr-en", markdown="# report"))
    assert caplog.messages == ["The artifact report-fr-en was not published, because of the server: refused"]
