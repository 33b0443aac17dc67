"""Is the corpus any good? A small splitter trained on pairs of five kinds with one budget, and with each loss.

usage: python benchmarks/filters_by_training.py EVAL UNFUSED [--updates 240]
       python benchmarks/filters_by_training.py EVAL --ablate [--kind generate] [--updates 240]

EVAL is as for `eval_pairs` and `train_splitter`; UNFUSED is a data set of `unfuse`. The kinds: published pairs,
WikiSplit, `unfuse`, natural links whose pairs the filters keep, and pairs of the same links before filtering. Three
systems translated the links; a fifth of them, by year and line of the reference, is for the test, by one system. All
kinds have the loss `targets`, as many rows as the smallest one, and none for validation: the weights are those after
the last update. `--ablate` trains with each loss on four fifths of the published pairs and tests on the others by
category; `--kind generate`, which has the class head, starts from the quickstart's translation model. Prints means and
standard deviations over three seeds, and p of a paired bootstrap for each.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from eval_pairs import NATURAL, PUBLISHED, english, natural_pair, published, rows
from train_splitter import UNSEEN, hsplit, lines

from bitext_pivot.commands.judge_file import judge_lines
from bitext_pivot.commands.main import main as command
from bitext_pivot.core.reading.pair_files import Line
from bitext_pivot.core.reading.row_files import SEPARATOR
from bitext_pivot.core.records import Category, Pair
from bitext_pivot.core.sampling import rank
from bitext_pivot.core.site import Site
from bitext_pivot.core.storage import atomic
from bitext_pivot.core.tables import markdown_table
from bitext_pivot.corpus import reading
from bitext_pivot.filters.base import Runtime
from bitext_pivot.filters.chain import Filters
from bitext_pivot.research.metrics.base import Corpus
from bitext_pivot.research.metrics.comparison import compare, metrics_of
from bitext_pivot.research.metrics.evaluation_files import read_references, read_segments
from bitext_pivot.research.metrics.evaluation_settings import Scoring
from bitext_pivot.research.models import data
from bitext_pivot.research.models.card import means
from bitext_pivot.research.models.data import Example
from bitext_pivot.research.models.kinds import SCORES
from bitext_pivot.research.models.training_settings import TestSet
from bitext_pivot.syntax.parsing import Parser, load

SYSTEMS = ("google", "microsoft", "bergamot_tiny")
TESTED = 5  # one natural link, or published pair, of so many is for the test
COLUMNS = ("SARI", "SARI add", "SARI keep", "SARI delete", "%new")
QUICKSTART_PARSER = str(Path(__file__).parents[1] / "quickstart/models/spacy-en-ud")
TRAINING = {"batch": 16, "learning_rate": 5e-4, "longest": 96}
GENERATE = {
    "kind": "generate",
    "start": str(Path(__file__).parents[1] / "quickstart/models/marian-frdees-en"),
}
Row = dict[str, Any]


def judged(pairs: Iterable[Pair], preset: Literal["strict", "rules"] = "strict") -> list[Row]:
    """Return pairs with verdicts of a preset, and with their categories."""
    numbered = (
        Line(number=number, pair=pair, problem=None) for number, pair in enumerate(pairs, 1)
    )
    pipeline = load(Parser(pipeline=QUICKSTART_PARSER), "en")
    results = judge_lines(
        numbered, filters=Filters(preset=preset), pipeline=pipeline, runtime=Runtime.of(Site())
    )
    return [row for row in results if "long" in row]


def drawn(pool: Iterable[Row]) -> list[Row]:
    """Return rows by the hashes of their ids, without those that a training would take for validation."""
    chosen = (
        row for row in pool if not data.for_validation(Example(id=row["id"], source="", licence=""))
    )
    return sorted(chosen, key=lambda row: rank(row["id"], 1))


def fused(folder: str) -> Iterator[Pair]:
    """Yield the rows of `unfuse` that are one sentence, as pairs."""
    for row in data.examples(reading.rows(folder, subset="train"), "split", Counter()):
        yield english(row.id, row.source, *row.target.split(f" {SEPARATOR} "))


def divided(pool: Iterable[Row]) -> tuple[list[Row], list[Row]]:
    """Return the rows to learn from and those to test on, by the first word of their ids."""
    parts: tuple[list[Row], list[Row]] = ([], [])
    for row in pool:
        parts[rank(row["id"].partition(" ")[0]) % TESTED == 0].append(row)
    return parts


def held_out(name: str, folder: Path, pairs: Sequence[Row]) -> Row:
    """Write a test set and return its setting."""
    source, reference = folder / f"{name}.src", folder / f"{name}.dst"
    source.write_text("".join(f"{row['long']}\n" for row in pairs), encoding="utf-8")
    reference.write_text(
        "".join(f"{f' {SEPARATOR} '.join(row['split'])}\n" for row in pairs), encoding="utf-8"
    )
    return {"name": name, "source": str(source), "references": [str(reference)]}


def train(name: str, pairs: Sequence[Row], folder: Path, settings: Row) -> Path:
    """Train on rows and return the model's folder; one that is there is kept."""
    file = folder / f"{name}.jsonl"
    file.write_text("".join(f"{json.dumps(row)}\n" for row in pairs), encoding="utf-8")
    form = {"settings": {"task": "split", "data": [str(file)], **settings}}
    (folder / "settings.json").write_text(json.dumps(form), encoding="utf-8")
    if status := command(["train", "--preset", str(folder / "settings.json")]):
        sys.exit(status)
    return (Site().home / "trained" / "split" / "latest").resolve()


