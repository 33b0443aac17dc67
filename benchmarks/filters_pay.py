"""Do the filters pay? Splitters trained on links that the filters keep, on all links, and on rejected ones alone.

usage: python benchmarks/filters_pay.py judge EVAL JOBS [--part 0 --parts 1]
       python benchmarks/filters_pay.py jobs EVAL JOBS [--updates 1200]
       python benchmarks/trainings.py JOBS RESULTS [--device cuda]
       python benchmarks/filters_pay.py report RESULTS

EVAL is as for `eval_pairs`. `judge` writes the verdicts of the preset `strict` on all natural links: three systems of
wmt_natural_visible.tsv, and the links of wmt_multiway_visible.tsv.gz that are not in it; several parts can run beside
each other. `jobs` writes the rows of the three kinds, as many of each as the smallest has (at most 2,000), and the
trainings, from the quickstart's translation model. A fifth of the links of
the first file, by year and line, is for the test, in one system's translation, together with HSplit. No row is for
validation: the weights are those after the last update. `report` prints means, deviations, Welch's t-test, and the
number of seeds at which the difference that was seen would be significant with a power of 80 %.
"""

import argparse
import json
import math
import statistics
from collections.abc import Sequence
from pathlib import Path
from statistics import NormalDist

from eval_pairs import NATURAL, natural_pair, rows
from filters_by_training import SYSTEMS, Row, divided, drawn, held_out, judged
from train_splitter import hsplit
from trainings import Job, Result, add_jobs, results
from unseen_pairs import natural as multiway_links

from bitext_pivot.core.records import Pair
from bitext_pivot.core.tables import markdown_table

LARGEST = 2_000
SEEDS = range(5)
KINDS = ("kept", "before filtering", "rejected")
NETWORKS: dict[str, Row] = {
    "generate": {
        "model": {"kind": "generate", "start": "{quickstart}/models/marian-frdees-en"},
        "training": {"learning_rate": 3e-4},
        "decoding": {"beams": 1},
    },
}
METRICS = ("SARI", "SARI add", "SARI keep", "SARI delete", "%new")
_POWER = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)
"""Deviations of a mean difference that is significant at 5 % in 80 % of the experiments."""


def links(folder: Path) -> list[Pair]:
    """Return the natural links of both files as pairs."""
    pairs = []
    for row in rows(folder / NATURAL):
        for system in SYSTEMS:
            name = f"{row['year']}:{row['line']} {row['lang']} {system}"
            pair = natural_pair(row, name, system)
            if pair is not None:
                pairs.append(pair)
    pairs += [source.pair for _, source in multiway_links(folder)]
    return pairs


def judge(folder: Path, jobs: Path, part: int, parts: int) -> None:
    """Write the links of one part with their verdicts, unless that is done."""
    path = jobs / f"judged-{part}-of-{parts}.jsonl"
    if path.exists():
        return
    chosen = judged(links(folder)[part::parts])
    partial = path.with_suffix(".partial")
    partial.write_text("".join(f"{json.dumps(row)}\n" for row in chosen), encoding="utf-8")
    partial.rename(path)


