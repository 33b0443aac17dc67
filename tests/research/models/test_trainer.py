"""Training: the loss by hand, accumulation, and runs that were cut off."""

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from learned import examples, loaded, plan, weights

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.storage import manifest
from bitext_pivot.research.models.data import ExampleSubsets
from bitext_pivot.research.models.kinds import network_class
from bitext_pivot.research.models.training_settings import Hyperparameters, ModelKind

if TYPE_CHECKING:
    from bitext_pivot.research.models.trainer import TrainingSummary

KINDS: tuple[ModelKind, ...] = ("joint", "generate", "classify")
AUTO = {
    "generate": "AutoModelForSeq2SeqLM",
    "joint": "AutoModelForSequenceClassification",
}
SHORT = Hyperparameters(max_steps=6, batch=4, learning_rate=3e-3)


class CutError(Exception):
    """In place of the end of a process."""


def fitted(
    kind: ModelKind,
    folder: Path,
    training: Hyperparameters = SHORT,
    *,
    cut: int = -1,
    dropout: float = 0.1,
    **options: Any,
) -> "TrainingSummary":
    """Train a small network in a folder, save it there, and, with `cut`, stop after so many updates."""
    from bitext_pivot.research.models import trainer

    def on_step(done: int, _: int) -> None:
        if done == cut:
            raise CutError

    trainer.seed(training.seeds[0])
    rows = examples(kind, 24)
    network = network_class(kind).build(plan(kind, training, **options), rows[:20])
    for part in network.module.modules():
        if type(part).__name__ == "Dropout":
            part.p = dropout
        if isinstance(getattr(part, "dropout", None), float):  # of attention
            part.dropout = dropout
    runtime = trainer.TrainingRuntime(
        device="cpu", threads=1, checkpoint_minutes=1e-9, on_step=on_step
    )
    result = trainer.fit(
        network, ExampleSubsets(rows[:20], rows[20:], []), training, folder / "checkpoints", runtime
    )
    network.save(folder)
    return result


def test_the_adaptive_loss_of_the_worked_example() -> None:
    from torch import tensor

    from bitext_pivot.research.models.trainer import summed_loss

    logits = tensor([[[2.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 3, 0]]])
    tokens = summed_loss(logits, tensor([[0, 2, 3]]))
    assert float(tokens) == pytest.approx(5.2236, abs=1e-4)
    total = summed_loss(
        logits, tensor([[0, 2, 3]]), rows=tensor([[1.0, 0, 0]]), category=tensor([2])
    )
    assert float(total / 3) == pytest.approx(2.2584, abs=1e-4)
    ignored = summed_loss(
        logits, tensor([[0, -100, 3]]), rows=tensor([[1.0, 0, 0]]), category=tensor([-100])
    )
    assert float(ignored) == pytest.approx(0.3408 + 3.1392, abs=1e-4)


@pytest.mark.parametrize(
    "kind", ["joint", *(pytest.param(kind, marks=pytest.mark.nightly) for kind in KINDS[1:])]
)
def test_a_run_that_was_cut_off_ends_with_the_same_weights(tmp_path: Path, kind: ModelKind) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    fitted(kind, whole, is_adaptive=kind == "generate")
    with pytest.raises(CutError):
        fitted(kind, cut, cut=4, is_adaptive=kind == "generate")
    checkpoints = sorted(path.name for path in (cut / "checkpoints").iterdir())
    assert checkpoints == ["checkpoint-1", "checkpoint-2", "checkpoint-3"]
    damaged = cut / "checkpoints" / "checkpoint-5"
    shutil.copytree(cut / "checkpoints" / "checkpoint-3", damaged)
    (damaged / manifest.NAME).unlink()
    (damaged / "model.safetensors").write_bytes(b"cut off")
    fitted(kind, cut, is_adaptive=kind == "generate")
    found = {name: content for name, content in weights(cut).items() if "checkpoints" not in name}
    assert found == {
        name: content for name, content in weights(whole).items() if "checkpoints" not in name
    }
    assert len(found) >= 1


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def count_further(path: Path) -> None:
    path.write_text(
        path.read_text(encoding="utf-8").replace('"global_step": 3', '"global_step": 8'),
        encoding="utf-8",
    )


def replace_by_a_program(path: Path) -> None:
    path.write_bytes(b"cos\nsystem\n(S'exit 1'\ntR.")


