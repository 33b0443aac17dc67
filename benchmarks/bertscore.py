"""Speed and accuracy of BERTScore's mode `fast` against `reference` (the bert_score package), on the same pairs.

usage: python benchmarks/bertscore.py --eval FOLDER [--model NAME_OR_FOLDER] [--layer N] [--pairs 500] [--flips]

Both modes and the package with its own batches score the pairs, each on one thread; loading is not counted. --flips
compares the verdicts of both modes on every pair of FOLDER. random_models.py makes a model of roberta-large's size.
"""

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = "1"

import torch
from bert_score import BERTScorer
from eval_pairs import eval_pairs

from filters.base import Runtime
from filters.neural.bertscore import Bertscore
from filters.neural.encoded import encoders
from pairs.records import ParsedPair
from pairs.storage.store import RowStore

torch.set_num_threads(1)
Scores = list[dict[str, float]]


def by_filter(one: Bertscore, pairs: Sequence[ParsedPair]) -> Scores:
    """Score pairs as a build does, with an empty row store."""
    with tempfile.TemporaryDirectory() as folder:
        return one.parts(pairs, Runtime(device="cpu", threads=1, store=partial(RowStore, Path(folder))))


def by_package(scorer: Any, pairs: Sequence[ParsedPair]) -> Scores:
    """Score pairs with the package, in batches of 64."""
    *_, scores = scorer.score([one.pair.long for one in pairs], [" ".join(one.pair.split) for one in pairs])
    return [{"f1": score} for score in scores.tolist()]


def compare_speed(modes: dict[str, Bertscore], pairs: Sequence[ParsedPair]) -> None:
    """Print CPU seconds, speed relative to the package, and the largest difference from it."""
    fast = modes["fast"]
    scorer = BERTScorer(
        model_type=str(fast.checkpoint().folder), num_layers=fast.compared_layer, device="cpu", nthreads=0
    )
    works: dict[str, Callable[[Sequence[ParsedPair]], Scores]] = {"package": partial(by_package, scorer)}
    works |= {mode: partial(by_filter, one) for mode, one in modes.items()}
    seconds, scores = {}, {}
    for name, work in works.items():
        work(pairs[:1])
        start = time.process_time()
        scores[name] = work(pairs)
        seconds[name] = time.process_time() - start
        worst = max(abs(a["f1"] - b["f1"]) for a, b in zip(scores[name], scores["package"], strict=True))
        ratio = seconds["package"] / seconds[name]
        print(f"{name:9} {seconds[name]:8.2f} CPU-s {ratio:5.2f} x package, max |dF| {worst:.1e}")


def compare_verdicts(modes: dict[str, Bertscore], sets: dict[str, list[ParsedPair]]) -> None:
    """Print each pair on which the two modes decide differently, by set and row."""
    fast = modes["fast"]
    for name, pairs in sets.items():
        rows = list(zip(pairs, *(by_filter(modes[mode], pairs) for mode in ("fast", "reference")), strict=True))
        worst = max(abs(ours["f1"] - exact["f1"]) for _, ours, exact in rows)
        flipped = [row for row in rows if fast.accepts(row[1]["score"]) != fast.accepts(row[2]["score"])]
        print(f"{name}: {len(pairs)} pairs at {fast.threshold}, max |dF| {worst:.1e}, {len(flipped)} flipped")
        for pair, ours, exact in flipped:
            print(f"  row {pair.pair.id}: reference {exact['score']:.6f}, fast {ours['score']:.6f}")


def main() -> None:
    """Compare speed on a sample of all sets, then verdicts if requested."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--eval", type=Path, required=True)
    parser.add_argument("--model", default="all-MiniLM-L6-v2")
    parser.add_argument("--layer", type=int)
    parser.add_argument("--min-score", type=float, default=0.4, help="for a model without a measured threshold")
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--flips", action="store_true")
    options = parser.parse_args()
    min_score = None if "min_score" in encoders().get(options.model, {}) else options.min_score
    modes = {
        mode: Bertscore(model=options.model, layer=options.layer, mode=mode, min_score=min_score)
        for mode in ("reference", "fast")
    }
    sets = eval_pairs(options.eval)
    everything = [one for pairs in sets.values() for one in pairs]
    if options.pairs:
        compare_speed(modes, random.Random(0).sample(everything, options.pairs))
    if options.flips:
        compare_verdicts(modes, sets)


if __name__ == "__main__":
    main()
