"""Discovery's Table 3: what the words alone give away of the markers in a mined data set.

usage: python benchmarks/predictability.py DATASET [--model ngrams]

DATASET is a folder that `bitext-pivot mine` wrote, such as data/discovery-en/latest; all drawn pairs of its markers are
read, also those that no variant has. Prints the accuracy of the most
frequent marker, and of a model that reads the second sentence, both, or the first beside the second sentence of another
pair of the marker, in percent; each document is predicted by a model that has not seen it.
"""

import argparse

from bitext_pivot.core.tables import markdown_table
from bitext_pivot.corpus import reading
from bitext_pivot.discourse.mining.learners import Row
from bitext_pivot.discourse.mining.predictability import Control, controls

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
