"""The log of a run, and the artifacts of a data set."""

import logging
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from corpus.card import Stage, Statistics
from pairs.errors import SourceError
from pairs.storage import atomic, manifest
from tasks import artifacts, stages
from tasks.export import export

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
    assert stages._reasons(Counter()) == "none"
    assert stages._reasons(Counter({"empty translation": 2, "a": 1})) == "1 a, 2 empty translation"


@pytest.fixture
def publish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., dict[str, Any]]:
    """Publish a small data set with some categories; return its artifacts by key."""
    sent: dict[str, Any] = {}
    for kind in ("markdown", "table", "image"):
        monkeypatch.setattr(artifacts, f"create_{kind}_artifact", lambda what, key, _: sent.update({key: what}))
    monkeypatch.setattr(artifacts, "get_run_logger", lambda: logging.getLogger("tests.artifacts"))
    texts = {"README.md": "---\nlanguage: en\n---\n\n# card", "examples.md": "# examples", "a.jsonl": "{}\n" * 700}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    manifest.write(tmp_path, {"a.jsonl": 700}, ["README.md", "examples.md"])

    def run(**category: int) -> dict[str, Any]:
        kept = sum(category.values())
        funnel = [*FUNNEL, Stage(name="filter verbs", entered=4, left=kept, lost={"verbs": 4 - kept})]
        statistics = Statistics(
            signature={},
            corpora={},
            funnel=funnel,
            subset={"train": kept},
            category=category,
            category_bisect={"Changes Near Split": 3},
            construction={},
        )
        atomic.write_json(tmp_path / "stats.json", statistics.plain())
        sent["summary"] = artifacts.publish(tmp_path, "fr-en: Everyday/v1")
        return sent

    return run


def test_a_data_set_is_published_as_artifacts(
    publish: Callable[..., dict[str, Any]], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    page = publish(**{"Direct Insertion": 2, "Changes Near Split": 1})
    assert [(one["stage"], one["in"], one["kept"], one["lost"], one["why"]) for one in page["funnel-fr-en"]] == [
        ("extract", 9, 4, 5, "4 shape 1-1, 1 shape 0-1"),
        ("translate", 4, 4, 0, ""),
        ("filter verbs", 4, 3, 1, "1 verbs"),
    ]
    assert [tuple(one.values()) for one in page["categories-fr-en"]] == [
        ("Direct Insertion", 2, "66.7%", 0), ("Changes Near Split", 1, "33.3%", 3),
        ("Changes Across Sentence", 0, "0.0%", 0),
    ]  # fmt: skip
    assert f"`{tmp_path}`" in page["files-fr-en"]
    assert f"| [a.jsonl]({(tmp_path / 'a.jsonl').as_uri()}) | 2.1 kB | 700 |" in page["files-fr-en"]
    assert (page["data-set-fr-en"], page["examples-fr-en"]) == ("# card", "# examples")
    for picture in ("funnel-plot-fr-en", "scores-fr-en"):
        assert page[picture].startswith("data:image/png;base64,")
    assert page["summary"] == f"3 pairs of 4 alignments, in {tmp_path}"
    assert caplog.records == []


def test_a_data_set_without_pairs_logs_where_they_were_lost(
    publish: Callable[..., dict[str, Any]], caplog: pytest.LogCaptureFixture
) -> None:
    publish()
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert "No pair was kept. Most were lost here: 4 of 4 at filter verbs (4 verbs)." in record.getMessage()


def test_a_build_of_bitext_without_links_is_refused() -> None:
    with pytest.raises(SourceError, match="fr-en: Mine/v1: no links were found, so there is nothing to build"):
        export.fn([], [], "fr-en: Mine/v1", {})
