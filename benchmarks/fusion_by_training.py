"""DiscoFuse, Tables 6, 7 and 9, and Figure 3: fusion models trained on a data set of `unfuse`.

usage: python benchmarks/fusion_by_training.py DATASET JOBS [--updates 1500]
       python benchmarks/trainings.py JOBS RESULTS [--device cuda]
       python benchmarks/fusion_by_training.py RESULTS

DATASET is a folder that `bitext-pivot unfuse` wrote; its `balanced` rows are used. Trained are a tagger from
all-MiniLM-L6-v2 and the quickstart's translation model as `generate`, three seeds each. Prints exact matches and SARI
(the paper's variant) of all test rows and of each phenomenon, and how many rows with a connective or a pronoun have it
added by the model, beside the source unchanged and the paper.
"""

import argparse
import statistics
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from trainings import Job, Result, add_jobs, results

from bitext_pivot.core.tables import markdown_table

Row = dict[str, Any]
SEEDS = range(3)
OWN, COPY = "test", "source unchanged"
NETWORKS: dict[str, Row] = {
    "tag": {"model": {"kind": "tag"}, "training": {"learning_rate": 2e-4}},
    "generate": {
        "model": {"kind": "generate", "start": "{quickstart}/models/marian-frdees-en"},
        "training": {"learning_rate": 3e-4},
        "decoding": {"beams": 1, "no_repeat": 0},
    },
}
PAPER = [
    ("the paper, seq2seq, sampled Wikipedia", "", "51.1", "84.5"),
    ("the paper, seq2seq, all of Wikipedia", "", "47.6", "83.1"),
    ("the paper, copy, sampled Wikipedia", "", "2.1", "39.6"),
]
PAPER_CONNECTIVES = {"and": 53.7, "but": 43.7, "because": 60.7, "however": 26.7}
FEWEST = 5
"""Rows of a phenomenon, connective or pronoun that is printed."""


def write_jobs(dataset: Path, jobs: Path, updates: int) -> None:
    """Write the trainings."""
    listed = []
    for network, settings in NETWORKS.items():
        for seed in SEEDS:
            training = {"batch": 32, "longest": 128, "max_steps": updates, "seeds": [seed]}
            form = {
                **settings,
                "task": "fuse",
                "data": [str(dataset.resolve())],
                "variant": "balanced",
                "training": training | settings["training"],
                "scoring": {"samples": 2, "sari": "discofuse"},
            }
            saved = "fusion" if network == "tag" and seed == 0 else ""
            name = f"fusion.{network}.{seed}"
            listed.append(Job(name=name, settings=form, seconds=200, saved=saved))
    add_jobs(jobs, "fusion", listed)


def spread(values: Sequence[float]) -> str:
    """Return mean and deviation."""
    deviation = f" ± {statistics.stdev(values):.1f}" if len(values) > 1 else ""
    return f"{statistics.mean(values):.1f}{deviation}"


def of(found: Sequence[Result], network: str) -> list[Row]:
    """Return what is known of the test of each seed of a network."""
    start = f"fusion.{network}."
    return [result.facts["tests"][OWN] for result in found if result.name.startswith(start)]


def matches(tests: Sequence[Row], system: str, sizes: Counter[str]) -> list[tuple[str, ...]]:
    """Return rows, exact matches and SARI of all and of each phenomenon."""
    numbers = [test["systems"][system] for test in tests]
    exact, sari = ([row[metric] for row in numbers] for metric in ("exact", "SARI"))
    lines: list[tuple[str, ...]] = [
        (f"all, {len(tests)} seeds", str(sizes.total()), spread(exact), spread(sari))
    ]
    for group, size in sizes.most_common():
        if size >= FEWEST:
            exact = [test["groups"][system][group] for test in tests]
            sari = [test["group_sari"][system][group] for test in tests]
            lines.append((group, str(size), spread(exact), spread(sari)))
    return lines


def added(tests: Sequence[Row], key: str) -> list[tuple[str, ...]]:
    """Return the share of rows whose connective or pronoun the model adds, in percent."""
    lines: list[tuple[str, ...]] = []
    for name, counts in tests[0][key]["trained"].items():
        if counts["rows"] >= FEWEST:
            shares = [100 * test[key]["trained"][name]["right"] / counts["rows"] for test in tests]
            paper = PAPER_CONNECTIVES.get(name, "") if key == "connectives" else ""
            lines.append((name, str(counts["rows"]), spread(shares), str(paper)))
    return lines


def report(folder: Path) -> None:
    """Print the tables."""
    found = results(folder, "fusion")
    if not found:
        sys.exit(f"{folder} has no result of a fusion model.")
    sizes = Counter(found[0].facts["groups"][OWN])
    heads = ("", "rows", "exact", "SARI")
    copies = [("copy, here", *line[1:]) for line in matches(of(found, "tag")[:1], COPY, sizes)[:1]]
    print(markdown_table(heads, [*PAPER, *copies]))
    for network in NETWORKS:
        tests = of(found, network)
        if tests:
            print(f"\n{network}\n\n{markdown_table(heads, matches(tests, 'trained', sizes))}\n")
            for key in ("connectives", "pronouns"):
                print(markdown_table((key, "rows", "right, %", "the paper"), added(tests, key)))


def main() -> None:
    """Write the trainings, or print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--updates", type=int, default=1500)
    arguments = parser.parse_args()
    if len(arguments.folders) == 1:
        report(arguments.folders[0])
    else:
        dataset, jobs = arguments.folders
        write_jobs(dataset, jobs, arguments.updates)


if __name__ == "__main__":
    main()
