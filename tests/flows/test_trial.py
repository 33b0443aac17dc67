"""A build with a bad model says so before it starts: in the log, the run's state, the report and the card."""

import logging
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from builds import QUICKSTART, quickstart

from bitext_pivot.corpus.facts import read_stats
from bitext_pivot.filters.outcome import BuildOutcome
from bitext_pivot.flows.pivot_settings import PivotBitext

pytestmark = pytest.mark.quickstart
MODEL = QUICKSTART / "models" / "marian-frdees-en"


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """The quickstart's model with exchanged words: fluent nonsense."""
    import torch
    from safetensors.torch import load_file, save_file

    folder = tmp_path / "bad"
    shutil.copytree(MODEL, folder)
    tensors, name = load_file(MODEL / "model.safetensors"), "model.shared.weight"
    words = tensors[name].clone()
    words[1000:4000] = tensors[name][torch.arange(1000, 4000).roll(7)]
    save_file({**tensors, name: words}, folder / "model.safetensors", {"format": "pt"})
    return folder


@pytest.fixture
def data(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty data folder of builds that read the quickstart's bitext."""
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("BITEXT_PIVOT_OPUS", str(QUICKSTART / "opus"))
    monkeypatch.chdir(QUICKSTART.parent)
    yield tmp_path / "data" / "fr-en"


def build(**changes: Any) -> tuple[Any, Path]:
    """Build 80 links with the rule filters; return the state of the run and the data set."""
    from bitext_pivot.flows.pivot_bitext import pivot_bitext

    form = quickstart(extraction={"max_links": 80}, filters={"preset": "rules"}, **changes)
    state: Any = pivot_bitext(PivotBitext.model_validate(form), return_state=True)
    return state, state.result()


def test_a_bad_model_is_announced_before_its_shards_are_translated(
    bad: Path, data: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitext_pivot.tasks.ahead import trial
    from bitext_pivot.tasks.run.artifacts import report

    published: dict[str, list[Path]] = {}
    monkeypatch.setattr(
        trial,
        "publish_table",
        lambda _, table: published.update({table.note: [*data.glob("pairs-*")]}),
    )
    log = logging.getLogger("prefect.task_runs")
    log.addHandler(caplog.handler)
    try:
        state, folder = build(
            translation={"model": str(bad)}, division={"validation": 0, "test": 0}
        )
    finally:
        log.removeHandler(caplog.handler)
    ((warning, pairs),) = published.items()
    assert (
        "this model makes up words" in warning and "alignments give a pair that passes" in warning
    )
    assert pairs == []
    assert warning in [
        record.getMessage() for record in caplog.records if record.levelno == logging.WARNING
    ]
    assert state.message == warning
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert f"\n\n**Warning: {warning}**\n\n**" in card
    stats = read_stats(folder)
    assert report(folder, stats).splitlines()[0] == f"**Warning: {warning}**"
    assert stats.signature["min_confidence"].startswith("not filtered: no minimum")


def test_a_trial_says_the_pairs_to_expect_and_the_time() -> None:
    from bitext_pivot.tasks.ahead.trial import Trial

    outcome = BuildOutcome(alignments=200, kept=50, not_kept={}, confidence=None, warning="")
    trial = Trial(outcome=outcome, total=200_000, seconds=36.0)
    assert trial.summary == (
        "Trial: 50 of 200 alignments give a pair that passes; all 200,000 may give about 50,000, in at most 10.0 h."
    )
    assert trial.table().rows[-2:] == [
        ("pairs of all alignments", "about 50,000", ""),
        ("time for all", "at most 10.0 h", "one worker, measured in the trial"),
    ]
    assert replace(trial, total=200).time == "36 s"
    # Two runs must write the same card.
    assert trial.facts["kept"] == 50 and "seconds" not in trial.facts


@pytest.mark.nightly
def test_a_good_model_is_not_and_its_trial_is_translated_once(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitext_pivot.translation.marian import MarianEngine

    translated: list[str] = []
    translate = MarianEngine.translate

    def count(self: MarianEngine, texts: Any) -> Any:
        translated.extend(texts)
        return translate(self, texts)

    monkeypatch.setattr(MarianEngine, "translate", count)
    state, folder = build()
    assert len(translated) == len(set(translated)) > 50
    card = (folder / "README.md").read_text(encoding="utf-8")
    # The only shard has 35 rows.
    assert card.count("Warning") == card.count("**Warning: Far from their shares") == 1
    assert state.message == "All stages are complete."
    translated.clear()
    assert build()[1] == folder and translated == []


def test_a_plan_with_a_trial_is_reused_by_the_build(data: Path) -> None:
    from bitext_pivot.flows.plan_bitext import plan_bitext

    form = PivotBitext.model_validate(
        quickstart(extraction={"max_links": 80}, filters={"preset": "rules"})
    )
    page = plan_bitext(form, trial=30)
    table, stages, *_ = page.tables
    corpus, data_set = stages.rows
    assert corpus[0] == "Everyday/v1" and corpus[1:4] == ("there", "there", "-")
    assert data_set[-1] == "-" and f"time: {table.rows[-1][1]} on one worker" in page.summary
    assert table.title == "Trial" and table.note == ""
    rows = {name: str(measured) for name, measured, _ in table.rows}
    assert rows["alignments"].startswith("30 of ")
    assert 0 < float(rows["confidence, median"]) <= 1
    assert len(list(data.glob("alignments-*/*.parquet"))) == 1
