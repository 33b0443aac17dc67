"""What a build of a million, a hundred million and a billion links takes: hours, disk, memory, shards, task runs.

usage: python benchmarks/sizing.py measure [--opus FOLDER] [--links N] [--model FOLDER] > benchmarks/sizing.json
       python benchmarks/sizing.py table [benchmarks/sizing.json]

`measure` builds a sample of Europarl without Prefect, a stage at a time, and prints how much each stage does in a CPU
second and how much it writes; `table` multiplies. Nothing in the table comes from anywhere else, so measure anew where
you build: with your corpus, your models. `--model`: a Marian folder of full size (benchmarks/random_marian.py makes
one) whose speed is measured on some sentences, beside the small model of the quickstart that the sample is built with.
CPU seconds hold on a machine with other work to do, too.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import json
import math
import resource
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from measured_builds import BUILD, ROOT, table

LINKS = (1_000_000, 100_000_000, 1_000_000_000)
SENTENCES = 96  # translated by the full-size model
STAGES = ("alignments", "pairs", "parsed", "scored", "judged", "export")
MANY = 2_000
"""Shards of a run: what orchestration.py puts a server under."""
ROWS = 5_000  # a shard, unless there would be too many


def measure(options: argparse.Namespace) -> dict[str, float]:
    """Build the sample and return the rates: units a CPU second, bytes a row, shares."""
    with tempfile.TemporaryDirectory(prefix="sizing-") as home:
        place = {"HOME": home, "OPUS": options.opus, "WORKERS": 1, "THREADS": 1}
        os.environ |= {f"BITEXT_PIVOT_{name}": str(value) for name, value in place.items()}
        rates, texts = _rates(BUILD | {"extraction": {"max_links": options.links}}, Path(home))
    rates["bytes fetched a link"] = _fetched(options.opus) / 133_653  # links of the sample's Europarl
    if options.model:
        rates["sentences translated a CPU second, full size"] = _full_size(options.model, texts[:SENTENCES])
    return rates


def _rates(plain: dict[str, Any], home: Path) -> tuple[dict[str, float], list[str]]:
    """Return what the stages did a CPU second, and the sentences that were translated."""
    from orchestrated import STAGES as TASKS
    from orchestrated import direct, timed

    from flows.pivot_bitext import PivotBitext

    few = {"extraction": {"max_links": plain["extraction"]["max_links"] // 4}}
    direct(PivotBitext.model_validate(plain | few))  # models are loaded, and nothing of it is counted but memory
    base, few_rows, seconds = _peak(), _sum(home, "pairs"), Counter[str]()

    def watched(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        return timed(function, lambda taken: seconds.update({name: taken}), time.process_time)

    for task in TASKS:
        task.fn = watched(task.name, task.fn)
    shutil.rmtree(home / "fr-en")
    shutil.rmtree(home / "store")
    folder = direct(PivotBitext.model_validate(plain))
    facts = json.loads((folder / "stats.json").read_text())
    rows = {stage: _sum(home, stage) for stage in STAGES[:-1]}
    links = sum(corpus["links"] for corpus in facts["corpora"].values())
    texts = _translated(home)
    kept = sum(facts["category"].values())
    a_row = (_peak() - base) / (min(rows["pairs"], ROWS) - few_rows)
    written = {f"bytes {stage} a row": _bytes(home, stage) / rows["alignments"] for stage in STAGES}
    rates = {
        "links": links,
        "alignments a link": rows["alignments"] / links,
        "sentences an alignment": len(texts) / rows["alignments"],
        "pairs kept an alignment": kept / rows["alignments"],
        "links extracted a CPU second": links / seconds["extract"],
        "sentences translated a CPU second, quickstart": len(texts) / seconds["translate"],
        **{f"pairs {name}d a CPU second": rows["pairs"] / seconds[name] for name in ("parse", "score", "judge")},
        "rows exported a CPU second": rows["judged"] / seconds["export"],
        **written,
        "bytes in the row stores a row": _folder(home / "store") / rows["alignments"],
        "MB of a process with its models": base - a_row * few_rows,
        "MB more a thousand rows of a shard": 1_000 * a_row,
    }
    return rates, texts


def _sum(home: Path, stage: str) -> int:
    return sum(json.loads(path.read_text())["rows"] for path in home.glob(f"fr-en/{stage}-*/*.parquet.json"))


def _translated(home: Path) -> list[str]:
    from alignments.pivot import foreign_texts
    from pairs import shards
    from pairs.records import Alignment

    found = (shards.read(path, Alignment) for path in sorted(home.glob("fr-en/alignments-*/*.parquet")))
    return [text for rows in found for text in foreign_texts(list(rows), "en")]


def _bytes(home: Path, stage: str) -> int:
    return sum(_folder(folder) for folder in home.glob(f"fr-en/{stage}-*"))


def _folder(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _fetched(opus: Path) -> int:
    folder = opus / "OPUS-Europarl" / "v7"
    return sum((folder / name).stat().st_size for name in ("xml/en-fr.xml.gz", "raw/en.zip", "raw/fr.zip"))


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _full_size(model: Path, texts: list[str]) -> float:
    """Return the sentences that a model translates in a CPU second, each output as long as its text and ten pieces."""
    from translation.models import Advanced, Translation, load

    with tempfile.TemporaryDirectory(prefix="sizing-") as folder:
        settings = Translation(model=str(model), advanced=Advanced(max_ratio=1.0))
        engine = load(settings, "fr", "en", models_folder=Path(folder), threads=1, device="cpu")
        begun = time.process_time()
        engine.translate(texts)
        return len(texts) / (time.process_time() - begun)


def bytes_an_alignment(rates: Mapping[str, float]) -> float:
    """Return what an alignment takes on disk in all stages, the export and the row stores together."""
    return sum(rates[f"bytes {stage} a row"] for stage in STAGES) + rates["bytes in the row stores a row"]


def sizes(rates: Mapping[str, float], links: int) -> dict[str, float]:
    """Return what a build of so many links takes, by the name of the row in the table."""
    rows = links * rates["alignments a link"]
    texts = rows * rates["sentences an alignment"]
    hours = {
        "extract": links / rates["links extracted a CPU second"],
        **{f"translate, {kind}": texts / rates[name] for kind, name in _translations(rates).items()},
        **{stage: rows / rates[f"pairs {stage}d a CPU second"] for stage in ("parse", "score", "judge")},
        "export": rows / rates["rows exported a CPU second"],
    }
    in_a_shard = max(ROWS, math.ceil(rows / MANY))
    shards = math.ceil(rows / in_a_shard)
    kept = bytes_an_alignment(rates)
    memory = rates["MB of a process with its models"] + in_a_shard * rates["MB more a thousand rows of a shard"] / 1_000
    return {
        "alignments": rows,
        "pairs kept": rows * rates["pairs kept an alignment"],
        "GB fetched": links * rates["bytes fetched a link"] / 1e9,
        "GB on disk, all stages and stores": rows * kept / 1e9,
        **{f"core hours: {stage}": taken / 3_600 for stage, taken in hours.items()},
        "rows a shard (shard_rows)": in_a_shard,
        "shards": shards,
        "task runs": 4 * shards + 4,
        "GB of memory a worker": memory / 1_000,
    }


def _translations(rates: Mapping[str, float]) -> dict[str, str]:
    start = "sentences translated a CPU second, "
    return {name.removeprefix(start): name for name in rates if name.startswith(start)}


def shown(number: float) -> str:
    """Return a number with as many digits as it deserves."""
    return f"{number:,.0f}" if number >= 100 or number == int(number) else f"{number:,.2g}"


def main(options: argparse.Namespace) -> None:
    """Measure, or print the table."""
    if options.command == "measure":
        rates = measure(options)
        print(json.dumps({name: float(f"{rate:.4g}") for name, rate in rates.items()}, indent=1))
        return
    rates = json.loads(options.rates.read_text(encoding="utf-8"))
    columns = [sizes(rates, links) for links in LINKS]
    head = ("links", *(f"{links:,}" for links in LINKS))
    table(head, *((name, *(shown(column[name]) for column in columns)) for name in columns[0]))
    print("| measured | |\n|---|---|\n" + "\n".join(f"| {name} | {shown(rate)} |" for name, rate in rates.items()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    measuring = commands.add_parser("measure", help="build a sample and print rates")
    measuring.add_argument("--opus", type=Path, default=ROOT.parent / "shared" / "opus", help="mirror with Europarl/v7")
    measuring.add_argument("--links", type=int, default=80_000, help="links of the sample")
    measuring.add_argument("--model", type=Path, help="a Marian folder of full size")
    multiplying = commands.add_parser("table", help="multiply rates")
    multiplying.add_argument("rates", type=Path, nargs="?", default=ROOT / "benchmarks" / "sizing.json", help="rates")
    main(parser.parse_args())
