"""What a build of a million, a hundred million and a billion links takes: hours, disk, memory, shards, task runs.

usage: python benchmarks/sizing.py measure --opus FOLDER [--links N] [--model FOLDER] > benchmarks/sizing.json
       python benchmarks/sizing.py table [benchmarks/sizing.json]

`measure` builds a sample of Europarl with the quickstart's models and prints what each stage does per CPU second and
how much it writes; `table` multiplies. Measure again on your machine, with your corpus and your models. `--model` is a
Marian folder of full size (random_models.py writes one), whose speed is measured on some sentences.
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
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from whole_build import PARSER, ROOT, Stopwatch, build, use_random_models

LINKS = (1_000_000, 100_000_000, 1_000_000_000)
SENTENCES = 96  # translated by the full-size model
STAGES = ("alignments", "pairs", "parsed", "scored", "judged", "export")
MANY = 2_000  # shards of a run at most
ROWS = 5_000  # per shard, unless there would be too many


def settings(links: int) -> dict[str, Any]:
    """Return the settings of a build of so many links of Europarl with the quickstart's models."""
    return {
        "pivot": "fr", "corpora": ["Europarl/v7"], "parser": {"pipeline": str(PARSER)},
        "translation": {"model": str(PARSER.with_name("marian-frdees-en"))}, "extraction": {"max_links": links},
    }  # fmt: skip


def measure(options: argparse.Namespace) -> dict[str, float]:
    """Build the sample and return the rates: units per CPU second, bytes per row, shares."""
    with tempfile.TemporaryDirectory(prefix="sizing-") as folder:
        home = Path(folder)
        place = {"HOME": home, "OPUS": options.opus, "WORKERS": 1, "THREADS": 1, "RUNNER": "threads"}
        os.environ |= {f"BITEXT_PIVOT_{name}": str(value) for name, value in place.items()}
        build(settings(options.links // 4), Stopwatch("cpu"))  # loads the models; only its memory counts
        few_rows, base = _rows(home, "pairs"), _peak_megabytes()
        shutil.rmtree(home / "fr-en")
        shutil.rmtree(home / "store")
        watch = Stopwatch("cpu")
        data_set = build(settings(options.links), watch)
        slope = (_peak_megabytes() - base) / (min(_rows(home, "pairs"), ROWS) - few_rows)
        texts = _foreign_texts(home)
        rates = _rates(home, data_set, watch.seconds, len(texts))
    rates["MB of a process with its models"] = base - slope * few_rows
    rates["MB more a thousand rows of a shard"] = 1_000 * slope
    release = options.opus / "OPUS-Europarl" / "v7"
    rates["bytes fetched a link"] = (_bytes(release / "xml") + _bytes(release / "raw")) / 133_653  # all its links
    if options.model:
        rates["sentences translated a CPU second, full size"] = _full_size(options.model, texts[:SENTENCES])
    return rates


def _rates(home: Path, data_set: Path, seconds: Mapping[str, float], texts: int) -> dict[str, float]:
    statistics = json.loads((data_set / "stats.json").read_text())
    rows = {stage: _rows(home, stage) for stage in STAGES[:-1]}
    links = sum(corpus["links"] for corpus in statistics["corpora"].values())
    size = {stage: sum(map(_bytes, home.glob(f"fr-en/{stage}-*"))) for stage in STAGES}
    return {
        "links": links,
        "alignments a link": rows["alignments"] / links,
        "sentences an alignment": texts / rows["alignments"],
        "pairs kept an alignment": sum(statistics["category"].values()) / rows["alignments"],
        "links extracted a CPU second": links / seconds["extract"],
        "sentences translated a CPU second, quickstart": texts / seconds["translate"],
        **{f"pairs {name}d a CPU second": rows["pairs"] / seconds[name] for name in ("parse", "score", "judge")},
        "rows exported a CPU second": rows["judged"] / seconds["export"],
        **{f"bytes {stage} a row": written / rows["alignments"] for stage, written in size.items()},
        "bytes in the row stores a row": _bytes(home / "store") / rows["alignments"],
    }


def _rows(home: Path, stage: str) -> int:
    return sum(json.loads(path.read_text())["rows"] for path in home.glob(f"fr-en/{stage}-*/*.parquet.json"))


def _foreign_texts(home: Path) -> list[str]:
    from alignments.pivot import foreign_texts
    from pairs.records import Alignment
    from pairs.storage import shards

    tables = (shards.read(path, Alignment) for path in sorted(home.glob("fr-en/alignments-*/*.parquet")))
    return [text for rows in tables for text in foreign_texts(list(rows), "en")]


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _full_size(model: Path, texts: Sequence[str]) -> float:
    """Return the sentences that a model translates per CPU second, each output as long as its text and ten pieces."""
    from translation.models import Advanced, Translation, load

    use_random_models({})
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
    rows = [head, ("---",) * len(head), *((name, *(shown(column[name]) for column in columns)) for name in columns[0])]
    print("\n".join("| " + " | ".join(row) + " |" for row in rows) + "\n")
    print("| measured | |\n|---|---|\n" + "\n".join(f"| {name} | {shown(rate)} |" for name, rate in rates.items()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    measuring = commands.add_parser("measure", help="build a sample and print rates")
    measuring.add_argument("--opus", type=Path, required=True, help="mirror with Europarl/v7")
    measuring.add_argument("--links", type=int, default=80_000, help="links of the sample")
    measuring.add_argument("--model", type=Path, help="a Marian folder of full size")
    multiplying = commands.add_parser("table", help="multiply rates")
    multiplying.add_argument("rates", type=Path, nargs="?", default=ROOT / "benchmarks" / "sizing.json", help="rates")
    main(parser.parse_args())
