"""Training: the loss by hand, accumulation, and runs that were cut off."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from learned import examples, loaded, plan, weights

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.models.data import Parts
from bitext_pivot.models.kinds import network_class
from bitext_pivot.models.settings import Kind, Training

if TYPE_CHECKING:
    from bitext_pivot.models.trainer import Fitted

KINDS: tuple[Kind, ...] = ("tag", "generate", "classify")
SHORT = Training(max_steps=6, batch=4, learning_rate=3e-3)


class CutError(Exception):
    """In place of the end of a process."""


def fitted(
    kind: Kind, folder: Path, training: Training = SHORT, *, cut: int = -1, dropout: float = 0.1, **options: Any
) -> "Fitted":
    """Train a small network in a folder, save it there, and, with `cut`, stop after so many updates."""
    from bitext_pivot.models import trainer

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
    runtime = trainer.Runtime(device="cpu", threads=1, checkpoint_minutes=1e-9, on_step=on_step)
    result = trainer.fit(network, Parts(rows[:20], rows[20:], []), training, folder / "checkpoints", runtime)
    network.save(folder)
    return result


def test_the_adaptive_loss_of_the_worked_example() -> None:
    from torch import tensor

    from bitext_pivot.models.trainer import summed_loss

    logits = tensor([[[2.0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 3, 0]]])
    tokens = summed_loss(logits, tensor([[0, 2, 3]]))
    assert float(tokens) == pytest.approx(5.2236, abs=1e-4)
    total = summed_loss(logits, tensor([[0, 2, 3]]), rows=tensor([[1.0, 0, 0]]), category=tensor([2]))
    assert float(total / 3) == pytest.approx(2.2584, abs=1e-4)
    ignored = summed_loss(logits, tensor([[0, -100, 3]]), rows=tensor([[1.0, 0, 0]]), category=tensor([-100]))
    assert float(ignored) == pytest.approx(0.3408 + 3.1392, abs=1e-4)


@pytest.mark.parametrize("kind", ["tag", *(pytest.param(kind, marks=pytest.mark.nightly) for kind in KINDS[1:])])
def test_a_run_that_was_cut_off_ends_with_the_same_weights(tmp_path: Path, kind: Kind) -> None:
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    fitted(kind, whole, is_adaptive=kind == "generate")
    with pytest.raises(CutError):
        fitted(kind, cut, cut=4, is_adaptive=kind == "generate")
    checkpoints = sorted(path.name for path in (cut / "checkpoints").iterdir())
    assert checkpoints == ["checkpoint-1", "checkpoint-2", "checkpoint-3"]
    damaged = cut / "checkpoints" / "checkpoint-5"
    shutil.copytree(cut / "checkpoints" / "checkpoint-3", damaged)
    (damaged / "complete").unlink()
    (damaged / "model.safetensors").write_bytes(b"cut off")
    fitted(kind, cut, is_adaptive=kind == "generate")
    found = {name: content for name, content in weights(cut).items() if "checkpoints" not in name}
    assert found == {name: content for name, content in weights(whole).items() if "checkpoints" not in name}
    assert len(found) >= 1


@pytest.mark.nightly
def test_accumulated_batches_have_the_loss_of_one(tmp_path: Path) -> None:
    results = []
    for batch, accumulate in (8, 1), (4, 2), (2, 4):
        training = Training(max_steps=3, batch=batch, accumulate=accumulate, learning_rate=1e-3)
        result = fitted("generate", tmp_path / str(batch), training, dropout=0, is_adaptive=True)
        results.append([row["loss"] for row in result.losses if "loss" in row])
    assert len(results[0]) == 3
    assert results[1] == pytest.approx(results[0], abs=1e-6) and results[2] == pytest.approx(results[0], abs=1e-6)


def test_a_loss_that_is_no_number_names_the_learning_rate(tmp_path: Path) -> None:
    training = SHORT.model_copy(update={"learning_rate": 0.99, "max_steps": 30, "warmup": 0.0})
    rows = examples("tag", 8)
    network = network_class("tag").build(plan("tag", training), rows)
    from bitext_pivot.models import trainer

    for weight in network.module.parameters():
        weight.data.fill_(float("nan"))
    with pytest.raises(SettingsError, match=r"training\.learning_rate=0\.99"):
        trainer.fit(network, Parts(rows, [], []), training, tmp_path, trainer.Runtime(device="cpu", threads=1))


@pytest.mark.parametrize(
    ("kind", "steps", "rate"),
    [
        ("tag", 60, 3e-3),
        pytest.param("classify", 60, 1e-2, marks=pytest.mark.nightly),
        pytest.param("generate", 600, 3e-3, marks=pytest.mark.nightly),
    ],
)
def test_rows_are_learned_by_heart_and_saved(tmp_path: Path, kind: Kind, steps: int, rate: float) -> None:
    from bitext_pivot.models import trainer

    trainer.seed(0)
    training = Training(max_steps=steps, batch=8, learning_rate=rate)
    rows, settings = examples(kind), plan(kind, training)
    network = network_class(kind).build(settings, rows)
    trainer.fit(network, Parts(rows, [], []), training, tmp_path / "c", trainer.Runtime(device="cpu", threads=1))
    outputs = network.outputs(rows)
    right = sum(output == (row.target or row.label) for output, row in zip(outputs, rows, strict=True))
    assert right >= 38
    network.save(tmp_path)
    assert network_class(kind).load(tmp_path, settings).outputs(rows) == outputs
    texts = [replace(row, target="", label="") for row in rows]
    assert network.outputs(texts) == outputs
    if kind != "classify":
        assert loaded(tmp_path, "AutoModelForTokenClassification" if kind == "tag" else "AutoModelForSeq2SeqLM") == {}
        return
    from sentence_transformers import SentenceTransformer

    encoder: Any = network.module.encoder
    sentences = [row.source for row in rows]
    published = SentenceTransformer(str(tmp_path / "model"), device="cpu").encode(sentences)
    assert (published == encoder.encode(sentences)).all() and published.std() > 0.01


def test_a_text_without_a_known_word_has_finite_logits() -> None:
    rows = examples("classify", 8)
    settings = plan("classify", SHORT)
    pooled = settings.model_copy(update={"start": settings.start.model_copy(update={"features": "infersent"})})
    network = network_class("classify").build(pooled, rows)
    batch = network.collate([replace(rows[0], source="Zebras"), replace(rows[0], source="zebras, tom!")])
    del batch["labels"]
    logits = network.module(**batch)["logits"]
    assert logits.isfinite().all() and (logits[0] != logits[1]).any()  # of the second text Tom is known


def test_words_are_known_without_the_punctuation_beside_them() -> None:
    from bitext_pivot.models.pair_classifier import words_of

    assert words_of(["Ann sings, Tom", "tom sings! Tom ."]) == ["tom", "sings", "ann"]
