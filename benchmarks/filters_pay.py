"""Do the filters pay? Splitters trained on links that the filters keep, on all links, and on rejected ones alone.

usage: python benchmarks/filters_pay.py judge EVAL JOBS
       python benchmarks/filters_pay.py jobs EVAL JOBS
       python benchmarks/trainings.py JOBS RESULTS [--device cuda]
       python benchmarks/filters_pay.py report RESULTS

EVAL is as for `eval_pairs`. `judge` writes the verdicts of the preset `strict` on all natural links: three systems of
wmt_natural_visible.tsv, and the links of wmt_multiway_visible.tsv.gz that are not in it. `jobs` writes the rows of the
three kinds, as many of each as the smallest has (at most 2,000), the best third of the kept ones by `trust` and as
many drawn from them (in as many updates each is read three times as often), and the trainings, which start from the
quickstart's translation model. A fifth of the links of the first file, by year and line, is for the test, in one
system's translation, together with HSplit. No row is for validation: the weights are those after the last update.
`report` prints means, deviations, Welch's t-test, and the number of seeds at which the difference that was seen would
be significant with a power of 80 %.
"""

import argparse
import json
import math
import shutil
import statistics
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import NormalDist

from eval_pairs import NATURAL, natural_pair, rows
from trainings import Job, Result, Row, results
from trainings import write_jobs as write_list
from unseen_pairs import natural as multiway_links

from bitext_pivot.commands.judge_file import judge_lines
from bitext_pivot.core.reading.pair_files import PairLine
from bitext_pivot.core.reading.row_files import SEPARATOR
from bitext_pivot.core.records import Pair
from bitext_pivot.core.sampling import rank
from bitext_pivot.core.site import Site
from bitext_pivot.core.tables import markdown_table
from bitext_pivot.corpus.trust import PairRanking, RankingInput
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.chain import Filters
from bitext_pivot.research.models import data
from bitext_pivot.research.models.data import TrainingExample
from bitext_pivot.syntax.parsing import Parser, load_pipeline

PARSER = str(Path(__file__).parents[1] / "quickstart/models/spacy-en-ud")
SYSTEMS = ("google", "microsoft", "bergamot_tiny")
TESTED = 5
"""One natural link of so many is for the test."""
LARGEST = 2_000
SEEDS = range(5)
KINDS = ("kept", "before filtering", "rejected", "best third", "random third")
SETTINGS: Row = {
    "task": "split",
    "model": {"kind": "generate", "start": "{quickstart}/models/marian-frdees-en"},
    "decoding": {"beams": 1},
    "scoring": {"samples": 2},
}
TRAINING = {"learning_rate": 3e-4, "batch": 16, "longest": 96, "max_steps": 1_200}
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
    return [*pairs, *multiway_links(folder)]


def judge(folder: Path, jobs: Path) -> None:
    """Write the links with their verdicts."""
    lines = [PairLine(number=n, pair=pair, problem=None) for n, pair in enumerate(links(folder), 1)]
    pipeline = load_pipeline(Parser(pipeline=PARSER), "en")
    runtime = Runtime.of(Site())
    judged = judge_lines(lines, filters=Filters(), pipeline=pipeline, runtime=runtime)
    jobs.mkdir(parents=True, exist_ok=True)
    _write_rows(jobs / "judged.jsonl", [row for row in judged if "long" in row])


def _write_rows(path: Path, rows: Iterable[Row]) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")


def kinds(jobs: Path) -> tuple[dict[str, list[Row]], list[Row]]:
    """Return the rows to train on by kind, as many of each, and the links to test on."""
    lines = (jobs / "judged.jsonl").read_text(encoding="utf-8").splitlines()
    learned, tested = [], []
    for row in map(json.loads, lines):
        document, is_natural, _ = row["id"].partition(" ")
        if is_natural and rank(document) % TESTED == 0:
            tested.append(row)
        else:
            learned.append(row)
    pools = {
        "kept": drawn(row for row in learned if not row["rejected_by"]),
        "before filtering": drawn(learned),
        "rejected": drawn(row for row in learned if row["rejected_by"]),
    }
    print({name: len(pool) for name, pool in pools.items()}, "links")
    size = min(LARGEST, *map(len, pools.values()))
    unseen = [row for row in tested if row["id"].endswith(SYSTEMS[0])]
    chosen = {name: pool[:size] for name, pool in pools.items()}
    best = best_third(chosen["kept"])
    chosen["best third"], chosen["random third"] = best, chosen["kept"][: len(best)]
    return chosen, unseen


