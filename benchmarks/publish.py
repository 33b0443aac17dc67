"""Cost of the last stage: judged shards to a data set, in seconds by the clock and peak memory, beside a plain script.

usage: python benchmarks/publish.py [--demo demo] [--pairs 200000]      after `make demo`

The pairs are copies of the demo's, each copy with its letters exchanged for others and in documents of its own; parses
and scores stay. At the given number of pairs and at four times as many:

* `exact`: stages divide and export with `division.near_duplicates` 1, so that only equal texts are searched;
* `default`: the same with the demo's settings; what it takes more is the search of near-duplicates;
* `script`: `datasets.Dataset.from_generator(...).to_parquet(...)` and `json.dumps` of each row, from the rows of kept
  pairs that the export wrote as JSON lines. It divides, samples and counts nothing: a peer of the writing alone.

Each runs in a process of its own; shards are divided in two more, as by two workers. Not counted are the start of
Python and Prefect's work around a task. The third line of each is of the rows beyond the first ones, without what is
the same at any size (plots, inspector).
"""

import argparse
import json
import random
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from costs import taken
from prefect.logging import disable_run_logger

from bitext_pivot.core.records import JudgedPair, Pair
from bitext_pivot.core.storage import atomic, shards
from bitext_pivot.corpus.division import Division
from bitext_pivot.corpus.facts import Facts
from bitext_pivot.corpus.recipes.bisect import BISECT, bisect
from bitext_pivot.flows.settings import PivotBitext
from bitext_pivot.tasks import export
from bitext_pivot.tasks.divide import Divided, divide, hold_out

SHARD_ROWS = 10_000


def varied(judged: JudgedPair, copy: int, number: int) -> JudgedPair:
    """Return a pair with its letters exchanged, in the same way all over a copy of the demo, in another document."""
    others = "".join(random.Random(copy).sample(ascii_lowercase, 26))
    letters = str.maketrans(ascii_lowercase + ascii_uppercase, others + others.upper())
    parsed = judged.scored.parsed
    long, first, second = (
        replace(parse, tokens=tuple(token.translate(letters) for token in parse.tokens))
        for parse in (parsed.long, *parsed.split)
    )
    head, tail = (text.translate(letters) for text in parsed.pair.split)
    pair = _moved(replace(parsed.pair, long=parsed.pair.long.translate(letters), split=(head, tail)), copy, number)
    parsed = replace(parsed, pair=pair, long=long, split=(first, second))
    return replace(judged, scored=replace(judged.scored, parsed=parsed))


def _moved(pair: Pair, copy: int, number: int) -> Pair:
    """Return a pair in a document of its copy, with the number as its place in the link file."""
    assert pair.alignment is not None
    identifier = f"{pair.id.rpartition(':')[0]}:{number}"
    documents = tuple(f"{copy}/{name}" for name in pair.alignment.source.documents)
    alignment = replace(pair.alignment, id=identifier, source=replace(pair.alignment.source, documents=documents))
    return replace(pair, id=identifier, alignment=alignment)


def write_shards(demo: Path, folder: Path, pairs: int) -> None:
    """Write judged shards of so many varied pairs of the demo."""
    paths = sorted(demo.glob("judged-*/*.parquet"))
    demo_pairs = [pair for path in paths for pair in shards.read(path, JudgedPair)]
    numbers = count(1)
    pairs_to_write = (varied(pair, copy, next(numbers)) for copy in count() for pair in demo_pairs)
    stages = atomic.read_manifest(paths[0])["before"]
    before = {stage: {**facts, "rows": SHARD_ROWS} for stage, facts in stages.items()}
    for number in range(pairs // SHARD_ROWS):
        path = folder / "judged-00000000" / f"Everyday-v1-{number:05d}.parquet"
        shards.write(path, JudgedPair, islice(pairs_to_write, SHARD_ROWS), {"before": before, "skips": {}})


def ours(demo: Path, judged: list[Path], near_duplicates: float | None) -> Callable[[Path], None]:
    """Return our export of some shards to a folder."""
    signature = json.loads((demo / "latest" / "stats.json").read_text(encoding="utf-8"))["signature"]
    if near_duplicates is not None:
        signature["settings"]["division"]["near_duplicates"] = near_duplicates

    settings = PivotBitext.model_validate(signature["settings"])
    division, recipe = settings.division, bisect(settings.filters.score_names(), settings.filters.sliders(settings))
    workers = ProcessPoolExecutor(2, mp_context=get_context("spawn"))
    list(workers.map(abs, range(8)))  # they have started and imported everything

    def work(folder: Path) -> None:
        with disable_run_logger(), workers:
            held_out = hold_out.fn(BISECT, judged, division)
            assignments = list(workers.map(partial(divided, division=division, held_out=held_out), judged))
            facts = Facts(title="benchmark", signature=signature)
            export.write(folder, recipe, Divided(judged, assignments), settings, facts)

    return work


def divided(judged: Path, division: Division, held_out: Path) -> Path:
    """Divide a shard; return the shard of its assignments."""
    with disable_run_logger():
        return Path(divide.fn(judged, BISECT, division, held_out).data)  # type: ignore[arg-type]


def script(rows: list[Path]) -> Callable[[Path], None]:
    """Return what writes the rows of JSON lines with `datasets`, and again as JSON lines."""
    import datasets

    datasets.disable_progress_bars()

    def read() -> Iterator[dict[str, Any]]:
        for path in rows:
            with path.open(encoding="utf-8") as file:
                yield from map(json.loads, file)

    def work(folder: Path) -> None:
        folder.mkdir()
        datasets.Dataset.from_generator(read, cache_dir=str(folder / "cache")).to_parquet(folder / "pairs.parquet")
        with (folder / "pairs.jsonl").open("w", encoding="utf-8") as out:
            out.writelines(f"{json.dumps(row, ensure_ascii=False)}\n" for row in read())

    return work


def prepared(kind: str, demo: Path, base: Path, pairs: int) -> Callable[[], int]:
    """Return one of the three works on the first shards."""
    judged = sorted((base / "judged-00000000").glob("*.parquet"))[: pairs // SHARD_ROWS]
    rows = sorted((base / f"default-{pairs}").glob("pairs/*.jsonl"))
    work = script(rows) if kind == "script" else ours(demo, judged, 1 if kind == "exact" else None)
    written = sum(path.read_bytes().count(b"\n") for path in rows) if kind == "script" else pairs

    def run() -> int:
        work(base / f"{kind}-{pairs}")
        return written

    return run


def compare(demo: Path, least: int) -> None:
    """Print a line per kind and number of pairs, `least` and four times as many, and one of the difference."""
    print(f"{'':8} {'rows':>9} {'seconds':>8} {'rows/second':>12} {'peak MB':>8}")
    with tempfile.TemporaryDirectory() as scratch:
        write_shards(demo, Path(scratch), 4 * least)
        for kind in ("exact", "default", "script"):
            few, many = (taken(prepared, kind, demo, Path(scratch), pairs) for pairs in (least, 4 * least))
            more = [after - before for before, after in zip(few, many, strict=True)]
            for rows, _, seconds, peak in (few, many, more):
                print(f"{kind:8} {rows:9,} {seconds:8.1f} {rows / seconds:12,.0f} {peak:8.0f}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--demo", type=Path, default=Path("demo"))
    parser.add_argument("--pairs", type=int, default=200_000)
    arguments = parser.parse_args()
    compare(arguments.demo / "fr-en", arguments.pairs)
