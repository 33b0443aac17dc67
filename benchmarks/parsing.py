"""How near parsing pairs comes to spaCy alone on the same texts, on one core and on two.

usage: python benchmarks/parsing.py PAIRS.tsv [PIPELINE] [PAIRS] [ROUNDS] [PROCESSES]

The peer is `nlp.pipe`, its documents thrown away: with one process, with spaCy's own `n_process`, and as the most that
two cores can give, in processes that know nothing of each other, each with its share of the texts; two threads with
their shares show what the processes are for. Ours is what the stage does: `parse_pairs` here, and `parse_pairs` with
the processes of pairs/parsers.py; parses come back to this process. All run in turn within a round, after one round
that is not counted, in which processes start and load. CPU seconds are those of this process and of its children. By
the clock only on a machine that has nothing else to do.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import multiprocessing
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any

import psutil

from pairs import parsers
from pairs.parsing import Parser, Pipeline, load, parse_pairs
from pairs.ready_made import read_lines
from pairs.records import Pair


@cache
def pipeline(name: str, thread: int = 0) -> Pipeline:  # noqa: ARG001 -- tells the threads' pipelines apart
    """Return the pipeline of a thread of this process, loaded once."""
    return load(Parser(pipeline=name), "en")


def bare(texts: Sequence[str], name: str, processes: int = 1, thread: int = 0) -> int:
    """Parse with spaCy alone, in its own batches; return the tokens."""
    return sum(len(doc) for doc in pipeline(name, thread).nlp.pipe(texts, n_process=processes))


def shares(pool: Executor, texts: Sequence[str], name: str, workers: int) -> int:
    """Let each worker, a thread or a process, parse its share with spaCy alone."""
    cut = [texts[worker::workers] for worker in range(workers)]
    threads = range(workers) if isinstance(pool, ThreadPoolExecutor) else [0] * workers
    return sum(pool.map(bare, cut, [name] * workers, [1] * workers, threads))


def ours(pairs: Sequence[Pair], name: str, processes: int = 1) -> int:
    """Parse as the stage does; return the pairs parsed."""
    apart = partial(parsers.parse_texts, parser=Parser(pipeline=name), language="en", processes=processes)
    return len(parse_pairs(pairs, pipeline(name), parse=apart if processes > 1 else None)[0])


def spent() -> tuple[float, float]:
    """Return the clock, and the CPU seconds of this process and its children, the ended ones too."""
    here = psutil.Process()
    own = here.cpu_times()
    children = [child.cpu_times() for child in here.children(recursive=True)]
    cpu = sum(times.user + times.system for times in (own, *children))
    return time.perf_counter(), cpu + own.children_user + own.children_system


def measured(work: Callable[[], Any]) -> tuple[float, float]:
    """Return the seconds by the clock and the CPU seconds of a piece of work."""
    before = spent()
    work()
    return tuple(after - then for after, then in zip(spent(), before, strict=True))  # type: ignore[return-value]


def main(table: Path, name: str, most: int, rounds: int, processes: int) -> None:
    """Print the medians and the median ratio to each peer, by the clock; for one core by CPU seconds too."""
    pairs = [line.pair for line in read_lines(table, "en") if line.pair][:most]
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.long, *pair.split)))
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=spawn) as pool, ThreadPoolExecutor(processes) as threads:
        ways: dict[str, Callable[[], Any]] = {
            "nlp.pipe": partial(bare, texts, name),
            f"nlp.pipe(n_process={processes})": partial(bare, texts, name, processes),
            f"nlp.pipe, {processes} processes": partial(shares, pool, texts, name, processes),
            f"nlp.pipe, {processes} threads": partial(shares, threads, texts, name, processes),
            "ours": partial(ours, pairs, name),
            f"ours, {processes} processes": partial(ours, pairs, name, processes),
        }
        for work in ways.values():
            work()
        taken = [{way: measured(work) for way, work in ways.items()} for _ in range(rounds)]
    print(f"{len(pairs)} pairs, {len(texts)} texts, {bare(texts, name)} tokens, {rounds} rounds, medians")
    for way in ways:
        clock, cpu = (statistics.median(taken_[way][kind] for taken_ in taken) for kind in (0, 1))
        print(f"{way:24} {clock:7.2f} s by the clock {cpu:7.2f} CPU-s")
    for mine, peers in (("ours", list(ways)[:1]), (f"ours, {processes} processes", list(ways)[:3])):
        for peer in peers:
            clock, cpu = (statistics.median(one[peer][kind] / one[mine][kind] for one in taken) for kind in (0, 1))
            print(f"{mine}: {clock:.2f} of the speed of {peer} by the clock, {cpu:.2f} by CPU seconds")


if __name__ == "__main__":
    defaults = ("", "quickstart/models/spacy-en-ud", "500", "5", "2")
    given = [*sys.argv[1:], *defaults[len(sys.argv) - 1 :]]
    main(Path(given[0]), given[1], int(given[2]), int(given[3]), int(given[4]))
