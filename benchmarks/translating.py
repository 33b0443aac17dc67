"""How fast the engine translates at opus-mt's size, against transformers in float32, on the same texts in one run.

usage: python benchmarks/translating.py MODEL BITEXT.tsv.gz [--sentences 768] [--shortlists 32000,2000] [--rounds 1]
                                        [--threads 2] [--peer-batches 32]

MODEL is a model of random weights (benchmarks/random_marian.py): `</s>` never wins there, so every output is made as
long as its text, as translations are. The texts are foreign sides of BITEXT, of 3 to 60 words, translated as a build
does, into a row store. The peer is `generate` with beam 4 on texts sorted by length, padded in batches, on as many
threads as we have workers of one thread. Pieces written count, at a search's full length; loading does not. Shortlists
are the first pieces of the target side: which they are does not matter to the time. What they change:
benchmarks/shortlist.py.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "2")

import torch
from shortlist import sample
from transformers import MarianMTModel

from pairs.store import RowStore
from translation.cached import translate_once
from translation.checkpoint import Checkpoint, open_checkpoint, target_vocabulary
from translation.conversion import convert
from translation.marian import Compute, Marian
from translation.pieces import Limits, Pieces, Row
from translation.shortlist import Shortlist

Work = Callable[[], int]


class AsLongAsTheText(Limits):
    """Limits that let an output have as many pieces as its text."""

    def longest_output(self, pieces: int) -> int:
        """Return the same number."""
        return pieces


class Counting:
    """An engine that remembers how many pieces it wrote."""

    whole_groups = False

    def __init__(self, engine: Marian) -> None:
        self.engine, self.signature, self.pieces = engine, engine.signature, 0

    def translate(self, texts: Sequence[str]) -> list[str]:
        """Translate, and count."""
        return self.engine.translate_noting(texts, self._count)

    def _count(self, rows: list[Row]) -> None:
        self.pieces += sum(map(len, rows))


def ours(engine: Marian, texts: Sequence[str]) -> int:
    """Translate as a build does; return the pieces written."""
    counting = Counting(engine)
    with tempfile.TemporaryDirectory() as folder:
        translate_once(counting, texts, RowStore(Path(folder), engine.signature))
    return counting.pieces


def peer(model: Any, rows: Sequence[list[int]], batch: int) -> int:
    """Translate with transformers; return the pieces written."""
    total, padding = 0, model.config.pad_token_id
    for start in range(0, len(rows), batch):
        some = sorted(rows, key=len)[start : start + batch]
        longest = len(some[-1])
        numbers = torch.tensor([[*row, *[padding] * (longest - len(row))] for row in some], device=model.device)
        with torch.inference_mode():
            found = model.generate(
                input_ids=numbers, attention_mask=(numbers != padding).long(), num_beams=4, max_new_tokens=longest
            )
        total += found[:, 1:].numel()
    return total


def ways(options: argparse.Namespace, checkpoint: Checkpoint, texts: Sequence[str], work: Path) -> dict[str, Work]:
    """Return what is measured, by name; the peers first."""
    pieces = Pieces(checkpoint.folder, prefix="", punctuation="moses", language="fr")
    limits = AsLongAsTheText(beam_size=4, max_tokens=400, max_ratio=1.0, positions=checkpoint.positions)
    known = target_vocabulary(checkpoint.folder)
    rows = [[known.get(piece, 1) for piece in pieces.encode(text, 400)] for text in texts]
    model = MarianMTModel.from_pretrained(checkpoint.folder, dtype=torch.float32).eval()
    found: dict[str, Work] = {
        f"transformers float32, batches of {size}": partial(peer, model, rows, size) for size in options.peer_batches
    }
    folder = convert(checkpoint, work, "int8")
    target = [piece for piece in pieces.target if piece in known]
    for size in (len(known), *options.shortlists):
        shortlist = Shortlist(tuple(target[:size])) if size < len(known) else None
        compute = Compute(quantization="int8", threads=options.threads, shortlist=shortlist)
        engine = Marian(folder, pieces, limits, compute, signature="benchmark")
        found[f"marian int8, {len(shortlist.pieces) if shortlist else size} entries"] = partial(ours, engine, texts)
    return found


def measured(work: Work) -> tuple[float, float]:
    """Return pieces a CPU second of the process, and pieces a second by the clock."""
    cpu, clock = time.process_time(), time.perf_counter()
    pieces = work()
    return pieces / (time.process_time() - cpu), pieces / (time.perf_counter() - clock)


def main(options: argparse.Namespace) -> None:
    """Print speeds, and their ratios to each peer."""
    torch.set_num_threads(options.threads)
    checkpoint = open_checkpoint(str(options.model))
    texts = [foreign for foreign, _ in sample(options.bitext, options.sentences, 60)[0]]
    with tempfile.TemporaryDirectory() as work:
        todo = ways(options, checkpoint, texts, Path(work))
        taken = [{name: measured(one) for name, one in todo.items()} for _ in range(options.rounds)]
    peers = list(todo)[: len(options.peer_batches)]
    print(f"{len(texts)} sentences, beam 4, {options.threads} threads, {options.rounds} rounds, medians")
    for name in todo:
        speeds = [statistics.median(one[name][kind] for one in taken) for kind in (0, 1)]
        line = f"{name:40} {speeds[0]:7.1f} pieces a CPU second {speeds[1]:7.1f} a second"
        for other in peers if name not in peers else ():
            ratios = [statistics.median(one[name][kind] / one[other][kind] for one in taken) for kind in (0, 1)]
            line += f"; {ratios[0]:.2f} x (clock {ratios[1]:.2f} x) {other.removeprefix('transformers float32, ')}"
        print(line)


def numbers(text: str) -> list[int]:
    """Read numbers between commas."""
    return [int(number) for number in text.split(",")]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("bitext", type=Path)
    parser.add_argument("--sentences", type=int, default=768)
    parser.add_argument("--shortlists", type=numbers, default=[32_000, 2_000])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--peer-batches", type=numbers, default=[32])
    parser.add_argument("--rounds", type=int, default=1)
    main(parser.parse_args())
