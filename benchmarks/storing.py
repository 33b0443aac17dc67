"""What shards cost: microseconds a parsed pair to store and to read, against pyarrow's own way by dictionaries.

usage: python benchmarks/storing.py TABLE [PIPELINE] [--pairs 2000] [--rounds 9]

TABLE has `long<TAB>s1 <SEP> s2`. The peer writes `dataclasses.asdict` of each pair with `Table.from_pylist` and reads
`to_pylist`, which gives dictionaries and no records yet. Both write the same rows with the same compression; medians of
CPU seconds.
"""

import argparse
import dataclasses
import gc
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from pairs import arrow, shards
from pairs.parsing import Parser, load, parse_pairs
from pairs.ready_made import read_lines
from pairs.records import ParsedPair


def microseconds(work: Callable[[], object]) -> float:
    """Return what a piece of work takes, in microseconds of CPU time."""
    gc.collect()
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1e6


def main() -> None:
    """Print a line a figure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path)
    parser.add_argument("pipeline", nargs="?", default="quickstart/models/spacy-en-ud")
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    rounds = arguments.rounds
    some = [line.pair for line in read_lines(arguments.table, "en") if line.pair][: arguments.pairs]
    pairs = parse_pairs(some, load(Parser(pipeline=arguments.pipeline), "en"))[0]
    with tempfile.TemporaryDirectory() as folder:
        ours, theirs = Path(folder) / "ours.parquet", Path(folder) / "theirs.parquet"

        def peer() -> None:
            table = pa.Table.from_pylist([dataclasses.asdict(pair) for pair in pairs], arrow.schema(ParsedPair))
            pq.write_table(table, theirs, compression="zstd")

        works: dict[str, Callable[[], object]] = {
            "pyarrow, from_pylist": peer,
            "ours, write": lambda: shards.write(ours, ParsedPair, pairs),
            "pyarrow, to_pylist": lambda: pq.read_table(theirs).to_pylist(),
            "ours, read": lambda: list(shards.read(ours, ParsedPair)),
        }
        times = {name: [microseconds(work) for _ in range(rounds)] for name, work in works.items()}
    print(f"{len(pairs)} parsed pairs, {rounds} rounds; microseconds a pair")
    for name, found in times.items():
        print(f"{name:28}{statistics.median(found) / len(pairs):8.1f}")


if __name__ == "__main__":
    main()
