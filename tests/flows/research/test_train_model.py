"""The flow that trains: a model and its card, a second run, a changed seed, applying it, publishing it."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from learned import split_rows, weights
from messages import Said

from bitext_pivot.commands.main import main
from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.storage import manifest
from bitext_pivot.flows.train_settings import TrainModel

LONG = "Tom sings 3 times , and Ann reads well ."
SHORT = "Tom sings 3 times . <SEP> Ann reads well ."


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of rows and a test set."""
    folder = tmp_path / "files"
    folder.mkdir()
    rows = [
        *split_rows(120),
        {"id": "leak", "long": LONG, "split": SHORT.split(" <SEP> ")},
        {"long": "x"},
    ]
    (folder / "rows.jsonl").write_text(
        "".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8"
    )
    (folder / "t.src").write_text(f"{LONG}\n", encoding="utf-8")
    (folder / "t.dst").write_text(f"{SHORT}\n", encoding="utf-8")
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("BITEXT_PIVOT_THREADS", "1")
    return folder


def settings(files: Path, **training: Any) -> TrainModel:
    test = {"name": "t", "source": files / "t.src", "references": [files / "t.dst"]}
    return TrainModel.model_validate({
        "task": "split", "data": [str(files / "rows.jsonl")], "loss": "adaptive", "licence": "CC0-1.0", "tests": [test],
        "model": {"start": "random"}, "decoding": {"beams": 1}, "scoring": {"samples": 10},
        "training": {"max_steps": 40, "batch": 8, "learning_rate": 3e-3, **training},
    })  # fmt: skip


def test_a_model_is_trained_once_applied_and_described(
    server: str, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, done: Said
) -> None:
    from bitext_pivot.flows.train_model import train_model
    from bitext_pivot.research.models import trainer

    fit = Mock(wraps=trainer.fit)
    monkeypatch.setattr(trainer, "fit", fit)
    with ThreadPoolExecutor() as both:  # the second waits for the first
        (folder,) = {
            run.result() for run in [both.submit(train_model, settings(files)) for _ in range(2)]
        }
    assert fit.call_count == 1
    assert (
        folder == (tmp_path / "home" / "trained" / "split" / "latest").resolve()
        and manifest.problems(folder) == []
    )
    facts = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    assert facts["data"]["skips"] == {"not two sentences": 1, "in a test set": 1}
    tested = (folder / "outputs" / "t.txt").read_text(encoding="utf-8")
    assert len(tested.splitlines()) == 1
    assert {path.name for path in folder.iterdir()} == {
        "model",
        "category.safetensors",
        "outputs",
        "README.md",
        "scores.json",
        "SHA256SUMS",
        manifest.NAME,
    }
    times = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert train_model(settings(files)) == folder
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == times
    output = tmp_path / "out.txt"
    said = done("apply", str(folder), str(files / "t.src"), "--output", str(output))
    assert facts["worth"] in said
    assert output.read_text(encoding="utf-8") == tested
    scored = [
        "--source",
        str(files / "t.src"),
        "--references",
        str(files / "t.dst"),
        "--samples",
        "10",
    ]
    assert main(["evaluate", str(output), *scored, "--json", str(tmp_path / "scores.json")]) == 0
    found = json.loads((tmp_path / "scores.json").read_text(encoding="utf-8"))["systems"]["out.txt"]
    assert {name: value["score"] for name, value in found.items()} == facts["tests"]["t"][
        "systems"
    ]["seed 0"]
    (folder / "model" / "model.safetensors").write_bytes(b"")
    assert main(["apply", str(folder), str(files / "t.src"), "--output", str(output)]) == 2


@pytest.mark.nightly
def test_several_seeds_have_means_and_outputs_of_their_own(server: str, files: Path) -> None:
    from bitext_pivot.flows.train_model import train_model

    folder = train_model(settings(files, seeds=[1, 2], max_steps=8))
    assert {path.name for path in (folder / "outputs").iterdir()} == {"t.txt", "t.1.txt"}
    assert "±" in (folder / "README.md").read_text(encoding="utf-8")
    assert len(weights(folder)) == 2  # of one seed: the network, and what weighs its loss
    assert train_model(settings(files, seeds=[1], max_steps=8)) != folder


def test_rows_of_another_recipe_train_a_model(server: str, files: Path) -> None:
    """A classifier of markers, whose answers are classes and not texts."""
    from bitext_pivot.flows.train_model import train_model

    rows = [{"first": row["split"][0], "second": row["split"][1]} for row in split_rows(40)]
    marked = [{**row, "marker": ("but", "and")[n % 2]} for n, row in enumerate(rows)]
    (files / "rows.jsonl").write_text(
        "".join(f"{json.dumps(row)}\n" for row in marked), encoding="utf-8"
    )
    (files / "pair.jsonl").write_text(json.dumps(marked[1]), encoding="utf-8")
    form = settings(files, max_steps=4).model_dump() | {
        "task": "markers",
        "loss": "plain",
        "model": {"start": "lstm", "vectors": "random", "hidden": 16},
        "tests": [{"name": "t", "source": files / "pair.jsonl", "references": []}],
    }
    folder = train_model(TrainModel.model_validate(form))
    scores = json.loads((folder / "scores.json").read_text(encoding="utf-8"))["tests"]["t"]
    assert "accuracy" in scores["systems"]["seed 0"]
    output = (folder / "outputs" / "t.txt").read_text(encoding="utf-8")
    assert output in {"and\n", "but\n"}
    name = files / "in.txt"
    name.write_text("{first}\t{second}\n".format(**marked[1]), encoding="utf-8")
    assert main(["apply", str(folder), str(name), "--output", str(files / "out.txt")]) == 0
    assert (files / "out.txt").read_text(encoding="utf-8") == output


def test_data_that_is_not_there_is_refused(files: Path) -> None:
    from bitext_pivot.core.site import Site
    from bitext_pivot.research.tasks.training_examples import read
    from bitext_pivot.tasks.ahead.refusals import check_offline

    with pytest.raises(SettingsError, match="names 'nowhere'"):
        check_offline(settings(files).model_copy(update={"data": ["nowhere"]}), Site())
    from collections import Counter

    (files / "rows.jsonl").write_text("{}\n", encoding="utf-8")
    with pytest.raises(
        SettingsError, match=r"can be used for the task 'split' \(1 long without a letter\)"
    ):
        read(settings(files), Site(), Counter())
