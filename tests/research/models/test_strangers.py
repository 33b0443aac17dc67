"""Models of strangers: whatever is missing, damaged or no number is refused in one line, at a start and for `apply`."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from learned import examples, plan

from bitext_pivot.commands.main import main
from bitext_pivot.core.errors import BuildError, SettingsError
from bitext_pivot.core.storage import atomic, manifest
from bitext_pivot.research.models.data import ExampleSubsets
from bitext_pivot.research.models.kinds import SCORES, network_class
from bitext_pivot.research.models.training_settings import Hyperparameters, ModelKind

KINDS: tuple[ModelKind, ...] = ("generate", "classify", "joint")
SHORT = Hyperparameters(max_steps=1)


def save(kind: ModelKind, folder: Path) -> None:
    """Write a network with random weights as a finished training."""
    settings = plan(kind, SHORT)
    folder.mkdir(parents=True)
    network_class(kind).build(settings, examples(kind, 24)).save(folder)
    atomic.write_json(folder / SCORES, {"plan": settings.model_dump(mode="json")})


def seal(folder: Path) -> None:
    names = [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]
    manifest.write(folder, {}, [name for name in names if name != manifest.NAME])


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of each kind."""
    folder = tmp_path_factory.mktemp("models")
    for kind in KINDS:
        save(kind, folder / kind)
    return folder


