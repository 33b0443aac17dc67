"""One of the processes that train together."""

import argparse
import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import torch
from corpus import Batch
from network import FORBIDDEN, Dropout, SlicedLoss, Trainee, score
from optimizer import build_optimizers
from torch import Tensor
from transformers import MarianMTModel

AVERAGING = 0.998
SMOOTHING = 0.1


class Shared(NamedTuple):
    """What the workers hold in common, in shared memory."""

    model: MarianMTModel
    average: list[Tensor]
    gradients: list[list[Tensor]]
    clock: Any
    barrier: Any


class Worker:
    """One of the processes that train together.

    Each computes the gradients of batches of its own on one thread; each owns a part of the parameters and updates it
    with the sum of all workers' gradients. Weights, averages and gradients lie in shared memory, so nothing is ever
    sent. Two processes of one thread beat one process of two, above all on a machine that others use too.
    """

    def __init__(self, settings: argparse.Namespace, number: int, shared: Shared) -> None:
        torch.manual_seed(settings.seed + number)
        torch.set_num_threads(1)
        self.settings, self.number, self.shared = settings, number, shared
        self.model = shared.model
        self.padding = self.model.config.pad_token_id
        self.trainee = Trainee(self.model)
        self.trained = get_trained(self.model)
        for parameter, gradient in zip(self.trained, shared.gradients[number], strict=True):
            parameter.grad = gradient
        self.owned = share_out(self.trained, settings.workers)[number]
        self.optimizers = build_optimizers(self.model, self.owned, muon=settings.optimizer == "muon")
        self.dropout = Dropout(settings.dropout, settings.seed + number)
        self.fast = torch.compile(self.trainee, dynamic=True)
        self.scorer = torch.compile(score, dynamic=False)
        self.steps, self.seconds, self.tokens = 0, 0.0, 0

    def loss(self, batch: Batch, *, learning: bool) -> tuple[Tensor, int]:
        """Give the mean loss a target token of one batch, and the number of target tokens."""
        source, target = batch
        start = torch.full((len(target), 1), self.padding)
        mask = torch.zeros(len(source), 1, 1, source.shape[1])
        mask.masked_fill_((source == self.padding)[:, None, None, :], FORBIDDEN)
        width, layers = self.model.config.d_model, (self.settings.encoder, self.settings.decoder)
        shapes = [
            ((*side.shape, width), 1 + per * count) for side, per, count in zip(batch, (2, 3), layers, strict=True)
        ]
        if learning:
            dropped = [self.dropout.masks(shape, count) for shape, count in shapes]
        else:
            dropped = [[torch.ones(shape, dtype=torch.bfloat16)] * count for shape, count in shapes]
        run = self.fast if learning else self.trainee
        states = run(source, torch.cat([start, target[:, :-1]], 1), mask, dropped).flatten(0, 1)
        kept = (target != self.padding).flatten().nonzero().squeeze(1)
        table = self.model.model.shared.weight[: self.padding]
        words = target.flatten()[kept]
        return SlicedLoss.apply(states.index_select(0, kept), table, words, SMOOTHING, self.scorer), len(kept)

    def rate(self) -> float:
        """Give the learning rate: warm-up by steps, then linear to zero by the share of the time that has passed."""
        left = max(0.0, 1 - self.seconds / (60 * self.settings.minutes))
        return self.settings.rate * min(1.0, (self.steps + 1) / self.settings.warmup) * left

    def step(self, batch: Batch) -> float:
        """Learn from one batch together with the other workers; give its loss."""
        loss, _ = self.loss(batch, learning=True)
        loss.backward()
        self.shared.barrier.wait()
        self.seconds = self.shared.clock.value
        self.update()
        self.shared.barrier.wait()
        torch._foreach_zero_(self.shared.gradients[self.number])
        self.steps += 1
        self.tokens += int((batch.source != self.padding).sum() + (batch.target != self.padding).sum())
        return float(loss.detach())

    @torch.no_grad()
    def update(self) -> None:
        """Update the parameters this worker owns and their averages."""
        own = [self.trained[index] for index in self.owned]
        for number, gradients in enumerate(self.shared.gradients):
            if number != self.number:
                torch._foreach_add_([parameter.grad for parameter in own], [gradients[index] for index in self.owned])
        rate = self.rate()
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate
            optimizer.step()
        self.keep_start_at_zero(own)
        average = [self.shared.average[index] for index in self.owned]
        torch._foreach_lerp_(average, own, 1 - min(AVERAGING, self.steps / (self.steps + 10)))
        self.keep_start_at_zero(average)

    def keep_start_at_zero(self, own: list[Tensor]) -> None:
        """Put the padding's vector, which the decoder starts from, back to zero.

        CTranslate2 lets every Marian decoder start from zeros, whatever the embeddings say.
        """
        shape = self.model.model.shared.weight.shape
        for parameter in own:
            if parameter.shape == shape:
                parameter[self.padding] = 0

    @contextlib.contextmanager
    def averaged(self) -> Iterator[None]:
        """Put the averaged weights in place for a while."""
        own = [parameter.detach().clone() for parameter in self.trained]
        with torch.no_grad():
            torch._foreach_copy_(self.trained, self.shared.average)
            try:
                yield
            finally:
                torch._foreach_copy_(self.trained, own)

    @torch.no_grad()
    def examine(self, batches: list[Batch]) -> float:
        """Give the mean loss a token on the development batches."""
        losses = [self.loss(batch, learning=False) for batch in batches]
        return sum(float(loss) * count for loss, count in losses) / sum(count for _, count in losses)

    def save(self, folder: Path) -> None:
        """Write this worker's part of a checkpoint; the first worker writes the weights too."""
        state: dict[str, Any] = {name: getattr(self, name) for name in ("steps", "seconds", "tokens")}
        state["optimizers"] = [optimizer.state_dict() for optimizer in self.optimizers]
        if self.number == 0:
            state |= {"model": self.model.state_dict(), "average": self.shared.average}
        fresh = folder / f"checkpoint.{self.number}.new"
        torch.save(state, fresh)
        fresh.replace(fresh.with_suffix(".pt"))

    def load(self, folder: Path) -> None:
        """Go on from a checkpoint."""
        state = torch.load(folder / f"checkpoint.{self.number}.pt", weights_only=True)
        for optimizer, saved in zip(self.optimizers, state.pop("optimizers"), strict=True):
            optimizer.load_state_dict(saved)
        if self.number == 0:
            self.model.load_state_dict(state.pop("model"))
            with torch.no_grad():
                torch._foreach_copy_(self.shared.average, state.pop("average"))
        for name, value in state.items():
            setattr(self, name, value)


def get_trained(model: MarianMTModel) -> list[Tensor]:
    """Give the parameters that are trained, in the model's order."""
    return [parameter for parameter in model.parameters() if parameter.requires_grad]


def share_out(parameters: list[Tensor], workers: int) -> list[list[int]]:
    """Share parameters out among the workers like cards, the largest first."""
    order = sorted(range(len(parameters)), key=lambda index: -parameters[index].numel())
    return [sorted(order[number::workers]) for number in range(workers)]
