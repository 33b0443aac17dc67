"""The artifacts of a run, and the skips in the state of a task."""

import logging
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from factories import judged

from bitext_pivot.core.records import JudgedPair
from bitext_pivot.core.storage import atomic, shards
from bitext_pivot.corpus.recipes.bisect import BISECT


def test_skips_are_listed_by_reason() -> None:
    from bitext_pivot.tasks.run import stages

    assert stages._reasons(Counter()) == "none"
    assert stages._reasons(Counter({"empty translation": 2, "a": 1})) == "1 a, 2 empty translation"


@pytest.fixture
def publish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, Any]]:
    """Publish a data set of so many rows; return its artifacts by key."""
    from bitext_pivot.tasks.run import artifacts

    sent: dict[str, Any] = {}
    current: Any = SimpleNamespace(
        has_page=True, publish=lambda key, content, description: sent.update({key: content})
    )
    monkeypatch.setattr(artifacts, "current_run", lambda: current)
    card = '---\nlicense: other\n---\n\n# fr-en\n\nload_dataset("FOLDER")\n'
    (tmp_path / "README.md").write_text(card)

    def run(rows: int, warning: str = "") -> dict[str, Any]:
        counts = {"subset": {"train": rows}} if rows else {}
        stats = {
            "title": "fr-en: Everyday/v1",
            "counts": counts,
            "most_lost": "Most were lost at x: 4 y.",
            "warning": warning,
            "signature": {"settings": {}},
        }
        atomic.write_json(tmp_path / "stats.json", stats)
        artifacts.publish(tmp_path, "fr-en: Everyday/v1")
        return sent

    return run


def test_the_report_is_what_and_where_and_the_card(
    publish: Callable[..., dict[str, Any]], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "bitext_pivot"):
        sent = publish(3)
    assert sent.keys() == {"report"}
    first, card = re.split(r"(?=# fr-en)", sent["report"])
    assert first.startswith(f"**3 rows** of fr-en: Everyday/v1 are in `{tmp_path}`: 3 train, 0 ")
    assert "Most were lost at x: 4 y." in first and "inspector.html" in first
    assert card == f'# fr-en\n\nload_dataset("{tmp_path}")\n'
    assert caplog.messages == [f"fr-en: Everyday/v1: 3 rows, in {tmp_path}"]


def test_the_report_has_the_first_kept_rows_while_the_run_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitext_pivot.tasks.run import artifacts

    reports: list[str] = []
    current: Any = SimpleNamespace(
        publish=lambda key, content, description: reports.append(content)
    )
    monkeypatch.setattr(artifacts, "current_run", lambda: current)
    show, number = artifacts.first_rows(BISECT), 0
    for reasons in (["length"], [None, "length", None], [None] * 20, [None]):
        numbers = range(number, number := number + len(reasons))
        texts = ("I slept and I ate.", "I slept.", "I ate.")
        records = [judged(n, *texts, reason) for n, reason in zip(numbers, reasons, strict=True)]
        shards.write(tmp_path / f"{number}.parquet", JudgedPair, records)
        show(tmp_path / f"{number}.parquet")
    assert [text.count("### ") for text in reports] == [2, 10]
    assert f"### {judged(1, *texts).pair.id}\n" in reports[0] and "### 2\n" not in reports[0]


def test_a_data_set_without_rows_logs_where_they_were_lost(
    publish: Callable[..., dict[str, Any]], caplog: pytest.LogCaptureFixture
) -> None:
    assert publish(0)["report"].startswith("**0 rows** of")
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert record.getMessage() == "No row was kept. Most were lost at x: 4 y."


def test_a_warning_is_the_first_thing_in_the_report_and_in_the_log(
    publish: Callable[..., dict[str, Any]], caplog: pytest.LogCaptureFixture
) -> None:
    assert publish(3, "The test set is empty.")["report"].startswith(
        "**Warning: The test set is empty.**"
    )
    assert "The test set is empty." in caplog.messages
