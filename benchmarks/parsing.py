"""How near parsing pairs comes to spaCy alone on the same texts, on one core and on two.

usage: python benchmarks/parsing.py PAIRS.tsv [PIPELINE] [PAIRS] [ROUNDS]

The peer is `nlp.pipe`, its documents thrown away: with spaCy's own batches, and with the batches of `parse_pairs`,
which are smaller and stay in the processor's cache. One core is compared by CPU seconds, two by the clock, on halves:
two threads as a build's default runner works, and two processes (BITEXT_PIVOT_RUNNER). By the clock only on a machine
that has nothing else to do.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import multiprocessing
import statistics
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from pairs.parsing import AT_ONCE, Parser, Pipeline, load, parse_pairs
from pairs.ready_made import read_lines
from pairs.records import Pair

_pipelines: dict[tuple[str, int], Pipeline] = {}


def pipeline(name: str, number: int) -> Pipeline:
    """Return a worker's own pipeline, loaded once."""
    if (name, number) not in _pipelines:
        _pipelines[name, number] = load(Parser(pipeline=name), "en")
    return _pipelines[name, number]


def texts(pairs: list[Pair]) -> list[str]:
    """Return the texts of pairs, equal ones once, as they are parsed."""
    return list(dict.fromkeys(text for pair in pairs for text in (pair.long, *pair.split)))


def bare(pairs: list[Pair], name: str, number: int = 0, batch_size: int | None = None) -> int:
    """Parse with spaCy alone; return the tokens."""
    return sum(len(doc) for doc in pipeline(name, number).nlp.pipe(texts(pairs), batch_size=batch_size))


def ours(pairs: list[Pair], name: str, number: int = 0) -> int:
    """Parse as a build does; return the pairs parsed."""
    return len(parse_pairs(pairs, pipeline(name, number))[0])


def halves(pool: Executor, work: Callable[..., int], pairs: list[Pair], name: str) -> None:
    """Do the two halves at the same time."""
    middle = len(pairs) // 2
    list(pool.map(work, (pairs[:middle], pairs[middle:]), (name, name), (0, 1)))


def seconds(clock: Callable[[], float], work: Callable[[], Any]) -> float:
    """Return what a piece of work takes by a clock."""
    start = clock()
    work()
    return clock() - start


def main(table: Path, name: str, most: int, rounds: int) -> None:
    """Print the median of each ratio, peers in turn within a round."""
    pairs = [line.pair for line in read_lines(table, "en") if line.pair][:most]
    spawn = multiprocessing.get_context("spawn")
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2, mp_context=spawn) as processes:
        ways: dict[str, tuple[Callable[[], float], Callable[[], Any]]] = {
            "bare, one core": (time.process_time, partial(bare, pairs, name)),
            "bare in our batches, one core": (time.process_time, partial(bare, pairs, name, batch_size=AT_ONCE)),
            "parse_pairs, one core": (time.process_time, partial(ours, pairs, name)),
            "bare, one core by the clock": (time.perf_counter, partial(bare, pairs, name)),
            "bare, two threads": (time.perf_counter, partial(halves, threads, bare, pairs, name)),
            "parse_pairs, two threads": (time.perf_counter, partial(halves, threads, ours, pairs, name)),
            "bare, two processes": (time.perf_counter, partial(halves, processes, bare, pairs, name)),
            "parse_pairs, two processes": (time.perf_counter, partial(halves, processes, ours, pairs, name)),
        }
        for _, work in ways.values():
            work()
        taken = [{way: seconds(*todo) for way, todo in ways.items()} for _ in range(rounds)]
    for way in ways:
        peer = "bare, one core" if way.endswith("one core") else "bare, one core by the clock"
        ratio = statistics.median(round_[peer] / round_[way] for round_ in taken)
        print(f"{way:34} {statistics.median(round_[way] for round_ in taken):7.2f} s   {ratio:.2f} of {peer}")


if __name__ == "__main__":
    given = [*sys.argv[1:], *("", "quickstart/models/spacy-en-ud", "500", "5")[len(sys.argv) - 1 :]]
    main(Path(given[0]), given[1], int(given[2]), int(given[3]))
