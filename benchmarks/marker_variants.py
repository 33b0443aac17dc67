"""Discovery, Table 6: encoders trained on each variant of a mined data set; Table 8: implicit relations from markers.

usage: python benchmarks/marker_variants.py DATASET SENTEVAL EVAL JOBS [--updates 500]
       python benchmarks/trainings.py JOBS RESULTS [--device cuda]
       python benchmarks/marker_variants.py RESULTS

DATASET is a folder that `bitext-pivot mine` wrote, SENTEVAL has SentEval's files, EVAL is as for `explicitated_rows`.
Table 6: the paper's BiLSTM, three seeds of each variant, is measured on six text tasks (`transfer.py`, three folds).
Table 8: all-MiniLM-L6-v2 learns the markers of `big`, then GUM's implicit relations, in ten seeds as in
`explicitated_rows`; beside it all-MiniLM-L6-v2 that learned no markers. Prints means and deviations, and a paired
t-test of the differences.
"""

import argparse
import statistics
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import explicitated_rows as relations
from trainings import Job, Result, add_jobs, results

from bitext_pivot.core.tables import markdown_table

Row = dict[str, Any]
VARIANTS = ("base", "hard", "big", "10", "adv", "shuffled")
TASKS = ("MR", "CR", "SUBJ", "MPQA", "SST2", "TREC")
PAPER = ("the paper, Base", "", "", "82.5", "86.3", "94.2", "90.5", "85.2", "91.8")
SEEDS = range(3)
ENCODER = relations.MODELS["encoder"]


class Sources(NamedTuple):
    """The folders of data."""

    dataset: Path
    senteval: Path
    evaluation: Path


def write_jobs(sources: Sources, jobs: Path, updates: int) -> None:
    """Write the trainings."""
    dataset, senteval, folder = sources
    relations.write_jobs(folder, jobs)
    listed = []
    for seed in SEEDS:
        for variant in VARIANTS:
            form = markers(dataset, variant, seed, updates)
            form["model"] = {"start": "lstm"}
            form["training"]["learning_rate"] = 1e-3
            listed.append(
                Job(
                    name=f"markers.{variant}.{seed}",
                    settings=form,
                    seconds=280,
                    transfer=str(senteval.resolve()),
                    has_outputs=False,
                    tier=2,
                )
            )
    for seed in relations.SEEDS:
        group = f"implicit.{seed % 5}"
        form = markers(dataset, "big", seed, updates)
        saved = f"markers-{seed}"
        listed.append(
            Job(name=f"implicit.markers.{seed}", settings=form, saved=saved, group=group, tier=1,
                has_outputs=False)
        )  # fmt: skip
        start = {"model": {"start": f"{{scratch}}/{saved}/model"}}
        learned = relations.job("implicit.relations", ENCODER | start, seed)
        listed.append(replace(learned, group=group))
    add_jobs(jobs, "markers", listed)


def markers(dataset: Path, variant: str, seed: int, updates: int) -> Row:
    """Return the settings of a training on markers."""
    return {
        "task": "markers",
        "data": [str(dataset.resolve())],
        "variant": variant,
        "training": {"batch": 32, "longest": 64, "max_steps": updates, "seeds": [seed]},
    }


def cells(found: Sequence[Result], variant: str) -> list[str]:
    """Return the row of a variant: seeds, accuracy of the marker, accuracies of the tasks."""
    chosen = [result for result in found if result.name.startswith(f"markers.{variant}.")]
    if len(chosen) < 2:
        return []
    own = relations.spread([result.system("test")["accuracy"] for result in chosen])
    tasks = [relations.spread([row.facts["transfer"][task] for row in chosen]) for task in TASKS]
    return [variant, str(len(chosen)), own, *tasks]


def means(found: Sequence[Result], variant: str) -> dict[int, float]:
    """Return the mean accuracy of the tasks by seed."""
    chosen = {}
    for result in found:
        _, name, seed = result.name.split(".")
        if name == variant:
            chosen[int(seed)] = statistics.mean(result.facts["transfer"].values())
    return chosen


def report(folder: Path) -> None:
    """Print the tables."""
    found = results(folder, "markers")
    rows = [cells(found, variant) for variant in VARIANTS]
    print(markdown_table(("", "seeds", "marker", *TASKS), [PAPER, *filter(None, rows)]))
    base = means(found, "base")
    for variant in VARIANTS[1:]:
        print(f"mean of six, {variant} to base: {relations.paired(means(found, variant), base)}")
    implicit, alone = results(folder, "implicit"), results(folder, "relations")
    for metric in ("accuracy", "macro F1"):
        learned = relations.by_seed(implicit, "implicit.relations", metric)
        others = relations.by_seed(alone, "relations.encoder.gum", metric)
        if not learned or not others:
            print(f"\nGUM, {metric}: not trained yet")
            continue
        print(
            f"\nGUM, {metric}: markers first {relations.spread(list(learned.values()))}, relations alone "
            f"{relations.spread(list(others.values()))}, {relations.paired(learned, others)}"
        )


def main() -> None:
    """Write the trainings, or print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--updates", type=int, default=500)
    arguments = parser.parse_args()
    if len(arguments.folders) == 1:
        report(arguments.folders[0])
    else:
        dataset, senteval, folder, jobs = arguments.folders
        write_jobs(Sources(dataset, senteval, folder), jobs, arguments.updates)


if __name__ == "__main__":
    main()
