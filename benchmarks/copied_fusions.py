"""DiscoFuse's Tables 6 and 7 for what takes no training: the two sentences unchanged.

usage: python benchmarks/copied_fusions.py DATASET [--kind balanced]

DATASET is a folder that `bitext-pivot unfuse` wrote, such as data/discofuse-en/latest. Prints exact matches and SARI
(the paper's variant) of its test set, of all rows and of each phenomenon. A trained model's card has the same.
"""

import argparse
from collections import Counter

from bitext_pivot.core.tables import markdown_table
from bitext_pivot.corpus import reading
from bitext_pivot.research.metrics.evaluation_settings import Scoring
from bitext_pivot.research.models import data
from bitext_pivot.research.models.evaluation import SOURCE, own, scores

PAPER = ("the paper, copy, sampled Wikipedia", "", "2.1", "39.6")


def table(dataset: str, kind: str) -> list[tuple[str, int | str, str, str]]:
    """Return rows, exact matches and SARI, of all and by phenomenon."""
    found = reading.rows(dataset, kind=kind, subset="test")
    tested = own("test", list(data.examples(found, "fuse", Counter())))
    results = scores("fuse", tested, {}, Scoring(sari="discofuse", samples=2))
    numbers = results["systems"][SOURCE]
    exact, sari = results["groups"][SOURCE], results["group_sari"][SOURCE]
    rows = Counter(example.group for example in tested.examples)
    groups = [
        (name, rows[name], f"{exact[name]:.1f}", f"{sari[name]:.1f}")
        for name, _ in rows.most_common()
    ]
    return [
        ("all", len(tested.examples), f"{numbers['exact']:.1f}", f"{numbers['SARI']:.1f}"),
        *groups,
    ]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dataset")
    parser.add_argument("--kind", choices=("pairs", "balanced"), default="balanced")
    arguments = parser.parse_args()
    print(
        markdown_table(
            ("", "rows", "exact", "SARI"), [PAPER, *table(arguments.dataset, arguments.kind)]
        )
    )


if __name__ == "__main__":
    main()