def report(tests: Sequence[Row], models: dict[str, Path], tested: tuple[str, str, str]) -> None:
    """Print a table for each test set; `tested` are two models and the metric in which they are compared."""
    facts = {name: atomic.load_json(folder / SCORES) for name, folder in models.items()}
    for test in map(TestSet.model_validate, tests):
        sources = read_segments(test.source)
        references = read_references(test.references, test.source, len(sources))
        first = next(iter(facts.values()))
        cells = []
        for system, numbers in first["tests"][test.name]["systems"].items():
            if system not in first["seeds"]:
                cells.append((system, *(f"{numbers[metric]:.1f}" for metric in COLUMNS)))
        for name, fact in facts.items():
            spread = means(fact, test.name)
            cells.append(
                (
                    name,
                    *(f"{spread[metric][0]:.1f} ± {spread[metric][1]:.1f}" for metric in COLUMNS),
                )
            )
        print(
            f"\n{test.name}, {len(sources)} lines\n\n{markdown_table((test.name, *COLUMNS), cells)}\n"
        )
        values = []
        for number in range(len(first["seeds"])):
            file = f"{test.name}.{number}.txt" if number else f"{test.name}.txt"
            outputs = {
                name: (models[name] / "outputs" / file).read_text(encoding="utf-8")
                for name in tested[:2]
            }
            systems = {name: text.removesuffix("\n").split("\n") for name, text in outputs.items()}
            corpus = Corpus.of(sources, references, systems)
            metrics = [
                metric
                for metric in metrics_of(corpus, Scoring())
                if getattr(metric, "name", "") == tested[2]
            ]
            values.append(compare(systems, metrics, Scoring(samples=10_000)).results[tested[2]])
        ps = ", ".join(
            f"{one.score:.1f} / {two.score:.1f} (p {two.p_value:.4f})" for one, two in values
        )
        print(f"{tested[2]} of {tested[0]} / {tested[1]}, by seed: {ps}")


def kinds(arguments: argparse.Namespace, folder: Path, settings: Row) -> None:
    """Train on each kind of pairs."""
    links = []
    for row in rows(arguments.eval / NATURAL):
        for system in SYSTEMS:
            name = f"{row['year']}:{row['line']} {row['lang']} {system}"
            links.append(natural_pair(row, name, system))
    pairs = judged(filter(None, links))
    learned, tested = divided(pairs)
    unseen = [row for row in tested if row["id"].endswith(SYSTEMS[0])]
    wiki = lines(arguments.eval / "models" / "wikisplit_validation.tsv.gz")[UNSEEN:]
    original = published(arguments.eval / PUBLISHED["orig"])
    wiki_pairs = (
        english(str(n), long, *split.split(f" {SEPARATOR} "))
        for n, (long, split) in enumerate(wiki)
    )
    pools = {
        "a. published": judged((row.pair for row in original), "rules"),
        "b. WikiSplit": judged(wiki_pairs, "rules"),
        "c. unfuse": judged(fused(arguments.unfused), "rules"),
        "d. natural, filtered": [row for row in learned if not row["rejected_by"]],
        "e. natural, before filtering": learned,
    }
    sets = {name: drawn(pool) for name, pool in pools.items()}
    size = min(map(len, sets.values()))
    print({name: len(pool) for name, pool in pools.items()}, f"{size} rows of each are used")
    tests = [hsplit(arguments.eval), held_out("natural", folder, unseen)]
    settings |= {"tests": tests, "loss": "targets"}
    models = {name: train(name[0], pool[:size], folder, settings) for name, pool in sets.items()}
    *_, filtered, whole = models
    report(tests, models, (whole, filtered, "SARI"))


def ablate(arguments: argparse.Namespace, folder: Path, settings: Row) -> None:
    """Train with each loss; the class head is part of `generate` only."""
    pools = {
        name: judged((source.pair for source in published(arguments.eval / file)), "rules")
        for name, file in PUBLISHED.items()
    }
    learned, tested = divided(pools["orig"])
    tests = [hsplit(arguments.eval)]
    for category in get_args(Category):
        chosen = [row for row in pools["test"] + tested if row.get("category_bisect") == category]
        tests.append(held_out(category.replace(" ", "-"), folder, chosen))
    losses = ["plain", "targets"]
    if arguments.kind == "generate":
        losses.append("adaptive")
        settings |= {"model": GENERATE, "decoding": {"beams": 1}}
    learned = drawn(learned)
    print(f"{len(learned)} rows: {Counter(row.get('category_bisect') for row in learned)}")
    models = {
        loss: train("orig", learned, folder, settings | {"tests": tests, "loss": loss})
        for loss in losses
    }
    report(tests, models, ("plain", losses[-1], "%new"))


def main() -> None:
    """Train, test and print; the same call continues what was stopped."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("eval", type=Path)
    parser.add_argument("unfused", nargs="?")
    parser.add_argument("--ablate", action="store_true")
    parser.add_argument("--kind", choices=("tag", "generate"), default="tag")
    parser.add_argument("--updates", type=int, default=240)
    arguments = parser.parse_args()
    folder = Site().home / "benchmarks" / ("loss" if arguments.ablate else "filters")
    folder.mkdir(parents=True, exist_ok=True)
    training = TRAINING | {"max_steps": arguments.updates, "seeds": [0, 1, 2]}
    (ablate if arguments.ablate else kinds)(
        arguments, folder, {"training": training, "scoring": {"samples": 10}}
    )


if __name__ == "__main__":
    main()
