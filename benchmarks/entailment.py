"""What a model of entailment finds in pairs that were read: whether it may decide on pairs.

usage: python benchmarks/entailment.py MODEL --eval FOLDER

MODEL is a folder or a name on the hub, as of the filter `entailment`. FOLDER holds BiSECT's published pairs and natural
links (benchmarks/eval_pairs.py). Read are: `reviewed.tsv`, pairs of the published sets that a filter rejected,
and `read_natural.tsv`, natural links that preset strict kept, read without scores.

Printed are, for halves alone and for both directions: AUC of good against bad pairs by set; the cut, which loses 2 % of
the known good pairs that ship (filters/neural/known_good); the share of good, marginal and bad pairs of a set below it;
seconds per 1,000 pairs. A model is good enough to decide if AUC is at least .80 and the cut rejects a fifth of the bad
pairs that all filters keep.
"""

import argparse
import csv
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import eval_pairs
from sklearn.metrics import roc_auc_score

from bitext_pivot.filters.neural.classifier import TextClassifier, load_classifier
from bitext_pivot.filters.neural.encoder_checkpoint import fetch_checkpoint
from bitext_pivot.filters.neural.known_good import (
    choose_margin,
    known_good_languages,
    read_known_good,
)

HERE = Path(__file__).parent
LOST = 0.02
GOOD_ENOUGH, SHARE = 0.80, 0.20
FRAGMENTS = ("no two sentences", "no sentence", "long is two sentences")
"""Notes on pairs whose fault is no question of meaning."""
DIRECTIONS = ("halves", "both")


class Read(NamedTuple):
    """A pair that was read."""

    long: str
    first: str
    second: str
    verdict: str
    """good, marginal, bad, or fragment: bad, and no question of meaning."""


class Margins(NamedTuple):
    """How far entailment is above the best other class, in the weakest direction."""

    halves: float
    both: float


def main() -> None:
    """Print the figures of a model."""
    parser = argparse.ArgumentParser(description="What a model of entailment finds in read pairs.")
    parser.add_argument("model")
    parser.add_argument("--eval", type=Path, required=True)
    options = parser.parse_args()
    model = load_classifier(fetch_checkpoint(options.model, 1, setting="MODEL"), None)
    sets = {
        "published, rejected by a filter": reviewed(options.eval),
        "natural, kept": natural(options.eval),
    }
    cuts: dict[str, float] = {}
    for language in known_good_languages():
        begun, pairs = time.process_time(), read_known_good(language)
        found = margins(model, pairs)
        seconds = (time.process_time() - begun) / len(pairs) * 1000
        limits = {name: choose_margin(column(found, name), LOST) for name in DIRECTIONS}
        named = ", ".join(f"{name} {limit:+.3f}" for name, limit in limits.items())
        print(f"known good {language}: {len(pairs)} pairs, cut {named}; {seconds:.0f} CPU s/1,000")
        if language == "en":
            cuts = limits
    for name, read in sets.items():
        report(name, read, margins(model, read), cuts)


def margins(model: TextClassifier, pairs: Sequence[tuple[str, ...]]) -> list[Margins]:
    """Return the margins of pairs, which begin with long and its halves."""
    texts = []
    for long, first, second, *_ in pairs:
        texts += [(long, first), (long, second), (f"{first} {second}", long)]
    answers = [result.entailment - result.other for result in model.infer(texts, 1)]
    rows = zip(answers[0::3], answers[1::3], answers[2::3], strict=True)
    return [Margins(min(first, second), min(first, second, long)) for first, second, long in rows]


def column(found: Sequence[Margins], name: str) -> list[float]:
    """Return the margins of one kind."""
    return [getattr(row, name) for row in found]


def report(
    name: str, pairs: Sequence[Read], found: Sequence[Margins], cuts: dict[str, float]
) -> None:
    """Print AUC and the shares below the cut by verdict."""
    verdicts = sorted({pair.verdict for pair in pairs})
    counts = {verdict: sum(pair.verdict == verdict for pair in pairs) for verdict in verdicts}
    print(f"\n{name}: {', '.join(f'{count} {verdict}' for verdict, count in counts.items())}")
    for direction in DIRECTIONS:
        values = column(found, direction)
        by_verdict = {
            verdict: [
                value for value, pair in zip(values, pairs, strict=True) if pair.verdict == verdict
            ]
            for verdict in verdicts
        }
        bad = by_verdict.get("bad", []) + by_verdict.get("fragment", [])
        good = by_verdict.get("good", [])
        limit = cuts[direction]
        below = ", ".join(
            f"{verdict} {sum(value < limit for value in column_)} of {len(column_)}"
            for verdict, column_ in by_verdict.items()
        )
        print(
            f"  {direction}: AUC {auc(good, bad):.3f}, of meaning {auc(good, by_verdict['bad']):.3f}; "
            f"below {limit:+.3f}: {below}"
        )
        share = sum(value < limit for value in bad) / len(bad)
        is_enough = auc(good, bad) >= GOOD_ENOUGH and share >= SHARE
        print(f"    {'good enough' if is_enough else 'not good enough'}: {share:.0%} of bad pairs")


def auc(good: Sequence[float], bad: Sequence[float]) -> float:
    """Return the share of (good, bad) in which the good one has the higher margin; a tie counts half."""
    return float(roc_auc_score([1] * len(good) + [0] * len(bad), [*good, *bad]))


def reviewed(folder: Path) -> list[Read]:
    """Return the read pairs of the published sets."""
    pairs = {
        (name, int(source.pair.id)): source.pair
        for name, file in eval_pairs.PUBLISHED.items()
        for source in eval_pairs.published(folder / file)
    }
    found = []
    for row in table(HERE / "reviewed.tsv"):
        pair = pairs.get((row["set"], int(row["line"])))
        if pair is not None:
            found.append(Read(pair.long, *pair.split, _verdict_of(row["note"])))
    return found


def _verdict_of(note: str) -> str:
    if note.startswith("good"):
        return "good"
    return "fragment" if note.startswith(FRAGMENTS) else "bad"


def natural(folder: Path) -> list[Read]:
    """Return the read pairs of natural links."""
    links = eval_pairs.rows(folder / eval_pairs.NATURAL)
    found = []
    for row in table(HERE / "read_natural.tsv"):
        pair = eval_pairs.natural_pair(links[int(row["line"]) - 1], row["line"])
        if pair is not None:
            verdict = "fragment" if row["cause"] == "fragment" else row["verdict"]
            found.append(Read(pair.long, *pair.split, verdict))
    return found


def table(path: Path) -> Iterable[dict[str, str]]:
    """Yield the lines of a TSV file with a header."""
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


if __name__ == "__main__":
    main()
