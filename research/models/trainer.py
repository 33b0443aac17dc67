"""Train a network with the `Trainer` of transformers, and resume a training that was interrupted.

A checkpoint is complete once its folder contains a manifest, which is written after all other files are on the disk. A
killed training resumes from the last complete checkpoint and ends with the same weights, because a checkpoint includes
the optimizer, the random state and the order of the rows. A checkpoint that differs from its manifest is deleted.
Saving every few minutes does not change the result.
"""

import math
import os
import shutil
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy
from transformers import (
    EarlyStoppingCallback,
    PrinterCallback,
    Trainer,
    TrainerCallback,
    TrainingArguments,
    set_seed,
)
from transformers import TrainerControl as Control
from transformers import TrainerState as State
from transformers.trainer import TRAINER_STATE_NAME
from transformers.utils import SAFE_WEIGHTS_NAME

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.hub.device import Device
from bitext_pivot.core.hub.pretrained import is_panic
from bitext_pivot.core.hub.weights import read_tensors, silence_transformers
from bitext_pivot.core.progress import tracked, warn
from bitext_pivot.core.storage import atomic, manifest
from bitext_pivot.research.models.data import ExampleSubsets
from bitext_pivot.research.models.generation import HEAD
from bitext_pivot.research.models.network import IGNORED, Network
from bitext_pivot.research.models.training_settings import Hyperparameters

_KEPT = 3  # checkpoints on disk: the best, the last complete and the current one
_LOGGED = 0.05  # share of all updates between two reported losses
Losses = list[dict[str, float]]
"""Rows with `step` and either `loss` (training) or `eval_loss` (validation)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingRuntime:
    """Device and callbacks of a training.

    On the same kind of machine, they do not change the trained network.
    """

    device: Device
    threads: int
    trackers: Sequence[str] = ()
    """Experiment trackers of transformers, such as tensorboard."""
    checkpoint_minutes: float = 5
    on_step: Callable[[int, int], None] = field(default=lambda done, total: None)
    """Function called after each update with the number of updates so far and in total."""
    on_losses: Callable[[Losses], None] = field(default=lambda losses: None)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingSummary:
    """Number of updates, duration and losses of a training."""

    steps: int
    seconds: float
    """Duration in this process, without the time before an interruption."""
    losses: Losses


def seed(number: int) -> None:
    """Seed all random number generators. Call this before the network is built."""
    set_seed(number)


def fit(
    network: Network,
    parts: ExampleSubsets,
    training: Hyperparameters,
    folder: Path,
    runtime: TrainingRuntime,
) -> TrainingSummary:
    """Train a network, or resume from the last complete checkpoint in `folder`.

    If there are validation examples, the network gets the weights with the lowest validation loss. Only the first of
    `training.seeds` is used.

    Raises:
        SettingsError: the loss became infinite or NaN, or the device ran out of memory.
    """
    torch.set_num_threads(runtime.threads)
    folder.mkdir(parents=True, exist_ok=True)
    checkpoint = last_complete(folder)
    if checkpoint is not None and (state := _final_state(checkpoint)) is not None:
        return _finished(network, checkpoint, state, runtime)
    arguments = _arguments(training, folder, runtime, has_validation=bool(parts.validation))
    begun = time.monotonic()
    with silence_transformers(), ExitStack() as stack:
        callbacks: list[TrainerCallback] = [_TrainingCallback(runtime, training, folder, stack)]
        if parts.validation:
            callbacks.append(EarlyStoppingCallback(training.patience))
        trainer = _Trainer(
            model=network.module, args=arguments, data_collator=network.collate, train_dataset=parts.train,
            eval_dataset=parts.validation or None, callbacks=callbacks,
        )  # fmt: skip
        trainer.smoothing = training.label_smoothing
        trainer.remove_callback(PrinterCallback)
        _train(trainer, checkpoint, training)
    network.module.eval()
    return TrainingSummary(
        steps=trainer.state.global_step,
        seconds=time.monotonic() - begun,
        losses=_losses(trainer.state.log_history),
    )


def _train(trainer: Trainer, checkpoint: Path | None, training: Hyperparameters) -> None:
    try:
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    except RuntimeError as error:
        if "out of memory" not in str(error).lower():
            raise
        raise SettingsError(
            f"The device is out of memory with training.batch={training.batch} and training.longest="
            f"{training.longest}. Halve the batch and double training.accumulate, which gives the same loss, or lower "
            "training.longest."
        ) from error
    except BaseException as error:
        if not is_panic(error):
            raise
        raise SettingsError(
            f"The tokenizer of model.start failed on a text ({error}). Name another model."
        ) from error


def last_complete(folder: Path) -> Path | None:
    """Return the last usable checkpoint, or None, and delete all unusable checkpoints.

    A killed run may leave an incomplete checkpoint. A warning is logged for each checkpoint that was complete and then
    damaged.
    """
    usable: dict[int, Path] = {}
    for step, path in sorted((_step(path), path) for path in folder.glob("checkpoint-*")):
        problems = manifest.broken_seal(path)
        best = None if problems else _best(path)
        if best is not None and best not in usable.values() and best != path:
            problems = [f"{best.name}, the best checkpoint before it, is missing or damaged"]
        if not problems:
            usable[step] = path
            continue
        if (path / manifest.NAME).exists():
            warn(f"{path.name} is damaged and not used: {problems[0]}")
        _delete(path)
    return usable[max(usable)] if usable else None


def _final_state(checkpoint: Path) -> State | None:
    """Return the trainer's state if the training ended with this checkpoint, otherwise None."""
    state = State.load_from_json(str(checkpoint / TRAINER_STATE_NAME))
    control: Any = state.stateful_callbacks.get(Control.__name__, {})
    return state if control.get("args", {}).get("should_training_stop") else None


