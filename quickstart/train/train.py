"""Train the model for a given time on the CPU; stop and resume at will.

The learning rate falls to zero as the share of the time that has passed grows, so other load on the machine costs steps,
not the decay. Writes ``<out>/checkpoint.pt`` (weights, average, optimizers) and ``<out>/export`` (Hugging Face format, the
better of weights and average on the development sentences), each replaced whole, and adds a line to ``<out>/log.tsv``.
"""

import argparse
import contextlib
import math
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import sentencepiece
import torch
from corpus import Batch, Corpus
from network import FORBIDDEN, Dropout, SlicedLoss, Trainee, build_model, score
from optimizer import build_optimizers
from torch import Tensor, multiprocessing
from transformers import MarianMTModel, MarianTokenizer

AVERAGING = 0.998
SMOOTHING = 0.1
TOKENIZER_FILES = ("source.spm", "target.spm", "vocab.json")


class Shared(NamedTuple):
    """What the workers hold in common, in shared memory."""

    model: MarianMTModel
    average: list[Tensor]
    gradients: list[list[Tensor]]
    clock: Any
    barrier: Any


class Worker:
    """One of the processes that train together.

    Each computes the gradients of batches of its own on one thread; each owns a part of the parameters and updates it with the
    sum of all workers' gradients. Weights, averages and gradients lie in shared memory, so nothing is ever sent. One thread a
    process beats one process with many threads, above all on a machine that others use too.
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
        average = [self.shared.average[index] for index in self.owned]
        torch._foreach_lerp_(average, own, 1 - min(AVERAGING, self.steps / (self.steps + 10)))

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


def read_heldout(data: Path, padding: int) -> list[Batch]:
    """Read the development pairs as batches."""
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(data / "tokenizer" / "source.spm"))
    batches = []
    for path in sorted((data / "heldout").glob("dev.*.tsv")):
        pairs = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
        pairs.sort(key=lambda pair: len(pair[0]))
        for start in range(0, len(pairs), 100):
            sides = zip(*pairs[start : start + 100], strict=True)
            rows = [[torch.tensor([*pieces.encode(text), 0]) for text in side] for side in sides]
            padded = [torch.nn.utils.rnn.pad_sequence(side, batch_first=True, padding_value=padding) for side in rows]
            batches.append(Batch(*padded))
    return batches


def export(model: MarianMTModel, tokenizer: Path, folder: Path) -> None:
    """Write model and tokenizer in Hugging Face format; the folder is replaced whole."""
    fresh, stale = folder.with_suffix(".new"), folder.with_suffix(".old")
    for leftover in (fresh, stale):
        shutil.rmtree(leftover, ignore_errors=True)
    model.save_pretrained(fresh)
    source, target, vocabulary = (str(tokenizer / name) for name in TOKENIZER_FILES)
    texts = MarianTokenizer(source, target, vocabulary, source_lang="fr+es+de", target_lang="en", model_max_length=512)
    texts.save_pretrained(fresh)
    if folder.exists():
        folder.rename(stale)
    fresh.rename(folder)
    shutil.rmtree(stale, ignore_errors=True)


def report(worker: Worker, heldout: list[Batch], training: float) -> None:
    """Measure, log, and write checkpoint and snapshot; all workers but the first only save and wait."""
    out, tokenizer = worker.settings.out, worker.settings.data / "tokenizer"
    worker.save(out)
    if worker.number == 0:
        own = worker.examine(heldout)
        with worker.averaged():
            average = worker.examine(heldout)
            if average <= own:
                export(worker.model, tokenizer, out / "export")
        if average > own:
            export(worker.model, tokenizer, out / "export")
        tokens = worker.tokens * worker.settings.workers
        figures = (f"{worker.seconds / 60:.1f}", worker.steps, f"{tokens / 1e6:.1f}M", f"{worker.rate():.2e}")
        losses = (f"{training:.3f}", f"{own:.4f}", f"{average:.4f}")
        with (out / "log.tsv").open("a", encoding="utf-8") as log:
            print(*figures, *losses, f"{tokens / max(1, worker.seconds):.0f}/s", sep="\t", file=log)
    worker.shared.barrier.wait()


def work(settings: argparse.Namespace, number: int, shared: Shared) -> None:
    """Train, as one of the workers, until the time is over or a signal comes."""
    worker = Worker(settings, number, shared)
    if settings.resume:
        worker.load(settings.out)
    shared.barrier.wait()
    seed = settings.seed + settings.workers * worker.steps + number
    corpus = Corpus(settings.data / "tokens", budget=settings.batch, padding=worker.padding, seed=seed)
    heldout = read_heldout(settings.data, worker.padding) if number == 0 else []
    stopping: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: stopping.append(number))
    before, training = time.monotonic() - worker.seconds, math.log(worker.padding)
    due = 60 * settings.every * (int(worker.seconds / (60 * settings.every)) + 1)
    for batch in corpus.batches():
        if number == 0:
            shared.clock.value = time.monotonic() - before if not stopping else math.inf
        training += 0.01 * (worker.step(batch) - training)
        if worker.seconds >= 60 * settings.minutes:
            break
        if worker.steps % 100 == 0 and number == 0:
            speed = settings.workers * worker.tokens / worker.seconds
            print(f"{worker.seconds:.0f} s, step {worker.steps}, {speed:.0f} tokens/s, loss {training:.3f}", flush=True)
        if worker.seconds >= due:
            due += 60 * settings.every
            report(worker, heldout, training)
    worker.seconds = min(worker.seconds, time.monotonic() - before)
    report(worker, heldout, training)


def train(settings: argparse.Namespace) -> None:
    """Build the model in shared memory and set the workers to work; this process is the first."""
    torch.manual_seed(settings.seed)
    pieces = sentencepiece.SentencePieceProcessor(model_file=str(settings.data / "tokenizer" / "source.spm"))
    model = build_model(len(pieces), encoder=settings.encoder, decoder=settings.decoder).share_memory()
    trained = get_trained(model)
    average = [parameter.detach().clone().share_memory_() for parameter in trained]
    gradients = [[torch.zeros_like(average_).share_memory_() for average_ in average] for _ in range(settings.workers)]
    context = multiprocessing.get_context("spawn")
    barrier = context.Barrier(settings.workers, timeout=900)
    shared = Shared(model, average, gradients, context.Value("d", 0.0, lock=False), barrier)
    others = [
        context.Process(target=work, args=(settings, number, shared), daemon=True)
        for number in range(1, settings.workers)
    ]
    for process in others:
        process.start()
    work(settings, 0, shared)
    for process in others:
        process.join()


def main() -> None:
    """Read the arguments and train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder that prepare.py wrote")
    parser.add_argument("out", type=Path, help="folder for checkpoint, export and log")
    parser.add_argument(
        "--minutes", type=float, default=100, help="length of the whole training, earlier runs included"
    )
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in the output folder")
    parser.add_argument("--every", type=float, default=10, help="minutes between checkpoints")
    parser.add_argument("--rate", type=float, default=2e-3, help="highest learning rate")
    parser.add_argument("--warmup", type=int, default=400, help="steps")
    parser.add_argument("--batch", type=int, default=4500, help="source and target tokens a batch and worker")
    parser.add_argument("--optimizer", choices=("muon", "adamw"), default="muon")
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--encoder", type=int, default=4, help="encoder layers")
    parser.add_argument("--decoder", type=int, default=2, help="decoder layers")
    parser.add_argument("--workers", type=int, default=2, help="processes, of one thread each")
    parser.add_argument("--seed", type=int, default=20)
    settings = parser.parse_args()
    settings.out.mkdir(parents=True, exist_ok=True)
    train(settings)


if __name__ == "__main__":
    main()
