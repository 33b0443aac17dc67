"""SentEval's pair tasks with frozen sentence vectors: SICK-E, SICK-R and MRPC (Discovery, Table 6).

usage: python benchmarks/transfer_pairs.py FOLDER [ENCODER]

FOLDER has the tasks' files as they were published; a task without its files is left out:

    SICK_train.txt SICK_trial.txt SICK_test_annotated.txt    SICK-E and SICK-R
    msr_paraphrase_train.txt msr_paraphrase_test.txt         MRPC
    pool.tsv.gz                                              rows `premise hypothesis label sick`: SICK-E, three folds

ENCODER is a folder of sentence-transformers, such as `model` of a trained classifier; by default all-MiniLM-L6-v2.
The features of a pair are |u - v| and u * v. Classes are predicted by a logistic regression, C among 2^-2 .. 2^3 by a
tenth of the training part; relatedness by a ridge regression, where SentEval learns a distribution over five classes.
Prints accuracy, or for SICK-R Pearson's correlation, in percent.
"""

import argparse
import csv
import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from scipy import stats
from sentence_transformers import SentenceTransformer
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import cross_val_score
from transfer import choice, division, load, regression, vectors_of

FOLDS = 3
_SICK = ("sentence_A", "sentence_B", "entailment_judgment")
_RELATED = ("sentence_A", "sentence_B", "relatedness_score")
_MRPC = ("#1 String", "#2 String", "Quality")
DIVIDED = {
    "SICK-E": (_SICK, ("SICK_train.txt", "SICK_trial.txt"), "SICK_test_annotated.txt"),
    "SICK-R": (_RELATED, ("SICK_train.txt", "SICK_trial.txt"), "SICK_test_annotated.txt"),
    "MRPC": (_MRPC, ("msr_paraphrase_train.txt",), "msr_paraphrase_test.txt"),
}
"""Tasks: the columns of the texts and the label, the files to learn from, the file of the test."""
POOL = "pool.tsv.gz"
Row = tuple[str, str, str]


def read(path: Path, columns: tuple[str, str, str]) -> list[Row]:
    """Return the texts and the label of each row of a table with a header."""
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8-sig", newline="") as lines:
        table = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        one, two, label = columns
        return [(row[one], row[two], row[label]) for row in table]


def pool(path: Path) -> list[Row]:
    """Return the rows of SICK in a pool of entailment pairs, the first direction of each pair."""
    found: dict[frozenset[str], Row] = {}
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["source"] == "sick":
                # The features do not know the direction: both in two folds would give the answer away.
                texts = (row["premise"], row["hypothesis"])
                found.setdefault(frozenset(texts), (*texts, row["label"]))
    return list(found.values())


class Encoded:
    """The vectors of texts."""

    def __init__(self, encoder: SentenceTransformer, rows: Sequence[Row]) -> None:
        self._vectors = vectors_of(encoder, (text for row in rows for text in row[:2]))

    def features(self, rows: Sequence[Row]) -> np.ndarray:
        """Return the features of pairs, shape (pairs, 2 * units)."""
        found = []
        for one, two, _ in rows:
            u, v = self._vectors[one], self._vectors[two]
            found.append(np.concatenate([np.abs(u - v), u * v]))
        return np.array(found)


def scores(folder: Path, encoder: SentenceTransformer) -> Iterator[tuple[str, int, float]]:
    """Yield each task with the number of its test rows and its score in percent."""
    for task, (columns, learned, tested) in DIVIDED.items():
        if not all((folder / name).is_file() for name in (*learned, tested)):
            continue
        train = [row for name in learned for row in read(folder / name, columns)]
        test = read(folder / tested, columns)
        encoded = Encoded(encoder, [*train, *test])
        yield task, len(test), _score(encoded, train, test, is_class=task != "SICK-R")
    if (folder / POOL).is_file():
        rows = pool(folder / POOL)
        labels = [label for _, _, label in rows]
        features = Encoded(encoder, rows).features(rows)
        found = cross_val_score(regression(choice(FOLDS)), features, labels, cv=division(FOLDS))
        yield f"SICK-E of {POOL}", len(rows), 100 * float(found.mean())


def _score(encoded: Encoded, train: Sequence[Row], test: Sequence[Row], *, is_class: bool) -> float:
    labels, answers = ([label for _, _, label in rows] for rows in (train, test))
    learned, tested = encoded.features(train), encoded.features(test)
    if is_class:
        return 100 * float(regression(choice(FOLDS)).fit(learned, labels).score(tested, answers))
    model = RidgeCV(np.logspace(-2, 3, 6)).fit(learned, np.array(labels, dtype=float))
    correlation = stats.pearsonr(model.predict(tested), np.array(answers, dtype=float))
    return 100 * float(correlation.statistic)


def main() -> None:
    """Print the score of each task."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("encoder", nargs="?")
    arguments = parser.parse_args()
    encoder = load(arguments.encoder)
    for task, rows, score in scores(arguments.folder, encoder):
        print(task, rows, round(score, 1), flush=True)


if __name__ == "__main__":
    main()
