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
from bitext_pivot.research.models.data import Parts
from bitext_pivot.research.models.kinds import SCORES, network_class
from bitext_pivot.research.models.training_settings import Kind, Training

KINDS: tuple[Kind, ...] = ("tag", "generate", "classify", "joint")
SHORT = Training(max_steps=1)


def save(kind: Kind, folder: Path) -> None:
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


def without_head(content: dict[str, Any]) -> None:
    for name in [name for name in content if name.startswith("classifier.")]:
        del content[name]


def smaller(content: dict[str, Any]) -> None:
    name = sorted(content)[-1]
    content[name] = content[name][:-1].clone()


def with_json(path: Path, **values: object) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**content, **values}), encoding="utf-8")


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


def labels(folder: Path, change: Callable[[list[Any]], object]) -> None:
    names = json.loads((folder / "labels.json").read_text(encoding="utf-8"))
    change(names)
    (folder / "labels.json").write_text(json.dumps(names), encoding="utf-8")


def pickled(path: Path) -> None:
    path.unlink()
    path.with_name("pytorch_model.bin").write_bytes(b"cos\nsystem\n(S'exit 1'\ntR.")


def rename_label(path: Path) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    content["id2label"]["0"] = "keep a\nb"
    path.write_text(json.dumps(content), encoding="utf-8")


Harm = Callable[[Path], object]
WEIGHTS, CONFIG = "model/model.safetensors", "model/config.json"
WORDS, LSTM = "model/wordembedding_config.json", "model/1_LSTM"
OF_ALL: list[tuple[str, Harm]] = [
    ("no plan", lambda folder: atomic.write_json(folder / SCORES, {})),
    ("a plan that is a list", lambda folder: atomic.write_json(folder / SCORES, {"plan": []})),
    (
        "a plan of another version",
        lambda folder: atomic.write_json(folder / SCORES, {"plan": {"kind": "x"}}),
    ),
    ("scores that are a list", lambda folder: (folder / SCORES).write_text("[]", encoding="utf-8")),
    ("no scores", lambda folder: (folder / SCORES).unlink()),
    ("no model", lambda folder: shutil.rmtree(folder / "model")),
]
OF_TRANSFORMERS: list[tuple[str, Harm]] = [
    ("a tensor less", lambda folder: tensors(folder / WEIGHTS, drop)),
    ("NaN", lambda folder: tensors(folder / WEIGHTS, nan)),
    ("infinity", lambda folder: tensors(folder / WEIGHTS, infinite)),
    ("a tensor of another shape", lambda folder: tensors(folder / WEIGHTS, smaller)),
    (
        "cut weights",
        lambda folder: (folder / WEIGHTS).write_bytes((folder / WEIGHTS).read_bytes()[:-9]),
    ),
    ("a pickle", lambda folder: pickled(folder / WEIGHTS)),
    ("no config", lambda folder: (folder / CONFIG).unlink()),
    (
        "a config that is a list",
        lambda folder: (folder / CONFIG).write_text("[]", encoding="utf-8"),
    ),
    ("another type of model", lambda folder: with_json(folder / CONFIG, model_type="evil")),
    (
        "layers without end",
        lambda folder: with_json(folder / CONFIG, num_hidden_layers=-1, num_layers="x"),
    ),
    ("no tokenizer", lambda folder: (folder / "model/tokenizer.json").unlink()),
    (
        "an empty tokenizer",
        lambda folder: (folder / "model/tokenizer.json").write_text("{}", encoding="utf-8"),
    ),
    ("an endless search", lambda folder: endless(folder / "model/tokenizer.json")),
]
OF_CLASSIFIERS: list[tuple[str, Harm]] = [
    ("a class with a line break", lambda folder: labels(folder, lambda names: names.__setitem__(0, "a\nb"))),
    ("a class with U+2028", lambda folder: labels(folder, lambda names: names.__setitem__(0, "a\u2028b"))),
    ("a class that is empty", lambda folder: labels(folder, lambda names: names.__setitem__(0, ""))),
    ("a class twice", lambda folder: labels(folder, lambda names: names.__setitem__(0, names[1]))),
    ("a class that is a number", lambda folder: labels(folder, lambda names: names.__setitem__(0, 5))),
    ("a class less", lambda folder: labels(folder, list.pop)),
    ("no classes", lambda folder: (folder / "labels.json").write_text("{}", encoding="utf-8")),
    ("deep classes", lambda folder: (folder / "labels.json").write_text("[" * 100_000, encoding="utf-8")),
    ("no file of classes", lambda folder: (folder / "labels.json").unlink()),
    ("no head", lambda folder: (folder / "head.safetensors").unlink()),
    ("a head with NaN", lambda folder: tensors(folder / "head.safetensors", nan)),
    ("a head of another shape", lambda folder: tensors(folder / "head.safetensors", smaller)),
    ("a tensor of the head less", lambda folder: tensors(folder / "head.safetensors", drop)),
    ("no modules", lambda folder: (folder / "model/modules.json").unlink()),
    ("modules that are an object", lambda folder: (folder / "model/modules.json").write_text("{}", encoding="utf-8")),
    ("an unknown module", lambda folder: (folder / "model/modules.json").write_text(
        '[{"idx": 0, "name": "0", "path": "", "type": "os.system"}]', encoding="utf-8")),
    ("words without a config", lambda folder: (folder / WORDS).unlink()),
    ("an empty config of words", lambda folder: (folder / WORDS).write_text("{}", encoding="utf-8")),
    ("a tokenizer of words by a program", lambda folder: with_json(folder / WORDS, tokenizer_class="os.system")),
    ("words without a list", lambda folder: (folder / "model/whitespacetokenizer_config.json").unlink()),
    ("an lstm without a size", lambda folder: (folder / LSTM / "lstm_config.json").write_text("{}", encoding="utf-8")),
    ("an lstm of another size", lambda folder: with_json(folder / LSTM / "lstm_config.json", hidden_dim=8)),
    ("an lstm with NaN", lambda folder: tensors(folder / LSTM / "model.safetensors", nan)),
    ("a tensor of the lstm less", lambda folder: tensors(folder / LSTM / "model.safetensors", drop)),
    ("another pooling", lambda folder: with_json(folder / "model/2_Pooling/config.json", pooling_mode="x")),
    ("word vectors with NaN", lambda folder: tensors(folder / WEIGHTS, nan)),
    ("a pickle of word vectors", lambda folder: pickled(folder / WEIGHTS)),
    ("no word vectors", lambda folder: (folder / WEIGHTS).unlink()),
    ("fewer word vectors", lambda folder: tensors(folder / WEIGHTS, smaller)),
]  # fmt: skip
CASES = [
    *(("tag", *case) for case in [*OF_ALL, *OF_TRANSFORMERS]),
    ("tag", "a label with a line break", lambda folder: rename_label(folder / CONFIG)),
    *(("generate", *case) for case in OF_TRANSFORMERS),
    *(("joint", *case) for case in OF_TRANSFORMERS),
    ("joint", "a label with a line break", lambda folder: rename_label(folder / CONFIG)),
    *(("classify", *case) for case in [*OF_ALL, *OF_CLASSIFIERS]),
]


