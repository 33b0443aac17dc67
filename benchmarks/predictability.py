"""Discovery's Table 3: what the words alone give away of the markers in a mined data set.

usage: python benchmarks/predictability.py DATASET [--model ngrams]

DATASET is a folder that `bitext-pivot mine` wrote, such as data/discovery-en/latest; all drawn pairs of its markers are
read, also those that no variant has. Prints the accuracy of the most
frequent marker, and of a model that reads the second sentence, both, or the first beside the second sentence of another
pair of the marker, in percent; each document is predicted by a model that has not seen it.
"""

import argparse
from collections.abc import Sequence

from bitext_pivot.core.sampling import rank
from bitext_pivot.core.tables import markdown_table
from bitext_pivot.corpus import reading
from bitext_pivot.discourse.mining.learners import Row
from bitext_pivot.discourse.mining.predictability import Control, predict

PAPER = {
    "most frequent marker": 1.2,
    "second sentence": 18.6,
    "both sentences": 21.9,
    "both, shuffled": 24.8,
}
COLUMNS = ("id", "corpus", "document", "first", "second", "marker")
IN_NO_VARIANT = "in no variant"


def rows(dataset: str) -> list[Row]:
    """Return the drawn pairs: those of all variants with their own second sentence, and those that no variant has."""
    found = {}
    for kind in ("base", "hard", "big", "10", "adv"):
        found.update({row["id"]: row for row in reading.rows(dataset, kind=kind, columns=COLUMNS)})
    for row in reading.rows(dataset, kind="rejected", columns=(*COLUMNS, "rejected_by")):
        if row["rejected_by"] == IN_NO_VARIANT:
            found[row["id"]] = row
    pairs = sorted(found.values(), key=lambda row: str(row["id"]))
    return [
        (f"{row['corpus']}/{row['document']}", row["first"], row["second"], row["marker"])
        for row in pairs
    ]


def shuffled(rows: Sequence[Row], settings: Control) -> list[Row]:
    """Return the rows, each with the second sentence of another row of its marker and fold; alone it keeps its own.

    A sentence stays in its fold, or the model would be trained on sentences that it is asked about.
    """
    groups: dict[tuple[str, int], list[int]] = {}
    for number, (document, *_, marker) in enumerate(rows):
        groups.setdefault((marker, rank(document, settings.seed) % settings.folds), []).append(
            number
        )
    lenders: dict[int, int] = {}
    for numbers in groups.values():
        numbers.sort(key=lambda number: rank(f"{rows[number][2]}/{number}", settings.seed))
        lenders.update(zip(numbers, [*numbers[1:], numbers[0]], strict=True))
    return [(row[0], row[1], rows[lenders[number]][2], row[3]) for number, row in enumerate(rows)]


def controls(rows: Sequence[Row], settings: Control) -> dict[str, float]:
    """Return the accuracies of the paper's Table 3: what the words alone give away of the markers of some rows."""
    second = settings.model_copy(update={"features": "second"})
    both = settings.model_copy(update={"features": "both"})
    mixed = shuffled(rows, settings)
    alone = predict(lambda: iter(rows), second)
    return {
        "most frequent marker": alone.majority,
        "second sentence": alone.accuracy(),
        "both sentences": predict(lambda: iter(rows), both).accuracy(),
        "both, shuffled": predict(lambda: iter(mixed), both).accuracy(),
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dataset")
    parser.add_argument("--model", choices=("ngrams", "fasttext"), default="ngrams")
    arguments = parser.parse_args()
    pairs = rows(arguments.dataset)
    found = controls(pairs, Control(model=arguments.model))
    print(f"{len(pairs)} pairs with {len({marker for *_, marker in pairs})} markers")
    table = [(name, PAPER[name], f"{100 * share:.1f}") for name, share in found.items()]
    print(markdown_table(("control", "the paper", "here"), table))


if __name__ == "__main__":
    main()
