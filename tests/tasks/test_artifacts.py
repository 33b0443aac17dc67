"""The log of a run, and the artifacts of a data set."""

import logging
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from corpus.card import Stage, Statistics
from pairs.errors import SourceError
from pairs.storage import atomic
from tasks import artifacts, stages
from tasks.export import export


@pytest.mark.parametrize(("line", "kept"), [
    ("Finished in state Completed()", False),
    ("Finished in state Completed('48 rows')", False),
    ("Finished in state Reused('48 rows, built before')", False),
    ("Finished in state Failed('ShardError: the disk is full')", True),  # unless its error was logged before
    ("Finished in state Crashed('the process is gone')", True),
    ("pairs-00000000/Everyday-v1-00000: 48 rows in 0.3 s, skipped none", True),
    ("Completed", True),
])  # fmt: skip
def test_the_final_state_repeats_what_the_task_or_its_error_says(line: str, kept: bool) -> None:
    logger = logging.getLogger("prefect.task_runs")
    record = logger.makeRecord(logger.name, logging.INFO, "engine.py", 1, line, (), None)
    assert bool(logger.filter(record)) == kept


@pytest.mark.parametrize(("skips", "text"), [
    (Counter(), "none"),
    (Counter({"empty translation": 2, "a": 1}), "1 a, 2 empty translation"),
])  # fmt: skip
def test_skips_are_listed_by_reason(skips: Counter[str], text: str) -> None:
    assert stages._reasons(skips) == text


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The artifacts of a small data set, by key."""
    sent: dict[str, Any] = {}
    for kind in ("markdown", "table", "image"):
        monkeypatch.setattr(artifacts, f"create_{kind}_artifact", lambda what, key, _: sent.update({key: what}))
    funnel = [
        Stage(name="extract", entered=9, left=4, lost={"shape 0-1": 1, "shape 1-1": 4, "duplicate": 0}),
        Stage(name="translate", entered=4, left=4),
        Stage(name="filter verbs", entered=4, left=3),
    ]
    categories = {"Direct Insertion": 2, "Changes Near Split": 1}
    statistics = Statistics(signature={}, corpora={}, funnel=funnel, category=categories, construction={})
    for name, text in (("README.md", "# card"), ("examples.md", "# examples"), ("pairs.jsonl", "{}\n" * 700)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    atomic.write_json(tmp_path / "stats.json", statistics.plain())
    sent["summary"] = artifacts.publish(tmp_path, "fr-en: Everyday/v1")
    return sent


def test_the_funnel_counts_losses_with_the_most_frequent_reason_first(page: dict[str, Any]) -> None:
    assert [(one["stage"], one["in"], one["kept"], one["lost"], one["why"]) for one in page["funnel-fr-en"]] == [
        ("extract", 9, 4, 5, "4 shape 1-1, 1 shape 0-1"),
        ("translate", 4, 4, 0, ""),
        ("filter verbs", 4, 3, 1, ""),
    ]


def test_every_category_is_listed_even_an_empty_one(page: dict[str, Any]) -> None:
    assert [tuple(one.values()) for one in page["categories-fr-en"]] == [
        ("Direct Insertion", 2, "66.7%"), ("Changes Near Split", 1, "33.3%"), ("Changes Across Sentence", 0, "0.0%"),
    ]  # fmt: skip


def test_the_files_are_linked_with_their_sizes_below_a_path_to_copy(page: dict[str, Any], tmp_path: Path) -> None:
    assert f"`{tmp_path}`" in page["files-fr-en"]
    assert f"| [pairs.jsonl]({(tmp_path / 'pairs.jsonl').as_uri()}) | 2.1 kB |" in page["files-fr-en"]


def test_card_examples_and_plots_are_published_and_the_log_gets_one_line(page: dict[str, Any], tmp_path: Path) -> None:
    assert (page["data-set-fr-en"], page["examples-fr-en"]) == ("# card", "# examples")
    for picture in ("funnel-plot-fr-en", "scores-fr-en"):
        assert page[picture].startswith("data:image/png;base64,")
    assert page["summary"] == f"3 pairs of 4 alignments, in {tmp_path}"


def test_a_data_set_without_pairs_logs_where_they_were_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for kind in ("markdown", "table", "image"):
        monkeypatch.setattr(artifacts, f"create_{kind}_artifact", lambda *_: None)
    monkeypatch.setattr(artifacts, "get_run_logger", lambda: logging.getLogger("tests.artifacts"))
    funnel = [
        Stage(name="extract", entered=9, left=4, lost={"shape 1-1": 5}),
        Stage(name="translate", entered=4, left=4),
        Stage(name="filter verbs", entered=4, left=0, lost={"verbs": 4}),
    ]
    (tmp_path / "README.md").write_text("# card", encoding="utf-8")
    (tmp_path / "examples.md").write_text("# examples", encoding="utf-8")
    for left, lines in ((0, 1), (1, 0)):
        caplog.clear()
        funnel[-1] = Stage(name="filter verbs", entered=4, left=left, lost={"verbs": 4 - left})
        statistics = Statistics(
            signature={},
            corpora={},
            funnel=funnel,
            category={"Direct Insertion": left} if left else {},
            construction={},
        )
        atomic.write_json(tmp_path / "stats.json", statistics.plain())
        artifacts.publish(tmp_path, "fr-en: Everyday/v1")
        assert [record.levelname for record in caplog.records] == ["WARNING"] * lines
        if lines:
            assert "No pair was kept. Most were lost here: 4 of 4 at filter verbs (4 verbs)." in caplog.text


def test_a_build_of_bitext_without_links_says_so() -> None:
    with pytest.raises(SourceError, match="fr-en: Mine/v1: no links were found, so there is nothing to build"):
        export.fn([], [], "fr-en: Mine/v1", {})