@pytest.mark.parametrize(
    ("kind", "harm"), [pytest.param(kind, harm, id=f"{kind}: {name}") for kind, name, harm in CASES]
)
def test_a_damaged_model_is_refused_in_one_line(
    models: Path, tmp_path: Path, kind: Kind, harm: Harm, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, texts, output = tmp_path / "model", tmp_path / "in.txt", tmp_path / "out.txt"
    shutil.copytree(models / kind, folder)
    harm(folder)
    seal(folder)
    texts.write_text(f"Tom sings{'s' * 60} well .\tAnn reads .\n", encoding="utf-8")
    assert main(["apply", str(folder), str(texts), "--output", str(output)]) in {1, 2}
    (line,) = [
        line for line in capsys.readouterr().err.splitlines() if line.startswith("bitext-pivot: ")
    ]
    assert str(tmp_path) in line and not output.exists()


@pytest.mark.parametrize("kind", KINDS)
def test_a_sound_model_is_applied(models: Path, tmp_path: Path, kind: Kind) -> None:
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


STARTS: list[tuple[str, Callable[[dict[str, Any]], object]]] = [
    ("less", drop),
    ("nan", nan),
    ("inf", infinite),
]


@pytest.mark.parametrize("kind", ["tag", "generate"])
@pytest.mark.parametrize(("name", "change"), STARTS)
def test_a_training_does_not_start_from_such_weights(
    models: Path, tmp_path: Path, kind: Kind, name: str, change: Callable[[dict[str, Any]], object]
) -> None:
    folder = tmp_path / name
    shutil.copytree(models / kind / "model", folder)
    rows, settings = examples(kind, 8), plan(kind, SHORT, folder=folder)
    network_class(kind).build(settings, rows)
    tensors(folder / "model.safetensors", change)
    with pytest.raises(BuildError, match=f"{folder}"):
        network_class(kind).build(settings, rows)


def test_a_tokenizer_that_fails_ends_a_training_in_one_line(models: Path, tmp_path: Path) -> None:
    from dataclasses import replace

    from bitext_pivot.research.models import trainer

    shutil.copytree(models / "tag" / "model", tmp_path / "start")
    endless(tmp_path / "start" / "tokenizer.json")
    rows = [replace(row, source=f"{row.source} {'s' * 60}") for row in examples("tag", 8)]
    network = network_class("tag").build(plan("tag", SHORT, folder=tmp_path / "start"), rows)
    with pytest.raises(SettingsError, match=r"tokenizer of model\.start failed on a text"):
        trainer.fit(
            network,
            Parts(rows, [], []),
            SHORT,
            tmp_path / "c",
            trainer.Runtime(device="cpu", threads=1),
        )


@pytest.mark.parametrize(("kind", "head"), [("tag", "classifier"), ("joint", "classifier|pooler")])
def test_the_head_of_a_classifier_may_be_new(
    models: Path, tmp_path: Path, kind: Kind, head: str
) -> None:
    shutil.copytree(models / kind / "model", tmp_path / "start")
    tensors(
        tmp_path / "start" / "model.safetensors",
        lambda content: [content.pop(name) for name in [*content] if re.search(head, name)],
    )
    network_class(kind).build(plan(kind, SHORT, folder=tmp_path / "start"), examples(kind, 8))


@pytest.mark.parametrize("kind", ["tag", "classify", "joint"])
def test_an_encoder_with_a_tensor_less_is_no_start(tmp_path: Path, kind: Kind) -> None:
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
