"""BERTScore: how fast and how near to the bert_score package its two modes are, in one run, on the same pairs.

usage: python benchmarks/bertscore.py --eval FOLDER [--model NAME_OR_FOLDER] [--layer N] [--pairs 500] [--rounds 1]
                                      [--idf] [--flips]

Each round scores all pairs by the package, by `reference` and by `fast`, one after the other, each on one thread, and
counts the CPU seconds of the process; loading is left out. --flips compares the verdicts of both modes on every pair
of FOLDER and lists those that differ. Make a model of roberta-large's size with random_models.py.
"""

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

os.environ["OMP_NUM_THREADS"] = os.environ["BITEXT_PIVOT_THREADS"] = "1"

import torch
from bert_score import BERTScorer
from eval_pairs import eval_pairs

from filters.neural.bertscore import Bertscore
from filters.neural.checkpoint import checkpoint
from filters.neural.encoded import encoders
from pairs.records import ParsedPair

torch.set_num_threads(1)


def filter_of(options: argparse.Namespace, mode: str, references: Path | None) -> Bertscore:
    """Return the filter in a mode; a model without a threshold of its own gets 0.4 so that it can be built."""
    known = "min_score" in encoders().get(options.model, {}) and references is None
    return Bertscore(
        model=options.model,
        layer=options.layer,
        mode=mode,
        idf=references,
        min_score=None if known else options.min_score,
    )


def by_filter(one: Bertscore, pairs: Sequence[ParsedPair]) -> list[dict[str, float]]:
    """Score pairs as a build does, with a row store that is empty."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["BITEXT_PIVOT_HOME"] = home
        return one.parts(pairs)


def by_package(scorer: Any, pairs: Sequence[ParsedPair]) -> list[dict[str, float]]:
    """Score pairs by the package, all at once, as it likes it best."""
    columns = scorer.score([one.pair.long for one in pairs], [" ".join(one.pair.split) for one in pairs])
    names = ("precision", "recall", "f1")
    return [dict(zip(names, row, strict=True)) for row in zip(*(column.tolist() for column in columns), strict=True)]


def timed(score: Callable[[], list[dict[str, float]]]) -> tuple[float, list[dict[str, float]]]:
    """Return CPU seconds of the process, all threads together, and the scores."""
    begun = time.process_time()
    found = score()
    return time.process_time() - begun, found


def race(options: argparse.Namespace, pairs: Sequence[ParsedPair], references: Path | None) -> None:
    """Print CPU seconds and the largest differences from the package."""
    modes = {mode: filter_of(options, mode, references) for mode in ("reference", "fast")}
    for mode, one in modes.items():
        print(f"{mode}: {one.full_signature()}")
        by_filter(one, pairs[:1])
    layer = modes["fast"].compared_layer
    sentences = [" ".join(one.pair.split) for one in pairs] if references else None
    scorer = BERTScorer(
        model_type=str(checkpoint(options.model, layer).folder), num_layers=layer, device="cpu",
        idf=bool(references), idf_sents=sentences, nthreads=0,
    )  # fmt: skip
    runs = {"package": lambda: by_package(scorer, pairs)} | {
        mode: lambda one=one: by_filter(one, pairs) for mode, one in modes.items()
    }
    spent, scores = dict.fromkeys(runs, 0.0), {}
    for _ in range(options.rounds):
        for name, run in runs.items():
            seconds, scores[name] = timed(run)
            spent[name] += seconds
    for name, seconds in spent.items():
        worst = max(abs(a["f1"] - b["f1"]) for a, b in zip(scores[name], scores["package"], strict=True))
        speed = options.rounds * len(pairs) / seconds
        ratio = spent["package"] / seconds
        print(f"{name:9} {seconds:8.2f} CPU-s {speed:7.2f} pairs/CPU-s {ratio:5.2f} x package, max |dF| {worst:.1e}")


def flips(options: argparse.Namespace, sets: dict[str, list[ParsedPair]]) -> None:
    """Print each pair of which the modes decide differently, by set and row."""
    fast, reference = (filter_of(options, mode, None) for mode in ("fast", "reference"))
    for name, pairs in sets.items():
        found = list(zip(pairs, by_filter(fast, pairs), by_filter(reference, pairs), strict=True))
        worst = max(abs(ours["f1"] - exact["f1"]) for _, ours, exact in found)
        changed = [one for one in found if fast.accepts(one[1]["score"]) != fast.accepts(one[2]["score"])]
        kept = sum(fast.accepts(exact["score"]) for _, _, exact in found)
        print(
            f"{name}: {len(pairs)} pairs, {kept} kept by reference at {fast.threshold}, max |dF| {worst:.1e}, "
            f"{len(changed)} flipped"
        )
        for pair, ours, exact in changed:
            print(f"  row {pair.pair.id}: reference {exact['score']:.6f}, fast {ours['score']:.6f}")


def main(options: argparse.Namespace) -> None:
    """Race on a sample of all sets, then compare verdicts where that is asked for."""
    sets = eval_pairs(options.eval)
    everything = [one for pairs in sets.values() for one in pairs]
    pairs = random.Random(0).sample(everything, options.pairs) if options.pairs else []
    with tempfile.TemporaryDirectory() as folder:
        references = Path(folder) / "references.txt" if options.idf else None
        if references:
            references.write_text("\n".join(" ".join(one.pair.split) for one in pairs), encoding="utf-8")
        if pairs:
            race(options, pairs, references)
    if options.flips:
        flips(options, sets)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--eval", type=Path, required=True)
    parser.add_argument("--model", default="all-MiniLM-L6-v2")
    parser.add_argument("--layer", type=int)
    parser.add_argument("--min-score", type=float, default=0.4)
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--idf", action="store_true")
    parser.add_argument("--flips", action="store_true")
    main(parser.parse_args())
