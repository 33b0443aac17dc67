"""A seed whose training is finished: it is not trained again unless its files differ."""

import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from learned import split_rows

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic, folders
from bitext_pivot.flows.train_settings import TrainModel
from bitext_pivot.tasks.ahead.refusals import check_offline


@pytest.fixture
def run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Callable[[], dict[str, Any]], Path, Mock]:
    """What trains a seed, the folder of what is left of it, and the trainer's function."""
    from collections import Counter

    from bitext_pivot.research.models import trainer
    from bitext_pivot.research.tasks import train, training_examples

    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(f"{json.dumps(row)}\n" for row in split_rows(120)), encoding="utf-8")
    form = TrainModel.model_validate({
        "task": "split", "data": [str(rows)], "model": {"start": "random"},
        "training": {"max_steps": 2, "batch": 4},
    })  # fmt: skip
    site = Site(home=tmp_path / "home", threads=1)
    monkeypatch.setattr(
        train, "_runtime", lambda _: trainer.TrainingRuntime(device="cpu", threads=1)
    )
    fit = Mock(wraps=trainer.fit)
    monkeypatch.setattr(trainer, "fit", fit)
    tests, parts = training_examples.read(form, site, Counter())
    whole = train._TrainingRun.of(form, site)
    return (
        lambda: whole._train(0, parts, tests),
        whole.folder / "checkpoints" / "seed-0" / "done",
        fit,
    )


def test_a_finished_seed_is_trained_once_and_again_after_damage(
    run: tuple[Callable[[], dict[str, Any]], Path, Mock], caplog: pytest.LogCaptureFixture
) -> None:
    trained, done, fit = run
    result = trained()
    assert trained() == result and fit.call_count == 1
    weights = (done / "network" / "model" / "model.safetensors").read_bytes()
    (done / "result.json").write_text("{}", encoding="utf-8")
    assert trained()["outputs"] == result["outputs"] and fit.call_count == 2
    atomic.write_json(done / "result.json", {**result, "steps": 9})
    assert trained()["steps"] == 2 and fit.call_count == 3
    (done / "network" / "model" / "model.safetensors").write_bytes(b"of another run")
    trained()
    assert (
        fit.call_count == 4
        and (done / "network" / "model" / "model.safetensors").read_bytes() == weights
    )
    assert (
        len(
            [
                line
                for line in caplog.messages
                if line.startswith("seed 0 is trained again because ")
            ]
        )
        == 3
    )
    (done / "manifest.json").unlink()  # as of a killed run
    trained()
    assert fit.call_count == 5 and len(caplog.messages) == 3


@pytest.fixture
def form(tmp_path: Path) -> dict[str, Any]:
    """A training whose files are there."""
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(f"{json.dumps(row)}\n" for row in split_rows(20)), encoding="utf-8")
    (tmp_path / "t.txt").write_text("Tom sings .\n", encoding="utf-8")
    test = {"name": "t", "source": tmp_path / "t.txt", "references": [tmp_path / "t.txt"]}
    return {"task": "split", "data": [str(rows)], "model": {"start": "random"}, "tests": [test]}


CASES: dict[str, tuple[Callable[[Path, dict[str, Any]], dict[str, Any]], str]] = {
    "a tracker": (lambda folder, form: {"trackers": ("evil",)}, "BITEXT_PIVOT_TRACKERS names 'evil'"),
    "all trackers": (lambda folder, form: {"trackers": ("all",)}, "BITEXT_PIVOT_TRACKERS names 'all'"),
    "a tracker that is not here": (lambda folder, form: {"trackers": ("dvclive",)}, "which is not installed"),
    "data twice": (lambda folder, form: {"more": form["data"]}, r"data and more name .*rows\.jsonl twice"),
    "data twice by two names": (
        lambda folder, form: {"data": [*form["data"], f"{folder}/../{folder.name}/rows.jsonl"]}, "rows.jsonl twice"
    ),
    "a device": (
        lambda folder, form: {"tests": [{**form["tests"][0], "source": Path("/dev/zero")}]}, "zero, which is not a"
    ),
    "a test set that is not there": (
        lambda folder, form: {"tests": [{**form["tests"][0], "references": [folder / "none"]}]}, "is not a regular file"
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_what_cannot_work_is_refused_before_the_training(
    form: dict[str, Any], tmp_path: Path, case: str
) -> None:
    check_offline(TrainModel.model_validate(form), Site(home=tmp_path))
    change, message = CASES[case]
    values = change(tmp_path, form)
    site = Site(home=tmp_path, trackers=values.pop("trackers", ()))
    with pytest.raises(SettingsError, match=message):
        check_offline(TrainModel.model_validate({**form, **values}), site)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data folder whose newest data set of fr-en is one of UN; an older one is the demo's."""
    for name, title in {"export-1": "fr-en: Everyday/v1", "export-2": "fr-en: UN/v1"}.items():
        folder = tmp_path / "home" / "fr-en" / name
        signature: dict[str, Any] = {"settings": {}}
        counts = {"subset": {"train": 1200, "test": 34}}
        atomic.write_json(
            folder / "stats.json", {"title": title, "counts": counts, "signature": signature}
        )
        atomic.write_json(folder / "manifest.json", {})
        folders.point_latest(folder)
    return tmp_path / "home"


@pytest.mark.parametrize(
    ("data", "titles", "is_refused"),
    [("latest", ["fr-en: Everyday/v1"], True), ("latest", ["fr-en: Everyday/v1", "fr-en: UN/v1"], False),
     ("latest", [], False), ("export-1", ["fr-en: Everyday/v1"], False)],
)  # fmt: skip
def test_a_data_set_with_another_title_is_refused(
    golden: Any, home: Path, data: str, titles: list[str], is_refused: bool
) -> None:
    """`latest` may be a build of the user's own since."""
    model = {"start": "random"}
    form = TrainModel(task="split", data=[f"fr-en/{data}"], titles=titles, model=model)
    with golden.refused(SettingsError) if is_refused else nullcontext():
        check_offline(form, Site(home=home))


def test_a_training_names_the_data_set_that_latest_stands_for(home: Path) -> None:
    from bitext_pivot.research.tasks.training_examples import describe, pin_latest

    site = Site(home=home)
    assert (
        pin_latest("fr-en/latest", site) == "fr-en/export-2"
        and pin_latest("a.tsv", site) == "a.tsv"
    )
    folder = home / "fr-en" / "export-2"
    text = f"{folder} (fr-en: UN/v1, 1,234 rows)"
    assert describe("fr-en/latest", site) == describe("fr-en/export-2", site) == text
    (home / "fr-en" / "latest").unlink()
    (home / "fr-en" / "latest.txt").write_text("export-1\n", encoding="utf-8")
    assert pin_latest("fr-en/latest", site) == "fr-en/export-1"
    assert describe("none", site) == "none"


def test_a_data_set_without_a_kept_row_is_refused(golden: Any, home: Path) -> None:
    stats = {"title": "fr-en: UN/v1", "counts": {}, "signature": {"settings": {}}}
    atomic.write_json(home / "fr-en" / "export-2" / "stats.json", stats)
    form = TrainModel(task="split", data=["fr-en/latest"], model={"start": "random"})
    with golden.refused(SettingsError):
        check_offline(form, Site(home=home))
