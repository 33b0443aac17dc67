"""Cost of the last stage: judged shards to a data set, in CPU seconds and peak memory, beside a plain script.

usage: python benchmarks/publish.py [--demo demo] [--pairs 200000]      after `make demo`

The pairs are those of the demo, with seven words in ten replaced by other words of the same length, each copy of the
demo in other documents; parses and scores stay. At the given number of pairs and at four times as many:

* `exact`: the export with `division.near_duplicates` 1, so that only equal texts are searched;
* `default`: the export with the demo's settings; what it takes more is the search of near-duplicates;
* `script`: `datasets.Dataset.from_generator(...).to_parquet(...)` and `json.dumps` of each row, from the rows of kept
  pairs that the export wrote as JSON lines. It divides, draws and counts nothing: a peer of the writing alone.

Each runs in a process of its own. CPU seconds are of the process and its threads, without the start of Python. The last
lines are of what each pair beyond the first ones takes, without what is the same at any size (plots, imports).
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any

from pairs.records import JudgedPair, Pair, Parse
from pairs.storage import atomic, shards

SHARD_ROWS = 10_000


class Words:
    """Words by length, to replace others so that no offset in a text moves."""

    def __init__(self, pairs: list[JudgedPair]) -> None:
        self._by_length = defaultdict[int, list[str]](list)
        self._chance = random.Random(13)
        words = {token for one in pairs for token in one.scored.parsed.long.tokens if token.isalpha()}
        for word in sorted(words):
            self._by_length[len(word)].append(word)

    def vary(self, judged: JudgedPair, copy: int, number: int) -> JudgedPair:
        """Return a pair with other words, the same ones on both sides, in another document."""
        parsed = judged.scored.parsed
        others = {word: self._other(word) for parse in (parsed.long, *parsed.split) for word in parse.tokens}
        texts, parses = (parsed.pair.long, *parsed.pair.split), (parsed.long, *parsed.split)
        long, first, second = map(partial(_replaced, others), texts, parses)
        pair = _moved(replace(parsed.pair, long=long[0], split=(first[0], second[0])), copy, number)
        parsed = replace(parsed, pair=pair, long=long[1], split=(first[1], second[1]))
        return replace(judged, scored=replace(judged.scored, parsed=parsed))

    def _other(self, word: str) -> str:
        choices = self._by_length.get(len(word))
        return self._chance.choice(choices) if choices and word.isalpha() and self._chance.random() < 0.7 else word


def _replaced(others: dict[str, str], text: str, parse: Parse) -> tuple[str, Parse]:
    for start, token in zip(parse.starts, parse.tokens, strict=True):
        text = text[:start] + others[token] + text[start + len(token) :]
    return text, replace(parse, tokens=tuple(others[token] for token in parse.tokens))


def _moved(pair: Pair, copy: int, number: int) -> Pair:
    """Return a pair in a document of its copy, with the number as its place in the link file."""
    assert pair.alignment is not None
    identifier = f"{pair.id.rpartition(':')[0]}:{number}"
    one, two = (f"{copy}/{name}" for name in (pair.alignment.one_document, pair.alignment.two_document))
    alignment = replace(pair.alignment, id=identifier, one_document=one, two_document=two)
    return replace(pair, id=identifier, alignment=alignment)


def write_shards(demo: Path, folder: Path, pairs: int) -> None:
    """Write judged shards of so many varied pairs of the demo."""
    paths = sorted(demo.glob("judged-*/*.parquet"))
    found = [one for path in paths for one in shards.read(path, JudgedPair)]
    words, numbers = Words(found), count(1)
    varied = (words.vary(one, copy, next(numbers)) for copy in count() for one in found)
    stages = atomic.read_manifest(paths[0])["before"]
    before = {stage: {**facts, "rows": SHARD_ROWS} for stage, facts in stages.items()}
    for number in range(pairs // SHARD_ROWS):
        path = folder / "judged-00000000" / f"Everyday-v1-{number:05d}.parquet"
        shards.write(path, JudgedPair, islice(varied, SHARD_ROWS), {"before": before, "skips": {}})


def ours(demo: Path, judged: list[Path], near_duplicates: float | None) -> Callable[[Path], None]:
    """Return our export of some shards to a folder."""
    from prefect.logging import disable_run_logger

    from corpus.divide import Division
    from corpus.recipes.bisect import BISECT
    from tasks import export
    from tasks.divide import Divided, divide, hold_out

    signature = json.loads((demo / "latest" / "stats.json").read_text(encoding="utf-8"))["signature"]
    if near_duplicates is not None:
        signature["settings"]["division"]["near_duplicates"] = near_duplicates

    def work(folder: Path) -> None:
        division = Division.model_validate(signature["settings"]["division"])
        with disable_run_logger():
            held_out = hold_out.fn(BISECT, judged, division)
            places: list[Any] = [divide.fn(path, BISECT, division, held_out).data for path in judged]
            export.write(folder, Divided(judged, places), (), title="benchmark", signature=signature)

    return work


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


def child(kind: str, demo: Path, base: Path, pairs: int) -> None:
    """Run one of the three on the first shards and print what it took, as JSON."""
    judged = sorted((base / "judged-00000000").glob("*.parquet"))[: pairs // SHARD_ROWS]
    rows = sorted((base / f"default-{pairs}").glob("pairs/*.jsonl"))
    work = script(rows) if kind == "script" else ours(demo, judged, 1 if kind == "exact" else None)
    begun = time.process_time()
    work(base / f"{kind}-{pairs}")
    seconds = time.process_time() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"rows": pairs if kind != "script" else _lines(rows), "seconds": seconds, "peak": peak}))


def _lines(paths: list[Path]) -> int:
    return sum(path.read_bytes().count(b"\n") for path in paths)


def main() -> None:
    """Compare, or run one of the three."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--demo", type=Path, default=Path("demo"))
    parser.add_argument("--pairs", type=int, default=200_000)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    demo = arguments.demo / "fr-en"
    if arguments.child:
        child(arguments.child[0], demo, Path(arguments.child[1]), arguments.pairs)
    else:
        compare(demo, arguments.pairs)


def compare(demo: Path, least: int) -> None:
    """Print a line per kind and number of pairs, `least` and four times as many, and one of the difference."""
    print(f"{'':8} {'rows':>9} {'CPU s':>8} {'rows/CPU s':>12} {'peak MB':>8}")
    with tempfile.TemporaryDirectory() as scratch:
        write_shards(demo, Path(scratch), 4 * least)
        for kind in ("exact", "default", "script"):
            few, many = (run(kind, demo, Path(scratch), pairs) for pairs in (least, 4 * least))
            for facts in (few, many, {name: many[name] - few[name] for name in few}):
                rate = facts["rows"] / facts["seconds"]
                print(
                    f"{kind:8} {facts['rows']:9,} {facts['seconds']:8.1f} {rate:12,.0f} {facts['peak']:8.0f}",
                    flush=True,
                )


def run(kind: str, demo: Path, base: Path, pairs: int) -> dict[str, float]:
    """Run one of the three in a fresh process and return what it took."""
    command = [sys.executable, __file__, "--demo", str(demo.parent), "--pairs", str(pairs), "--child", kind, str(base)]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    facts: dict[str, float] = json.loads(answer.stdout.splitlines()[-1])
    return facts


if __name__ == "__main__":
    main()
