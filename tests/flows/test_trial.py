"""A build with a bad model says so before it starts: in the log, the run's state, the report and the card."""

import json
import logging
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from builds import QUICKSTART, quickstart
from factories import judged

from bitext_pivot.core.records import Alignment, Source
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import shards
from bitext_pivot.corpus.division import Division
from bitext_pivot.filters.base import Runtime, pair_key
from bitext_pivot.filters.chain import Filters
from bitext_pivot.filters.neural.entailment import Entailment
from bitext_pivot.filters.outcome import Outcome
from bitext_pivot.flows.pivot_settings import PivotBitext

pytestmark = pytest.mark.quickstart
MODEL = QUICKSTART / "models" / "marian-frdees-en"


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """The quickstart's model with exchanged words: fluent nonsense, which the self-check lets through."""
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
        warning.startswith("few pairs pass: ") and "alignments give a pair that passes" in warning
    )
    assert pairs == []
    assert warning in [
        record.getMessage() for record in caplog.records if record.levelno == logging.WARNING
    ]
    assert state.message == warning
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert f"\n\n**Warning: {warning}**\n\n**" in card
    stats = json.loads((folder / "stats.json").read_text(encoding="utf-8"))
    assert report(folder, stats).splitlines()[0] == f"**Warning: {warning}**"
    assert stats["signature"]["min_confidence"].endswith("nothing judges the translations")


def alignments_of(texts: Sequence[str], folder: Path) -> list[Path]:
    """Write alignments of these texts, 100 in a part of their document, and return their shard."""
    source = Source(corpus="Own", release="v1", licence="CC0-1.0", documents=("en/a", "fr/a"))
    out = folder / "alignments" / "a.parquet"
    records = [
        Alignment(
            id=f"Own/v1/en-fr:{number}",
            source=source,
            one_language="en",
            two_language="fr",
            one=text,
            two=(f"Salle {number}.", f"Heure {number}."),
            one_id=str(number),
            two_ids=("1", "2"),
            attributes={},
        )
        for number, text in enumerate(texts, 1)
    ]
    shards.write(out, Alignment, records, {"skips": {}})
    return [out]


ROOMS = [f"Room {number} opens at {number} in year {number}." for number in range(4_000)]


@pytest.mark.parametrize(
    ("texts", "division", "least", "most"),
    [
        (ROOMS, {}, 0.0, 0.0),
        (["The room opens at six."] * 4_000, {}, 0.8, 0.95),
        (["The room opens at six."] * 4_000, {"validation": 0, "test": 0}, 0.0, 0.0),
        (["The room opens at six."] * 90, {}, 0.0, 0.0),  # one part, which is in one set
        ([*ROOMS[:3_000], *["The room opens at six."] * 1_000], {}, 0.15, 0.25),
        ([*ROOMS, *ROOMS[:400]], {"validation": 0.2, "test": 0.2}, 0.02, 0.12),
    ],
)
def test_alignments_that_repeat_another_set_are_expected_to_be_left_out(
    texts: list[str], division: dict[str, float], least: float, most: float, tmp_path: Path
) -> None:
    """Texts that are repeated once, far from each other, count too; a sample would seldom have both."""
    from bitext_pivot.tasks.ahead.trial import share_left_out

    found = share_left_out(alignments_of(texts, tmp_path), "en", Division(**division))
    assert least <= found <= most


def test_tokens_of_the_judge_are_extrapolated() -> None:
    from bitext_pivot.tasks.ahead.trial import Trial

    outcome = Outcome(
        alignments=200, kept=100, lost={}, confidence=None, adequacy=None, human=None, warning=""
    )
    facts: dict[str, Any] = {"outcome": outcome, "total": 2_000, "seconds": 10.0, "tokens": {}}
    usage = {"a/b": {"read": 65_000, "written": 4_000}}
    rows = Trial(**facts, judge_tokens=usage, prices={"a/b": (1.0, 14.5)}).table().rows
    assert ("tokens of the judge for all", "650,000 read, 40,000 written", "a/b") in rows
    assert ("cost of the judge for all", "1.23", "by the prices of tokens") in rows
    assert not any("judge" in str(row[0]) for row in Trial(**facts).table().rows)