def _finished(
    network: Network, checkpoint: Path, state: State, runtime: TrainingRuntime
) -> TrainingSummary:
    """Load the weights of a finished training, and return its summary.

    Resuming the training in transformers would make one more update.
    """
    best = state.best_model_checkpoint
    tensors = read_tensors([Path(best or checkpoint) / SAFE_WEIGHTS_NAME])
    # Not strict, because tied weights are saved only once.
    network.module.load_state_dict(tensors, strict=False)
    network.module.to(runtime.device).eval()
    return TrainingSummary(steps=state.global_step, seconds=0.0, losses=_losses(state.log_history))


def _step(checkpoint: Path) -> int:
    """Return the number of updates in a checkpoint's name, or 0 if it does not end in a number."""
    number = checkpoint.name.rpartition("-")[2]
    return int(number) if number.isdecimal() else 0


def _best(checkpoint: Path) -> Path | None:
    """Return the checkpoint with the lowest validation loss so far, or None without validation."""
    state = atomic.load_json(checkpoint / TRAINER_STATE_NAME)
    best = state.get("best_model_checkpoint")
    return None if best is None else Path(best)


def _delete(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()


def _arguments(
    training: Hyperparameters, folder: Path, runtime: TrainingRuntime, *, has_validation: bool
) -> TrainingArguments:
    strategy = "epoch" if has_validation else "no"
    return TrainingArguments(
        output_dir=str(folder),
        num_train_epochs=training.epochs,
        max_steps=training.max_steps or -1,
        per_device_train_batch_size=training.batch,
        per_device_eval_batch_size=training.batch,
        gradient_accumulation_steps=training.accumulate,
        learning_rate=training.learning_rate,
        warmup_steps=training.warmup,
        seed=training.seeds[0],
        eval_strategy=strategy,
        save_strategy=strategy,
        save_total_limit=_KEPT,
        load_best_model_at_end=has_validation,
        prediction_loss_only=True,
        label_names=["labels"],
        restore_callback_states_from_checkpoint=True,
        remove_unused_columns=False,
        logging_steps=_LOGGED,
        logging_nan_inf_filter=False,
        disable_tqdm=True,
        report_to=list(runtime.trackers) or "none",
        use_cpu=runtime.device == "cpu",
        bf16=runtime.device == "cuda",
    )


class _Trainer(Trainer):  # type: ignore[misc]
    """Trainer whose loss does not depend on how the rows of an update are divided into batches.

    The loss of an update is summed over all tokens (or class labels) and all rows, and divided by the number of tokens
    (or labels).
    """

    smoothing = 0.0

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # With this, transformers counts the labels over all batches of an update, not per batch.
        self.model_accepts_loss_kwargs = True
        self.loss_is_scaled_for_ga = True

    def compute_loss(
        self,
        model: nn.Module,
        inputs: dict[str, Any],
        return_outputs: bool = False,
        num_items_in_batch: Tensor | int | None = None,
    ) -> Any:
        """Return the part of an update's loss that comes from the rows of one batch."""
        inputs = dict(inputs)
        labels, category = inputs.pop("labels"), inputs.pop("category", None)
        outputs = model(**inputs)
        number = (labels != IGNORED).sum() if num_items_in_batch is None else num_items_in_batch
        smoothing = self.smoothing if model.training else 0.0
        head = getattr(self.accelerator.unwrap_model(model), HEAD, None)
        first = (
            None
            if head is None or category is None
            else head(outputs["encoder_last_hidden_state"][:, 0])
        )
        loss = (
            summed_loss(
                outputs["logits"], labels, smoothing=smoothing, rows=first, category=category
            )
            / number
        )
        return (loss, outputs) if return_outputs else loss


def summed_loss(
    logits: Tensor,
    labels: Tensor,
    *,
    smoothing: float = 0.0,
    rows: Tensor | None = None,
    category: Tensor | None = None,
) -> Tensor:
    """Return the summed cross-entropy of the labels and, if given, of the categories.

    The label -100 is ignored. `logits` has the shape of `labels` and a last dimension of classes. `rows` are the logits
    of `category`, shape (rows, categories).
    """
    total = cross_entropy(
        logits.flatten(0, -2).float(),
        labels.flatten(),
        ignore_index=IGNORED,
        reduction="sum",
        label_smoothing=smoothing,
    )
    if rows is not None and category is not None:
        total = total + cross_entropy(rows.float(), category, ignore_index=IGNORED, reduction="sum")
    return total


class _TrainingCallback(TrainerCallback):  # type: ignore[misc]
    """Saves checkpoints, reports progress and losses, and stops if the loss is not finite.

    A checkpoint is saved every few minutes and sealed with a manifest.
    """

    def __init__(
        self, runtime: TrainingRuntime, training: Hyperparameters, folder: Path, stack: ExitStack
    ) -> None:
        self._runtime, self._training, self._folder, self._stack = runtime, training, folder, stack
        self._saved = time.monotonic()

    def on_train_begin(
        self, args: TrainingArguments, state: State, control: Control, **_: Any
    ) -> None:
        self._advance = self._stack.enter_context(tracked("train", state.max_steps, "updates"))
        self._advance(state.global_step)

    def on_step_end(
        self, args: TrainingArguments, state: State, control: Control, **_: Any
    ) -> None:
        self._advance(1)
        self._runtime.on_step(state.global_step, state.max_steps)
        is_due = time.monotonic() - self._saved >= 60 * self._runtime.checkpoint_minutes
        # The last checkpoint is saved after its evaluation, so it is not saved here.
        if is_due and not control.should_training_stop:
            control.should_save = True

    def on_save(self, args: TrainingArguments, state: State, control: Control, **_: Any) -> None:
        os.sync()
        manifest.seal(self._folder / f"checkpoint-{state.global_step}")
        self._saved = time.monotonic()

    def on_log(self, args: TrainingArguments, state: State, control: Control, **_: Any) -> None:
        losses = _losses(state.log_history)
        if losses and not math.isfinite(losses[-1].get("loss", losses[-1].get("eval_loss", 0.0))):
            raise SettingsError(
                f"The loss is infinite or NaN after {state.global_step} updates with training.learning_rate="
                f"{self._training.learning_rate:g}. Lower the rate to a third, or raise training.warmup."
            )
        self._runtime.on_losses(losses)


def _losses(history: Sequence[dict[str, float]]) -> Losses:
    names = ("step", "loss", "eval_loss")
    rows = ({name: row[name] for name in names if name in row} for row in history)
    return [row for row in rows if len(row) > 1]