def kinds(jobs: Path) -> tuple[dict[str, list[Row]], list[Row]]:
    """Return the rows to train on by kind, as many of each, and the links to test on."""
    pairs = []
    for path in sorted(jobs.glob("judged-*.jsonl")):
        pairs += [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    natural = [row for row in pairs if " " in row["id"]]
    learned, tested = divided(natural)
    learned += [row for row in pairs if " " not in row["id"]]
    pools = {
        "kept": drawn(row for row in learned if not row["rejected_by"]),
        "before filtering": drawn(learned),
        "rejected": drawn(row for row in learned if row["rejected_by"]),
    }
    print({name: len(pool) for name, pool in pools.items()}, "links")
    size = min(LARGEST, *(len(pool) for pool in pools.values()))
    unseen = [row for row in tested if row["id"].endswith(SYSTEMS[0])]
    return {name: pool[:size] for name, pool in pools.items()}, unseen


def write_jobs(folder: Path, jobs: Path, updates: int) -> None:
    """Write rows, test sets and trainings; the first three seeds of all come before the others."""
    chosen, unseen = kinds(jobs)
    tests = [hsplit(folder), held_out("natural", jobs, unseen)]
    for test in tests:
        test["source"] = Path(test["source"]).name
        test["references"] = [Path(path).name for path in test["references"]]
    for name in [hsplit(folder)["source"], *hsplit(folder)["references"]]:
        (jobs / Path(name).name).write_bytes(Path(name).read_bytes())
    for kind, pool in chosen.items():
        lines = "".join(f"{json.dumps(row)}\n" for row in pool)
        (jobs / f"{kind.replace(' ', '-')}.jsonl").write_text(lines, encoding="utf-8")
    found = []
    for seeds in (SEEDS[:3], SEEDS[3:]):
        for network, settings in NETWORKS.items():
            for seed in seeds:
                for kind in KINDS:
                    form = settings | {"tests": tests}
                    form["training"] = settings["training"] | {"max_steps": updates}
                    found.append(_job(network, form, kind, seed))
    add_jobs(jobs, "filters", found)


def _job(network: str, settings: Row, kind: str, seed: int) -> Job:
    name = kind.replace(" ", "-")
    form = {
        **settings,
        "task": "split",
        "data": [f"{name}.jsonl"],
        "training": {"batch": 16, "longest": 96, "seeds": [seed], **settings["training"]},
        "scoring": {"samples": 2},
    }
    return Job(name=f"filters.{network}.{name}.{seed}", settings=form, seconds=200)


def values(found: Sequence[Result], network: str, kind: str, test: str, metric: str) -> list[float]:
    """Return a metric of one network and kind on a test set, by seed."""
    start = f"filters.{network}.{kind.replace(' ', '-')}."
    chosen = sorted((result for result in found if result.name.startswith(start)), key=_seed)
    return [result.system(test)[metric] for result in chosen]


def _seed(result: Result) -> int:
    return int(result.name.rpartition(".")[2])


def seeds_needed(one: Sequence[float], two: Sequence[float]) -> float:
    """Return how many seeds of each kind show the difference of two means at 5 % with a power of 80 %."""
    difference = statistics.mean(one) - statistics.mean(two)
    variance = (statistics.variance(one) + statistics.variance(two)) / 2
    return 2 * variance * (_POWER / difference) ** 2 if difference else math.inf


def smallest_seen(one: Sequence[float], two: Sequence[float]) -> float:
    """Return the difference of means that so many seeds show at 5 % with a power of 80 %."""
    variance = statistics.variance(one) / len(one) + statistics.variance(two) / len(two)
    return _POWER * math.sqrt(variance)


def report(folder: Path) -> None:
    """Print a table for each network and test set, and the tests of the differences."""
    found = results(folder, "filters")
    for network in NETWORKS:
        for test in ("hsplit", "natural"):
            print(f"\n{network}, {test}\n")
            print(markdown_table(("trained on", "seeds", *METRICS), _rows(found, network, test)))
            for other in KINDS[1:]:
                print(_difference(found, network, test, other))


def _rows(found: Sequence[Result], network: str, test: str) -> list[tuple[str, ...]]:
    lines = []
    for kind in KINDS:
        cells = []
        numbers: list[float] = []
        for metric in METRICS:
            numbers = values(found, network, kind, test, metric)
            if len(numbers) > 1:
                cells.append(f"{statistics.mean(numbers):.1f} ± {statistics.stdev(numbers):.1f}")
        lines.append((kind, str(len(numbers)), *cells))
    return [line for line in lines if len(line) > 2]


def _difference(found: Sequence[Result], network: str, test: str, other: str) -> str:
    from scipy import stats

    one = values(found, network, "kept", test, "SARI")
    two = values(found, network, other, test, "SARI")
    if min(len(one), len(two)) < 2:
        return f"kept / {other}: not enough seeds"
    welch = stats.ttest_ind(one, two, equal_var=False)
    difference = statistics.mean(one) - statistics.mean(two)
    needed = max(seeds_needed(one, two), 2)
    return (
        f"kept / {other}: SARI {difference:+.2f}, p {welch.pvalue:.3f} (Welch); {len(one)} seeds show "
        f"{smallest_seen(one, two):.2f}, this difference needs {needed:.0f}"
    )


def main() -> None:
    """Judge, write the trainings, or print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("step", choices=("judge", "jobs", "report"))
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--part", type=int, default=0)
    parser.add_argument("--parts", type=int, default=1)
    parser.add_argument("--updates", type=int, default=1200)
    arguments = parser.parse_args()
    if arguments.step == "judge":
        folder, jobs = arguments.folders
        judge(folder, jobs, arguments.part, arguments.parts)
    elif arguments.step == "jobs":
        folder, jobs = arguments.folders
        write_jobs(folder, jobs, arguments.updates)
    else:
        report(*arguments.folders)


if __name__ == "__main__":
    main()
