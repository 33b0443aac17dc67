"""Calibrate the BERTScore threshold of an encoder on real pairs; print it as an entry of encoders.toml.

usage: python benchmarks/calibrate_bertscore.py --model NAME_OR_FOLDER --layer N --eval FOLDER [--pairs N]

The table tells what share of each set every multiple of 0.05 rejects: of true pairs, and of false ones that have both
halves (`other`) or one half (`half`) of another pair. The threshold is the largest multiple that rejects at most
1.5 % of the published pairs, which passed the paper's own filter; natural links under real systems stand beside them
and decide nothing, because some of them are alignment losses. Coarse on purpose: other rows of these sets will be met.
"""

import argparse
import json
import os
import random
import re
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from eval_pairs import english, eval_pairs, unparsed

from filters.base import Runtime
from filters.neural.bertscore import Bertscore
from filters.neural.encoder import library
from pairs.records import ParsedPair
from pairs.site import Site

LOSS = 0.015
DECIDING = ("bisect_test", "bisect_orig")
STEPS = [round(0.05 * step, 2) for step in range(20)]


def false_pairs(pairs: Sequence[ParsedPair]) -> dict[str, list[ParsedPair]]:
    """Return each pair with both halves, and with the second half, of the pair half a set further on."""
    shifted = [pairs[(place + len(pairs) // 2) % len(pairs)] for place in range(len(pairs))]
    couples = [(one.pair, two.pair) for one, two in zip(pairs, shifted, strict=True)]
    return {
        "other": [unparsed(english(one.id, one.long, *two.split)) for one, two in couples],
        "half": [unparsed(english(one.id, one.long, one.split[0], two.split[1])) for one, two in couples],
    }


def rejected(scores: Sequence[float], threshold: float) -> float:
    """Return the share of the scores below a threshold."""
    return sum(score < threshold for score in scores) / len(scores)


def entry(name: str, one: Bertscore, threshold: float, true: dict[str, list[float]]) -> str:
    """Return the entry in TOML; the name is quoted where TOML asks for it."""
    losses = [f"{set_} {100 * rejected(scores, threshold):.1f} % of {len(scores)}" for set_, scores in true.items()]
    precision = one.precision("cpu")
    how = (
        f"{datetime.now(UTC):%Y-%m-%d}, benchmarks/calibrate_bertscore.py, {one.mode} {precision} {library()}: "
        f"the largest multiple of 0.05 that rejects at most {100 * LOSS:g} % of the published pairs; of the true pairs "
        f"it rejects {', '.join(losses)}"
    )
    head = name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else json.dumps(name)
    return f"[{head}]\nlayer = {one.compared_layer}\nmin_score = {threshold:g}\ncalibrated = {json.dumps(how)}"


def main(options: argparse.Namespace) -> None:
    """Print the table, then the entry."""
    one = Bertscore(model=options.model, layer=options.layer, min_score=0)
    runtime = Runtime.of(Site(device="cpu"))
    true: dict[str, list[float]] = {}
    print("set         kind  " + " ".join(f"{step:5.2f}" for step in STEPS))
    for name, pairs in eval_pairs(options.eval).items():
        sample = random.Random(0).sample(pairs, min(options.pairs or len(pairs), len(pairs)))
        for kind, some in {"true": sample, **false_pairs(sample)}.items():
            scores = one.score(some, runtime)
            print(f"{name} {kind:5} " + " ".join(f"{100 * rejected(scores, step):5.1f}" for step in STEPS))
            if kind == "true":
                true[name] = scores
    fitting = [step for step in STEPS if all(rejected(true[name], step) <= LOSS for name in DECIDING)]
    if not fitting:
        sys.exit(f"No threshold keeps {100 - 100 * LOSS:g} % of the published pairs with {options.model}.")
    print("\n" + entry(options.model, one, max(fitting), true))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--model", required=True)
    parser.add_argument("--layer", type=int)
    parser.add_argument("--eval", type=Path, required=True)
    parser.add_argument("--pairs", type=int, default=0, help="of each set; all where it is 0")
    with tempfile.TemporaryDirectory() as home:
        os.environ["BITEXT_PIVOT_HOME"] = home
        main(parser.parse_args())
