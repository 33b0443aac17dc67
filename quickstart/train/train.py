"""Train the model for a given time on the CPU; stop and resume at will.

The learning rate falls to zero as the share of the time that has passed grows, so other load on the machine costs
steps, not the decay. Writes ``<out>/checkpoint.<worker>.pt`` (weights, average, optimizers) and ``<out>/export``
(Hugging Face format, the better of weights and average on the development sentences), each replaced whole, and adds a
line to ``<out>/log.tsv``: minutes, steps, tokens, learning rate, training loss, development loss of the
weights and of their average, tokens a second.
"""

import argparse
import math
import shutil
import signal
import time
from pathlib import Path

import sentencepiece
import torch
from corpus import Batch, Corpus
from network import build_model
from torch import multiprocessing
from transformers import MarianMTModel, MarianTokenizer
from worker import Shared, Worker, get_trained

TOKENIZER_FILES = ("source.spm", "target.spm", "vocab.json")


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