def tensors(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    from safetensors.torch import load_file, save_file

    content = load_file(path)
    change(content)
    save_file(content, path, {"format": "pt"})


def drop(content: dict[str, Any]) -> None:
    del content[sorted(content)[0]]


def nan(content: dict[str, Any]) -> None:
    content[sorted(content)[0]].view(-1)[0] = float("nan")


def infinite(content: dict[str, Any]) -> None:
    content[sorted(content)[-1]].view(-1)[-1] = float("inf")


def smaller(content: dict[str, Any]) -> None:
    name = sorted(content)[-1]
    content[name] = content[name][:-1].clone()


def endless(path: Path) -> None:
    """Give a tokenizer a regular expression whose search never ends."""
    content = json.loads(path.read_text(encoding="utf-8"))
    splitter = {
        "type": "Split",
        "pattern": {"Regex": r"(([a-z])+.)+[A-Z]([a-z])+$"},
        "behavior": "Isolated",
        "invert": False,
    }
    content["pre_tokenizer"] = {
        "type": "Sequence",
        "pretokenizers": [splitter, content["pre_tokenizer"]],
    }
    path.write_text(json.dumps(content), encoding="utf-8")


def pickled(path: Path) -> None:
    path.unlink()
    path.with_name("pytorch_model.bin").write_bytes(b"cos\nsystem\n(S'exit 1'\ntR.")


Harm = Callable[[Path], object]
HARMS: dict[str, dict[str, Harm]] = {
    ".safetensors": {
        "less": lambda path: tensors(path, drop),
        "NaN": lambda path: tensors(path, nan),
        "infinity": lambda path: tensors(path, infinite),
        "smaller": lambda path: tensors(path, smaller),
        "cut": lambda path: path.write_bytes(path.read_bytes()[:-9]),
        "pickle": pickled,
    },
    ".json": {
        "missing": Path.unlink,
        "list": lambda path: path.write_text("[]", encoding="utf-8"),
        "object": lambda path: path.write_text("{}", encoding="utf-8"),
    },
}
"""What is done to each file of a model, by its ending."""
HARMLESS = {
    "model/generation_config.json: missing",
    "model/config_sentence_transformers.json: missing",
    "model/config_sentence_transformers.json: object",
}
"""What a model can do without."""


def answer(folder: Path, texts: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Apply a model; return what is wrong with the refusal, "" for one line that names the folder."""
    seal(folder)
    output = texts.with_name("out.txt")
    texts.write_text(f"Tom sings{'s' * 60} well .\tAnn reads .\n", encoding="utf-8")
    status = main(["apply", str(folder), str(texts), "--output", str(output)])
    printed = capsys.readouterr().err.splitlines()
    lines = [line for line in printed if line.startswith("bitext-pivot: ")]
    is_refused = status in {1, 2} and len(lines) == 1 and str(folder) in lines[0]
    problem = "" if is_refused and not output.exists() else f"{status} {printed}"
    output.unlink(missing_ok=True)
    return problem


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_of_a_model_is_refused_in_one_line(
    models: Path, tmp_path: Path, kind: ModelKind, capsys: pytest.CaptureFixture[str]
) -> None:
    problems = {}
    for path in sorted(path for path in (models / kind).rglob("*") if path.suffix in HARMS):
        for name, harm in HARMS[path.suffix].items():
            folder = tmp_path / "model"
            shutil.copytree(models / kind, folder)
            inside = path.relative_to(models / kind)
            harm(folder / inside)
            problem = answer(folder, tmp_path / "in.txt", capsys)
            if problem:
                problems[f"{inside}: {name}"] = problem
            shutil.rmtree(folder)
    assert problems.keys() <= HARMLESS, problems


CONFIG, WORDS = "model/config.json", "model/wordembedding_config.json"
UNKNOWN = [{"idx": 0, "name": "0", "path": "", "type": "os.system"}]
VALUES: list[tuple[ModelKind, str, Any]] = [
    ("joint", SCORES, {"plan": []}),
    ("joint", SCORES, {"plan": {"kind": "x"}}),
    ("joint", CONFIG, {"model_type": "evil"}),
    ("generate", CONFIG, {"model_type": "evil"}),
    ("joint", CONFIG, {"num_hidden_layers": -1}),
    ("generate", CONFIG, {"num_layers": "x"}),
    ("joint", CONFIG, {"id2label": {"0": "keep a\nb"}}),
    ("classify", "labels.json", ["a\nb", "but"]),
    ("classify", "labels.json", ["a\u2028b", "but"]),
    ("classify", "labels.json", ["", "but"]),
    ("classify", "labels.json", ["but", "but"]),
    ("classify", "labels.json", [5, "but"]),
    ("classify", "labels.json", ["but"]),
    ("classify", "labels.json", json.loads("[" * 700 + "]" * 700)),
    ("classify", "model/modules.json", UNKNOWN),
    ("classify", WORDS, {"tokenizer_class": "os.system"}),
    ("classify", "model/1_LSTM/lstm_config.json", {"hidden_dim": 8}),
    ("classify", "model/2_Pooling/config.json", {"pooling_mode": "x"}),
]
"""Values of files of JSON, or of some of the keys of an object."""


@pytest.mark.parametrize(("kind", "name", "values"), VALUES)
def test_a_value_that_no_model_has_is_refused_in_one_line(
    models: Path, tmp_path: Path, kind: ModelKind, name: str, values: Any, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    folder = tmp_path / "model"
    shutil.copytree(models / kind, folder)
    content = json.loads((folder / name).read_text(encoding="utf-8"))
    changed = values if isinstance(values, list) else {**content, **values}
    (folder / name).write_text(json.dumps(changed), encoding="utf-8")
    assert answer(folder, tmp_path / "in.txt", capsys) == ""


@pytest.mark.parametrize("kind", ["generate", "joint"])
def test_a_tokenizer_that_fails_on_a_text_is_refused_in_one_line(
    models: Path, tmp_path: Path, kind: ModelKind, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "model"
    shutil.copytree(models / kind, folder)
    endless(folder / "model" / "tokenizer.json")
    assert answer(folder, tmp_path / "in.txt", capsys) == ""


@pytest.mark.parametrize("kind", KINDS)
def test_a_sound_model_is_applied(models: Path, tmp_path: Path, kind: ModelKind) -> None:
    folder = tmp_path / "model"
    shutil.copytree(models / kind, folder)
    seal(folder)
    (tmp_path / "in.txt").write_text("Tom\u2028sings .\tAnn reads .\n" * 3, encoding="utf-8")
    assert (
        main(
            ["apply", str(folder), str(tmp_path / "in.txt"), "--output", str(tmp_path / "out.txt")]
        )
        == 0
    )
    assert len((tmp_path / "out.txt").read_text(encoding="utf-8").splitlines()) == 3


@pytest.mark.parametrize("kind", ["joint", "generate"])
@pytest.mark.parametrize("change", [drop, nan, infinite])
def test_a_training_does_not_start_from_such_weights(
    models: Path, tmp_path: Path, kind: ModelKind, change: Callable[[dict[str, Any]], object]
) -> None:
    folder = tmp_path / "start"
    shutil.copytree(models / kind / "model", folder)
    rows, settings = examples(kind, 8), plan(kind, SHORT, folder=folder)
    network_class(kind).build(settings, rows)
    tensors(folder / "model.safetensors", change)
    with pytest.raises(BuildError, match=f"{folder}"):
        network_class(kind).build(settings, rows)


def test_a_tokenizer_that_fails_ends_a_training_in_one_line(models: Path, tmp_path: Path) -> None:
    from dataclasses import replace

    from bitext_pivot.research.models import trainer

    shutil.copytree(models / "joint" / "model", tmp_path / "start")
    endless(tmp_path / "start" / "tokenizer.json")
    rows = [replace(row, source=f"{row.source} {'s' * 60}") for row in examples("joint", 8)]
    network = network_class("joint").build(plan("joint", SHORT, folder=tmp_path / "start"), rows)
    with pytest.raises(SettingsError, match=r"tokenizer of model\.start failed on a text"):
        trainer.fit(
            network,
            ExampleSubsets(rows, [], []),
            SHORT,
            tmp_path / "c",
            trainer.TrainingRuntime(device="cpu", threads=1),
        )


def test_the_head_of_a_classifier_may_be_new(models: Path, tmp_path: Path) -> None:
    shutil.copytree(models / "joint" / "model", tmp_path / "start")
    tensors(
        tmp_path / "start" / "model.safetensors",
        lambda content: [
            content.pop(name) for name in [*content] if re.search("classifier|pooler", name)
        ],
    )
    settings = plan("joint", SHORT, folder=tmp_path / "start")
    network_class("joint").build(settings, examples("joint", 8))


@pytest.mark.parametrize("kind", ["classify", "joint"])
def test_an_encoder_with_a_tensor_less_is_no_start(tmp_path: Path, kind: ModelKind) -> None:
    from encoders import bert

    bert(tmp_path / "encoder")
    settings = plan(kind, SHORT, folder=tmp_path / "encoder")
    network_class(kind).build(settings, examples(kind, 8))
    tensors(
        tmp_path / "encoder" / "model.safetensors",
        lambda content: content.pop("encoder.layer.3.output.dense.weight"),
    )
    with pytest.raises(BuildError, match=r"lacks 1 tensors .*layer\.3\.output\.dense\.weight"):
        network_class(kind).build(settings, examples(kind, 8))