def empty_object(path: Path) -> None:
    path.write_text("{}", encoding="utf-8")


def add_another(path: Path) -> None:
    path.write_bytes(b"of another program")


def copy_an_older_one(path: Path) -> None:
    shutil.rmtree(path)
    shutil.copytree(path.with_name("checkpoint-2"), path)


DAMAGE: list[tuple[str, Callable[[Path], object]]] = [
    ("model.safetensors", flip),
    ("optimizer.pt", flip),
    ("scheduler.pt", flip),
    ("rng_state.pth", Path.unlink),
    ("optimizer.pt", Path.unlink),
    ("model.safetensors", Path.unlink),
    ("model.safetensors", cut_short),
    ("optimizer.pt", cut_short),
    ("trainer_state.json", count_further),
    ("trainer_state.json", empty_object),
    ("trainer_state.json", Path.unlink),
    ("rng_state.pth", replace_by_a_program),
    ("optimizer.pt", replace_by_a_program),
    ("scaler.pt", add_another),
    ("manifest.json", empty_object),
    ("manifest.json", cut_short),
    ("", copy_an_older_one),
]


@pytest.fixture(scope="module")
def half_way(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three checkpoints of a run that was cut off."""
    folder = tmp_path_factory.mktemp("half way")
    with pytest.raises(CutError):
        fitted("joint", folder, cut=4)
    return folder / "checkpoints"


@pytest.fixture
def interrupted(half_way: Path) -> Iterator[Path]:
    """The same, in its place; what a test leaves there is deleted."""
    backup = half_way.with_name("backup")
    shutil.copytree(half_way, backup)
    yield half_way
    shutil.rmtree(half_way)
    backup.rename(half_way)


@pytest.mark.parametrize(("name", "harm"), DAMAGE)
def test_a_damaged_checkpoint_is_not_used(
    interrupted: Path, name: str, harm: Callable[[Path], object], caplog: pytest.LogCaptureFixture
) -> None:
    from bitext_pivot.research.models import trainer

    assert trainer.last_complete(interrupted) == interrupted / "checkpoint-3"
    assert not caplog.records
    harm(interrupted / "checkpoint-3" / name)
    assert trainer.last_complete(interrupted) == interrupted / "checkpoint-2"
    assert {path.name for path in interrupted.iterdir()} == {"checkpoint-1", "checkpoint-2"}
    (line,) = caplog.messages
    assert line.startswith("checkpoint-3 is damaged and not used: ")


def test_checkpoints_of_others_are_deleted(interrupted: Path, tmp_path: Path) -> None:
    from bitext_pivot.research.models import trainer

    (interrupted / "checkpoint-foo").mkdir()
    (interrupted / "checkpoint-foo" / "complete").touch()
    (interrupted / "checkpoint-7").touch()
    (interrupted / "checkpoint-8").symlink_to(tmp_path)
    shutil.copytree(interrupted / "checkpoint-3", interrupted / "checkpoint-9")
    assert trainer.last_complete(interrupted) == interrupted / "checkpoint-3"
    assert len(list(interrupted.iterdir())) == 3 and tmp_path.is_dir()
    moved = tmp_path / "another run" / "checkpoints"
    shutil.copytree(interrupted, moved)
    assert trainer.last_complete(moved) is None


def test_a_run_does_not_end_with_weights_other_than_the_best(
    interrupted: Path, caplog: pytest.LogCaptureFixture
) -> None:
    from bitext_pivot.research.models import trainer

    state = interrupted / "checkpoint-3" / "trainer_state.json"
    values = {
        **json.loads(state.read_text(encoding="utf-8")),
        "best_model_checkpoint": str(interrupted / "checkpoint-2"),
    }
    state.write_text(json.dumps(values), encoding="utf-8")
    manifest.seal(state.parent)
    assert trainer.last_complete(interrupted) == interrupted / "checkpoint-3"
    flip(interrupted / "checkpoint-2" / "model.safetensors")
    assert trainer.last_complete(interrupted) == interrupted / "checkpoint-1"
    assert [line.split()[0] for line in caplog.messages] == ["checkpoint-2", "checkpoint-3"]


@pytest.mark.parametrize(
    "training", [SHORT, SHORT.model_copy(update={"max_steps": None, "epochs": 9, "patience": 1})]
)
def test_a_run_that_was_killed_at_its_end_makes_no_further_update(
    tmp_path: Path, training: Hyperparameters
) -> None:
    first = fitted("joint", tmp_path, training)
    whole = weights(tmp_path)["model/model.safetensors"]
    shutil.rmtree(tmp_path / "model")
    again = fitted("joint", tmp_path, training)
    assert (again.steps, again.losses) == (first.steps, first.losses)
    assert weights(tmp_path)["model/model.safetensors"] == whole


@pytest.mark.nightly
def test_accumulated_batches_have_the_loss_of_one(tmp_path: Path) -> None:
    results = []
    for batch, accumulate in (8, 1), (4, 2), (2, 4):
        training = Hyperparameters(
            max_steps=3, batch=batch, accumulate=accumulate, learning_rate=1e-3
        )
        result = fitted("generate", tmp_path / str(batch), training, dropout=0, is_adaptive=True)
        results.append([row["loss"] for row in result.losses if "loss" in row])
    assert len(results[0]) == 3
    assert results[1] == pytest.approx(results[0], abs=1e-6) and results[2] == pytest.approx(
        results[0], abs=1e-6
    )


def test_a_loss_that_is_no_number_names_the_learning_rate(tmp_path: Path) -> None:
    training = SHORT.model_copy(update={"learning_rate": 0.99, "max_steps": 30, "warmup": 0.0})
    rows = examples("joint", 8)
    network = network_class("joint").build(plan("joint", training), rows)
    from bitext_pivot.research.models import trainer

    for weight in network.module.parameters():
        weight.data.fill_(float("nan"))
    with pytest.raises(SettingsError, match=r"training\.learning_rate=0\.99"):
        trainer.fit(
            network,
            ExampleSubsets(rows, [], []),
            training,
            tmp_path,
            trainer.TrainingRuntime(device="cpu", threads=1),
        )


@pytest.mark.parametrize(
    ("kind", "steps", "rate"),
    [
        pytest.param("classify", 60, 1e-2, marks=pytest.mark.nightly),
        ("joint", 100, 3e-3),
        pytest.param("generate", 600, 3e-3, marks=pytest.mark.nightly),
    ],
)
def test_rows_are_learned_by_heart_and_saved(
    tmp_path: Path, kind: ModelKind, steps: int, rate: float
) -> None:
    from bitext_pivot.research.models import trainer

    trainer.seed(0)
    training = Hyperparameters(max_steps=steps, batch=8, learning_rate=rate)
    rows, settings = examples(kind), plan(kind, training)
    network = network_class(kind).build(settings, rows)
    trainer.fit(
        network,
        ExampleSubsets(rows, [], []),
        training,
        tmp_path / "c",
        trainer.TrainingRuntime(device="cpu", threads=1),
    )
    outputs = network.outputs(rows)
    right = sum(
        output == (row.target or row.label) for output, row in zip(outputs, rows, strict=True)
    )
    assert right >= 38
    network.save(tmp_path)
    assert network_class(kind).load(tmp_path, settings).outputs(rows) == outputs
    texts = [replace(row, target="", label="") for row in rows]
    assert network.outputs(texts) == outputs
    if kind != "classify":
        assert loaded(tmp_path, AUTO[kind]) == {}
        return
    from sentence_transformers import SentenceTransformer

    encoder: Any = network.module.encoder
    sentences = [row.source for row in rows]
    published = SentenceTransformer(str(tmp_path / "model"), device="cpu").encode(sentences)
    assert (published == encoder.encode(sentences)).all() and published.std() > 0.01


def test_a_text_without_a_known_word_has_finite_logits() -> None:
    rows = examples("classify", 8)
    settings = plan("classify", SHORT)
    pooled = settings.model_copy(
        update={"start": settings.start.model_copy(update={"features": "infersent"})}
    )
    network = network_class("classify").build(pooled, rows)
    batch = network.collate(
        [replace(rows[0], source="Zebras"), replace(rows[0], source="zebras, tom!")]
    )
    del batch["labels"]
    logits = network.module(**batch)["logits"]
    # Tom occurs in the second text.
    assert logits.isfinite().all() and (logits[0] != logits[1]).any()


def test_words_are_known_without_the_punctuation_beside_them() -> None:
    from bitext_pivot.research.models.pair_classifier import words_of

    assert words_of(["Ann sings, Tom", "tom sings! Tom ."]) == ["tom", "sings", "ann"]
