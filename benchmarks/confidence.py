"""How the confidence of translations separates good from spoilt ones, by labels given before looking at it.

usage: python benchmarks/confidence.py FOLDER

confidence.tsv labels 119 translations by the quickstart's model: 69 of sentences of Tatoeba that were held out of its
training, of 12 words or more in English, and 50 of Europarl that were not chosen for it. `good`: the same meaning in
readable English; `marginal`: a slip that changes little, as a tense or a preposition; `spoilt`: another meaning, a part
left out, or invented words; `trained`: perhaps in the training data, not counted. FOLDER has the corpora.

The minimum confidence is chosen on the even lines of confidence.tsv, counted from 1 behind the heading: the largest
tenth that rejects at most 5 % of the good translations. So few labels do not support more digits.
"""

import csv
import gzip
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from sklearn.metrics import roc_auc_score

from bitext_pivot.translation.models import Translation, load_engine

LABELS = Path(__file__).with_suffix(".tsv")
MODEL = "quickstart/models/marian-frdees-en"
TENTHS = [n / 10 for n in range(1, 10)]
MINIMA = (0.55, 0.6, 0.65, 0.7)

Labelled = tuple[str, float]
"""A label and the confidence of the translation."""


def translated(folder: Path) -> list[Labelled]:
    """Translate the labelled sentences; return their labels and confidences in the order of the labels."""
    with LABELS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    by_file = defaultdict[str, list[int]](list)
    for n, row in enumerate(rows):
        by_file[row["file"]].append(n)
    results: list[Labelled] = [("", 0.0)] * len(rows)
    with tempfile.TemporaryDirectory() as models:
        for name, places in by_file.items():
            lines = gzip.decompress((folder / f"{name}.tsv.gz").read_bytes()).decode().split("\n")
            pivot, _, language = name.partition(".")[2].partition("-")
            engine = load_engine(
                Translation(model=MODEL), pivot, language, models_folder=Path(models)
            )
            outputs = engine.translate(
                [lines[int(rows[n]["line"]) - 1].partition("\t")[0] for n in places]
            )
            for n, output in zip(places, outputs, strict=True):
                results[n] = rows[n]["label"], output.confidence or 0.0
    return results


def of(labelled: Sequence[Labelled], *labels: str) -> list[float]:
    """Return the confidences of translations with one of these labels."""
    return [confidence for label, confidence in labelled if label in labels]


def auc(better: Sequence[float], worse: Sequence[float]) -> float:
    """Return the share of pairs of a better and a worse translation in which the better one has more confidence."""
    return float(roc_auc_score([1] * len(better) + [0] * len(worse), [*better, *worse]))


def below(labelled: Sequence[Labelled], minimum: float) -> str:
    """Return how many confidences are below a minimum, by label, as cells of a table: `3 of 18 | ...`."""
    groups = (of(labelled, label) for label in ("good", "marginal", "spoilt"))
    return " | ".join(
        f"{sum(confidence < minimum for confidence in group)} of {len(group)}" for group in groups
    )


def main(folder: Path) -> None:
    """Print AUC and rejected translations on each half."""
    labelled = translated(folder)
    halves = {"even": labelled[1::2], "odd": labelled[::2]}  # lines are counted from 1
    labelled = [row for row in labelled if row[0] != "trained"]
    good = of(halves["even"], "good")
    chosen = max(
        tenth
        for tenth in TENTHS
        if sum(confidence < tenth for confidence in good) <= 0.05 * len(good)
    )
    print(f"minimum confidence by the even lines: {chosen}\n")
    print(
        "| lines | AUC, good : spoilt | good : marginal and spoilt | rejected: good | marginal | spoilt |"
    )
    print("|---|---|---|---|---|---|")
    for name, half in halves.items():
        good, spoilt, rest = of(half, "good"), of(half, "spoilt"), of(half, "marginal", "spoilt")
        print(
            f"| {name} | {auc(good, spoilt):.3f} | {auc(good, rest):.3f} | {below(half, chosen)} |"
        )
    print("\nRejected of all labelled translations:\n")
    print("| minimum confidence | good | marginal | spoilt |\n|---|---|---|---|")
    for minimum in MINIMA:
        print(f"| {minimum} | {below(labelled, minimum)} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
