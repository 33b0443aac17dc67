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

from corpus.card import PLOTS, Stage, Statistics
from pairs.errors import SourceError
from pairs.storage import atomic, manifest

FUNNEL = [
    Stage(name="extract", entered=9, left=4, lost={"shape 0-1": 1, "shape 1-1": 4, "duplicate": 0}),
    Stage(name="translate", entered=4, left=4),
]


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
def publish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, Any]]:
    """Publish a small data set with some categories; return its artifacts by key, and the summary."""
    from tasks import artifacts

    sent: dict[str, Any] = {}
    monkeypatch.setattr(artifacts, "put", lambda artifact: sent.update({artifact.key: artifact.format()}))
    monkeypatch.setattr(artifacts, "get_run_logger", lambda: logging.getLogger("tests.artifacts"))
    example = "### Everyday/v1/en-fr:7\n\nIt rained ‖ and he slept.\n\n1. It rained.\n\n2. He slept."
    texts = {"examples.md": f"# examples\n\n## Direct Insertion (1 shown)\n\n{example}\n", "a.jsonl": "{}\n" * 700}
    texts |= {f"plots/{name}.png": name for name in PLOTS}
    (tmp_path / "plots").mkdir()
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    manifest.write(tmp_path, {"a.jsonl": 700}, ["examples.md"])

    def run(**category: int) -> dict[str, Any]:
        kept = sum(category.values())
        funnel = [*FUNNEL, Stage(name="filter verbs", entered=4, left=kept), Stage(name="export", entered=4, left=4)]
        statistics = Statistics(
            signature={},
            corpora={},
            funnel=funnel,
            subset={"train": kept, "test": 0},
            category=category,
            category_bisect={"Changes Near Split": 3},
            construction={"gerund": 1, "other": 2},
        )
        atomic.write_json(tmp_path / "stats.json", statistics.plain())
        sent["summary"] = artifacts.publish(tmp_path, "fr-en: Everyday/v1")
        return sent

    return run


def test_one_report_has_all_that_a_data_set_says(
    publish: Callable[..., dict[str, Any]], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sent = publish(**{"Direct Insertion": 2, "Changes Near Split": 1})
    assert sent.keys() == {"report-fr-en", "summary"}
    assert sent["summary"] == f"3 pairs of 4 alignments, in {tmp_path}"
    lines = sent["report-fr-en"].splitlines()
    assert lines[:5] == [
        r"# fr\-en: Everyday/v1", "", "- **3 pairs** of 4 alignments (75.0%): 3 train, 0 validation, 0 test",
        "- Most were lost at filter verbs: 1 of 4", f"- Data set: `{tmp_path}`",
    ]  # fmt: skip
    assert f'pairs = load_dataset("{tmp_path}")' in lines
    rows = [line for line in lines if line.startswith("| ")]
    assert rows[2:6] == [
        "| extract | 9 | 5 | 4 | 44.4% | 4 shape 1-1, 1 shape 0-1 |", "| translate | 4 | 0 | 4 | 100.0% |  |",
        "| filter verbs | 4 | 1 | 3 | 75.0% |  |", "| export | 4 | 0 | 4 | 100.0% |  |",
    ]  # fmt: skip
    assert rows[8:11] == [
        "| Direct Insertion | 2 | 66.7% | 0 |", "| Changes Near Split | 1 | 33.3% | 3 |",
        "| Changes Across Sentence | 0 | 0.0% | 0 |",
    ]  # fmt: skip
    assert rows[13:15] == ["| other | 2 |", "| gerund | 1 |"]
    assert rows[17] == f"| [a.jsonl]({(tmp_path / 'a.jsonl').as_uri()}) | 2.1 kB | 700 |"
    assert f"![{PLOTS['funnel']}](data:image/png;base64,{b64encode(b'funnel').decode()})" in lines
    assert sum("](data:image/png;base64," in line for line in lines) == len(PLOTS)
    assert "### Everyday/v1/en-fr:7" in lines
    assert caplog.records == []


def test_a_data_set_without_pairs_logs_where_they_were_lost(
    publish: Callable[..., dict[str, Any]], caplog: pytest.LogCaptureFixture
) -> None:
    assert "- **0 pairs** of 4 alignments (0.0%): 0 train, 0 validation, 0 test" in publish()["report-fr-en"]
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert record.getMessage() == "No pair was kept. Most were lost at filter verbs: 4 of 4"


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


def test_a_build_of_bitext_without_links_is_refused() -> None:
    from tasks.export import export

    with pytest.raises(SourceError, match="fr-en: Mine/v1: no links were found, so there is nothing to build"):
        export([], [], "fr-en: Mine/v1", {})
