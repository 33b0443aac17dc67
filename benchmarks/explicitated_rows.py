"""Shi et al. (2019), Table 1: explicitated rows added to implicit relations, against these relations alone.

usage: python benchmarks/explicitated_rows.py EVAL JOBS
       python benchmarks/trainings.py JOBS RESULTS [--device cuda]
       python benchmarks/explicitated_rows.py RESULTS

EVAL has `wmt_multiway_visible.tsv.gz` and `models/gdtb/gum_dev.rels.gz`. The rows are the neighbours in the first file
whose back-translations from French, German, Spanish and Czech by either system have a connective (`explicitate`,
profile faithful), with the sense that at least one, two or three languages agree on; Contrast and Concession are one
class in both. GUM's documents are divided into five parts; each of ten seeds trains on four and is tested on the
fifth, so that each part is tested twice. Prints means and deviations over the seeds and a paired t-test of the
differences, and the settings of the LSTM that were tried with the relations alone.
"""

import argparse
import json
import statistics
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from eval_pairs import MULTIWAY, rows
from explicitation import LANGUAGES, pairs
from trainings import Job, Result, add_jobs, results

from bitext_pivot.core.sampling import rank
from bitext_pivot.core.tables import markdown_table
from bitext_pivot.discourse.explicitation.votes import Explicitation, vote
from bitext_pivot.research.models import published_files
from bitext_pivot.research.models.data import Example, for_validation

Row = dict[str, Any]
PARTS = 5
SEEDS = range(10)
GUM = "gum"
ADDED = (GUM, "1-vote", "2-votes", "3-votes")
VALIDATED = "one in 50 rows for validation"
LSTM: Row = {
    "model": {"start": "lstm", "hidden": 64},
    "training": {"epochs": 8, "learning_rate": 1e-3},
}
MODELS: dict[str, Row] = {
    "lstm": LSTM,
    "encoder": {"training": {"epochs": 6, "learning_rate": 1e-4}},
}
_BEFORE: Row = {"model": {"start": "lstm"}, "training": {"epochs": 15, "learning_rate": 2e-3}}
_UNITS = {"start": "lstm", "hidden": 64}
TRIED: dict[str, tuple[str, Row]] = {
    "before": (VALIDATED, _BEFORE),
    "before-all-rows": ("no validation", _BEFORE),
    "short": ("3 epochs", LSTM | {"training": {"epochs": 3, "learning_rate": 1e-3}}),
    "long": ("20 epochs", LSTM | {"training": {"epochs": 20, "learning_rate": 1e-3}}),
    "large": ("256 units", LSTM | {"model": {"start": "lstm"}}),
    "random-vectors": ("random vectors", LSTM | {"model": _UNITS | {"vectors": "random"}}),
    "infersent": ("max pooling, products", LSTM | {"model": _UNITS | {"features": "infersent"}}),
}
"""Settings of the LSTM by name, with what differs from `LSTM`; `before` are those of `relations.py`."""
_EQUAL = 1e-9
_CONTRAST = {"Comparison.Concession": "Comparison.Contrast"}


def relations(path: Path) -> list[Row]:
    """Return the implicit relations of a file, senses as `explicitate` writes them."""
    found = []
    for row in published_files.rows(path, "relations", Counter()):
        kind, _, name = row["sense"].partition(".")
        sense = f"{kind.capitalize()}.{name.capitalize()}"
        found.append({**row, "sense": _CONTRAST.get(sense, sense)})
    return found


def parts(found: Sequence[Row]) -> dict[str, int]:
    """Return the part of each document, as many documents in each."""
    documents = sorted({row["document"] for row in found}, key=rank)
    return {document: number % PARTS for number, document in enumerate(documents)}


def explicitated(table: Sequence[dict[str, str]], votes: int) -> list[Row]:
    """Return the neighbours with a sense that so many languages agree on in either system's translations."""
    settings = Explicitation(profile="faithful")
    found: dict[tuple[str, str], Row] = {}
    for row, next_row in _neighbours(table):
        first, second = row["en"], next_row["en"]
        texts = {language: next_row[f"bt_{language}"] for language in LANGUAGES}
        readings = settings.absence(first, second) or settings.readings(second, texts)
        sense = None if isinstance(readings, str) else vote(readings, votes)
        if sense:
            found.setdefault((first, second), {"first": first, "second": second, "sense": sense})
    return list(found.values())


def _neighbours(
    table: Sequence[dict[str, str]],
) -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    for system in sorted({row["system"] for row in table}):
        chosen = [row for row in table if row["system"] == system]
        for half in (0, 1):
            yield from pairs(chosen, half)


def numbered(found: Sequence[Row], name: str, *, is_validated: bool) -> list[Row]:
    """Return rows with ids; unless some are for validation, none has an id that is drawn for it."""
    named = []
    for number, row in enumerate(found):
        id = f"{name}:{number}"
        while not is_validated and for_validation(Example(id=id, source="", licence="")):
            id += "+"
        named.append({**row, "id": id})
    return named


def _write(path: Path, found: Sequence[Row]) -> None:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in found), encoding="utf-8")