def best_third(kept: Sequence[Row]) -> list[Row]:
    """Return the third of the kept links of each system's translations that `trust` ranks highest."""
    ranking = PairRanking()
    for row in kept:
        system = row["id"].replace("/", " ").rpartition(" ")[2]
        ranking.add(RankingInput(system, row["scores"]))
    ranked = zip(kept, ranking.trust(1 / 3), strict=True)
    return [row for row, trust in ranked if trust.is_best]


def drawn(pool: Iterable[Row]) -> list[Row]:
    """Return rows by the hashes of their ids, without those that a training would take for validation."""
    chosen = [
        row
        for row in pool
        if not data.is_for_validation(TrainingExample(id=row["id"], source="", licence=""))
    ]
    return sorted(chosen, key=lambda row: rank(row["id"], 1))


def write_jobs(folder: Path, jobs: Path) -> None:
    """Write rows, test sets and trainings, seed by seed."""
    chosen, unseen = kinds(jobs)
    references = [f"HSplit{number}" for number in range(1, 5)]
    for name in ("turkcorpus_test.norm", *references):
        shutil.copyfile(folder / "models" / "hsplit" / name, jobs / name)
    longs = "".join(f"{row['long']}\n" for row in unseen)
    splits = "".join(f"{f' {SEPARATOR} '.join(row['split'])}\n" for row in unseen)
    (jobs / "natural.src").write_text(longs, encoding="utf-8")
    (jobs / "natural.dst").write_text(splits, encoding="utf-8")
    tests = [
        {"name": "hsplit", "source": "turkcorpus_test.norm", "references": references},
        {"name": "natural", "source": "natural.src", "references": ["natural.dst"]},
    ]
    for kind, pool in chosen.items():
        _write_rows(jobs / f"{_file_name(kind)}.jsonl", pool)
    listed = []
    for seed in SEEDS:
        for kind in KINDS:
            name = _file_name(kind)
            training = {**TRAINING, "seeds": [seed]}
            form = {**SETTINGS, "data": [f"{name}.jsonl"], "tests": tests, "training": training}
            listed.append(Job(name=f"filters.generate.{name}.{seed}", settings=form))
    write_list(jobs, listed)


def _file_name(kind: str) -> str:
    return kind.replace(" ", "-")


def values(found: Sequence[Result], kind: str, test: str, metric: str) -> list[float]:
    """Return a metric of one kind on a test set for each seed."""
    start = f"filters.generate.{_file_name(kind)}."
    return [result.scores(test)[metric] for result in found if result.name.startswith(start)]


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
    """Print a table for each test set, and the tests of the differences."""
    found = results(folder)
    for test in ("hsplit", "natural"):
        print(f"\n{test}\n")
        print(markdown_table(("trained on", "seeds", *METRICS), _rows(found, test)))
        for other in KINDS[1:]:
            print(_difference(found, test, other))


def _rows(found: Sequence[Result], test: str) -> list[tuple[str, ...]]:
    lines = []
    for kind in KINDS:
        numbers = {metric: values(found, kind, test, metric) for metric in METRICS}
        seeds = len(numbers["SARI"])
        if seeds > 1:
            cells = [
                f"{statistics.mean(n):.1f} ± {statistics.stdev(n):.1f}" for n in numbers.values()
            ]
            lines.append((kind, str(seeds), *cells))
    return lines


def _difference(found: Sequence[Result], test: str, other: str) -> str:
    from scipy import stats

    one = values(found, "kept", test, "SARI")
    two = values(found, other, test, "SARI")
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
    arguments = parser.parse_args()
    steps: dict[str, Callable[..., None]] = {"judge": judge, "jobs": write_jobs, "report": report}
    steps[arguments.step](*arguments.folders)


if __name__ == "__main__":
    main()