def test_a_build_says_before_it_begins_how_long_a_slow_filter_takes_here() -> None:
    from bitext_pivot.tasks.ahead.trial import Trial

    outcome = Outcome(
        alignments=200, kept=100, lost={}, confidence=None, adequacy=None, human=None, warning=""
    )
    facts: dict[str, Any] = {"outcome": outcome, "total": 2_000, "seconds": 10.0, "tokens": {}}
    trial = Trial(**facts, slow={"entailment": (120, 0.25)})
    known_from = "0.25 s per pair, measured on this machine, for about 1,200 pairs"
    assert trial.summary.endswith(
        f" The filter entailment takes about 5 min of one worker: {known_from}."
    )
    assert (
        "time of entailment for all",
        "about 5 min of one worker",
        known_from,
    ) in trial.table().rows
    assert "filter" not in Trial(**facts).summary
    assert "slow" not in trial.facts  # two runs of a build write the same card


def test_a_slow_filter_is_timed_by_pairs_that_it_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from bitext_pivot.tasks.ahead.trial import _timed

    runtime = Runtime.of(Site(home=tmp_path, device="cpu"))

    compared: list[str] = []

    def compare(_: Entailment, keys: list[str], *__: object) -> None:
        compared.extend(keys)

    monkeypatch.setattr(Entailment, "compare", compare)
    monkeypatch.setattr(Entailment, "load", lambda *_: "")
    filters = Filters.model_validate({"advanced": {"entailment": {"model": "x"}}})
    pairs = [judged(n, f"It rained {n} times.", "It rained.", f"It rained {n}.") for n in range(40)]
    for pair in pairs[1::2]:
        pair.scored.scores["entailment"] = 0.5
    ((name, (number, seconds)),) = _timed(pairs, filters, runtime).items()
    assert (name, number, len(compared)) == ("entailment", 20, 12) and seconds >= 0
    assert set(compared) == {pair_key(pair.scored.parsed) for pair in pairs[1:24:2]}
    assert _timed(pairs, Filters(), runtime) == _timed(pairs[:1], filters, runtime) == {}


def test_a_build_of_preset_strict_says_what_checked_would_take(tmp_path: Path) -> None:
    from bitext_pivot.tasks.ahead.trial import _if_checked
    from bitext_pivot.tasks.run.models import Processing

    def would_take(**filters: Any) -> dict[str, Any]:
        form = PivotBitext.model_validate({"filters": filters})
        return _if_checked(Processing.of(form, "cpu"), Site(home=tmp_path, device="cpu"))

    small = "cross-encoder/nli-deberta-v3-xsmall"
    assert would_take() == {"model": small, "seconds": Entailment(model=small).seconds}
    for others in (
        {"preset": "checked"},
        {"preset": "paper"},
        {"advanced": {"judge": {"models": ["a"]}}},
    ):
        assert would_take(**others) == {}


@pytest.mark.nightly
def test_a_good_model_is_not_and_its_trial_is_translated_once(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitext_pivot.translation.marian import Marian

    translated: list[str] = []
    translate = Marian.translate

    def count(self: Marian, texts: Any) -> Any:
        translated.extend(texts)
        return translate(self, texts)

    monkeypatch.setattr(Marian, "translate", count)
    state, folder = build()
    assert len(translated) == len(set(translated)) > 50
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert (
        card.count("Warning") == card.count("**Warning: Far from their shares") == 1
    )  # of 35 rows; no other
    assert state.message == "All stages are complete."
    (trial,) = data.glob("trial-*.json")
    before = trial.stat().st_mtime_ns
    assert build()[1] == folder
    assert trial.stat().st_mtime_ns == before


def test_a_plan_with_a_trial_is_reused_by_the_build(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitext_pivot.flows.plan_bitext import plan_bitext
    from bitext_pivot.tasks.ahead import trial

    monkeypatch.setattr(trial, "share_left_out", lambda *_: 0.25)

    form = PivotBitext.model_validate(
        quickstart(extraction={"max_links": 80}, filters={"preset": "rules"})
    )
    page = plan_bitext(form, trial=30)
    table = page.tables[0]
    assert table.title == "Trial" and table.note == ""
    rows = {name: str(measured) for name, measured, _ in table.rows}
    assert rows["alignments"].startswith("30 of ")
    assert (
        0 < float(rows["confidence, median"]) <= 1
        and rows["similarity to the source, median"] == "unknown"
    )
    (stored,) = data.glob("trial-*.json")
    assert json.loads(stored.read_text(encoding="utf-8"))["left_out"] == 0.25
    assert len(list(data.glob("alignments-*/*.parquet"))) == 1