def write_jobs(folder: Path, jobs: Path) -> None:
    """Write rows, parts and trainings."""
    jobs.mkdir(parents=True, exist_ok=True)
    found = relations(folder / "models" / "gdtb" / "gum_dev.rels.gz")
    places = parts(found)
    for part in range(PARTS):
        learned = [row for row in found if places[row["document"]] != part]
        tested = [row for row in found if places[row["document"]] == part]
        _write(jobs / f"gum-test-{part}.jsonl", numbered(tested, f"test-{part}", is_validated=True))
        for is_validated, name in ((False, GUM), (True, f"{GUM}-validated")):
            lines = numbered(learned, f"gum-{part}", is_validated=is_validated)
            _write(jobs / f"{name}-{part}.jsonl", lines)
    table = rows(folder / MULTIWAY)
    for votes, name in enumerate(ADDED[1:], 1):
        lines = numbered(explicitated(table, votes), name, is_validated=False)
        print(f"{name}: {len(lines)} rows, {dict(Counter(row['sense'] for row in lines))}")
        _write(jobs / f"{name}.jsonl", lines)
    listed = []
    for seed in SEEDS:
        for model, settings in MODELS.items():
            for added in ADDED:
                more = [] if added == GUM else [f"{added}.jsonl"]
                form = settings | {"more": more}
                listed.append(job(f"relations.{model}.{added}", form, seed))
        for name, (note, settings) in TRIED.items():
            data = f"{GUM}-validated" if note == VALIDATED else GUM
            form = settings | {"data": [f"{data}-{seed % PARTS}.jsonl"]}
            listed.append(replace(job(f"relations.tried.{name}", form, seed), tier=2))
    add_jobs(jobs, "relations", listed)


def job(name: str, settings: Row, seed: int) -> Job:
    """Return the training of a seed, tested on its part of GUM."""
    part = seed % PARTS
    form = {
        "task": "relations",
        "data": [f"{GUM}-{part}.jsonl"],
        "licence": "CC-BY-4.0",
        "tests": [{"name": "gdtb", "source": f"gum-test-{part}.jsonl"}],
        **settings,
        "training": {"batch": 16, "seeds": [seed], **settings["training"]},
    }
    is_small = "lstm" in name or "tried" in name
    device = "cpu" if is_small else ""
    return Job(name=f"{name}.{seed}", settings=form, seconds=60, group=name, device=device)


def by_seed(found: Sequence[Result], start: str, metric: str) -> dict[int, float]:
    """Return a metric of the trainings of a name by seed."""
    chosen = {}
    for result in found:
        name, _, seed = result.name.rpartition(".")
        if name == start:
            chosen[int(seed)] = result.system("gdtb")[metric]
    return chosen


def majority(found: Sequence[Result], metric: str) -> dict[int, float]:
    """Return a metric of the most frequent class by seed."""
    return {
        int(result.name.rpartition(".")[2]): result.system("gdtb", "most frequent class")[metric]
        for result in found
    }


def line(name: str, found: Sequence[Result], start: str, base: dict[int, float]) -> list[str]:
    """Return the cells of a row: seeds, accuracy and macro F1, and the difference of accuracy to others."""
    accuracy, f1 = (by_seed(found, start, metric) for metric in ("accuracy", "macro F1"))
    cells = [name, str(len(accuracy)), spread(list(accuracy.values())), spread(list(f1.values()))]
    return [*cells, paired(accuracy, base)]


def spread(values: Sequence[float]) -> str:
    """Return mean and deviation."""
    if len(values) < 2:
        return ""
    return f"{statistics.mean(values):.1f} ± {statistics.stdev(values):.1f}"


def paired(one: dict[int, float], two: dict[int, float]) -> str:
    """Return the mean difference of the seeds that both have, and p of a paired t-test."""
    from scipy import stats

    differences = [one[seed] - two[seed] for seed in sorted({*one} & {*two})]
    if len(differences) < 2 or not any(differences):
        return ""
    mean = f"{statistics.mean(differences):+.1f}"
    if statistics.stdev(differences) < _EQUAL:
        return f"{mean} with each seed"
    return f"{mean} (p {stats.ttest_1samp(differences, 0).pvalue:.3f})"


def report(folder: Path) -> None:
    """Print the tables."""
    found = results(folder, "relations")
    heads = ("", "seeds", "accuracy", "macro F1")
    least = majority(found, "accuracy")
    for model in MODELS:
        base = by_seed(found, f"relations.{model}.{GUM}", "accuracy")
        lines = [["most frequent class", str(len(least)), spread(list(least.values())), "", ""]]
        for added in ADDED:
            name = "GUM alone" if added == GUM else f"GUM and {added}"
            lines.append(line(name, found, f"relations.{model}.{added}", base))
        print(f"\n{model}\n\n{markdown_table((*heads, 'to GUM alone'), lines)}")
        print(f"{model} to the most frequent class: {paired(base, least)}")
    tried = []
    for name, (note, _) in TRIED.items():
        tried.append(line(f"{name}: {note}", found, f"relations.tried.{name}", least))
    print(f"\nLSTM, GUM alone\n\n{markdown_table((*heads, 'to the most frequent class'), tried)}")


def main() -> None:
    """Write the trainings, or print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=Path)
    arguments = parser.parse_args()
    if len(arguments.folders) == 1:
        report(arguments.folders[0])
    elif len(arguments.folders) == 2:
        write_jobs(*arguments.folders)
    else:
        sys.exit("Give EVAL and JOBS, or RESULTS.")


if __name__ == "__main__":
    main()
