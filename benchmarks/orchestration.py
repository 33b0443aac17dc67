"""What Prefect costs a build, what a second worker brings, and whether 2,000 shards choke the server.

usage: python benchmarks/orchestration.py [share] [workers] [shards] [--opus FOLDER] [--links N] [--shards N]

Prints the tables of docs/scaling.md. Needs two cores that have nothing else to do, and PostgreSQL's programs for the
second half of `shards`. Every part starts servers of its own, in folders that are gone afterwards; every build that is
measured is a process of its own. Each part takes some minutes and tells at its end how many.

share    Europarl in shards of the default size, one worker, the small models of the quickstart: the flow against the
         same functions called one after another without Prefect, each on a core.
workers  The stages behind extraction on one core with one worker, at the beginning and at the end, against two cores
         with two: threads, processes, and Dask workers with a core each that share no more than the data folder, as on
         two machines. Either way the server works on these cores too.
shards   A build of N shards that are all there already, so that nothing but Prefect works: task runs as dense as they
         ever come. Meanwhile a browser asks once a second for a page and for a new run.
"""

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from many_shards import shards
from measured_builds import BUILD, ROOT, build, prepared, rows_of, table, window
from page_server import Server, server

LINKS = {"share": 60_000, "workers": 90_000}
"""Links read: about one shard of the default size, and two thirds of the sample."""


def share(scratch: Path, options: argparse.Namespace) -> None:
    """Print what a build takes through Prefect and without it: side by side, each on a core of its own, then changed.

    The server works on the core of the build that it serves. What is printed is of both rounds together, so that a
    faster core favours neither.
    """
    settings = BUILD | {"extraction": {"max_links": options.links or LINKS["share"]}}
    place = {"opus": options.opus, "workers": 1, "threads": 1}
    bare, flow, served = Counter[str](), Counter[str](), 0.0
    for mine, other in ("10", "01"):
        (scratch / mine).mkdir()
        homes = prepared(scratch / mine, options.opus, ["without", "through"])
        with server(scratch / mine / "page", cores=mine) as page, ThreadPoolExecutor(2) as pool:
            before = page.cpu()
            without = pool.submit(build, "direct", settings, homes[0], cores=other, **place)
            flow.update(pool.submit(build, "flow", settings, homes[1], page=page, cores=mine, **place).result())
            served += page.cpu() - before
            bare.update(without.result())
    rows = sum(rows_of(path) for path in homes[1].glob("fr-en/pairs-*/*.parquet.json"))
    print(f"### Prefect's share of a build: {rows:,} alignments, shards of 5,000, one worker on one core, two rounds\n")
    outside = flow["seconds"] - flow["own"]
    table(
        ("", "seconds", "CPU seconds"),
        ("the functions called without Prefect", bare["seconds"], bare["cpu"]),
        ("through Prefect", flow["seconds"], f"{flow['cpu']:,.1f}, and its server's {served:,.1f}"),
        ("of these outside the functions, or for artifacts", outside, ""),
    )
    longer = 100 * (flow["seconds"] / bare["seconds"] - 1)
    print(f"Prefect's share of the time: {100 * outside / flow['seconds']:.1f} %.", end=" ")
    print(f"With its server on the build's core the build takes {longer:.1f} % longer by the clock.\n")


def workers(scratch: Path, options: argparse.Namespace) -> None:
    """Print how long the stages after extraction take on one core and on two.

    Every way builds a twentieth of the links first. What the rest takes beyond that is free of what each worker does
    once, as loading its models, and tells how fast a build of hours goes.
    """
    large = options.links or LINKS["workers"]
    print("### Two cores against one, from translation to judgement, shards of 250 and more\n")
    taken = dict.fromkeys(WAYS, (0.0, 0.0))
    for links, shard_rows in ((large // 20, 90), (large, 250)):  # four shards at first: two workers can share them
        place = scratch / str(links)
        place.mkdir()
        homes = dict(zip(WAYS, prepared(place, options.opus, [f"way-{n}" for n, _ in enumerate(WAYS)]), strict=True))
        build_every_way(homes, BUILD | {"extraction": {"max_links": links}, "shard_rows": shard_rows}, options.opus)
        taken = {way: (window(home), taken[way][0]) for way, home in homes.items()}
        rows = sum(rows_of(path) for path in homes["threads"].glob("fr-en/pairs-*/*.parquet.json"))
        print(f"{links:,} links, {rows:,} alignments", flush=True)
    print()
    alone = [(one + two) / 2 for one, two in zip(taken["one core"], taken["again"], strict=True)]  # the machine changes
    table(
        ("", "seconds, fewer links", "seconds, all", "times as fast, all", "times as fast, what is more"),
        *[
            (name, few, all_, f"{alone[0] / all_:.2f}", f"{(alone[0] - alone[1]) / (all_ - few):.2f}")
            for name, (all_, few) in zip(WAYS.values(), taken.values(), strict=True)
        ],
    )
    print(f"What the machine gives at most: {ceiling():.2f} (two endless loops against one)\n")


WAYS = {
    "one core": "one worker, and the server, on one core", "again": "the same at the end",
    "threads": "two threads", "processes": "two processes",
    "dask": "two Dask workers, a core each",
}  # fmt: skip


def build_every_way(homes: dict[str, Path], settings: dict[str, object], opus: Path) -> None:
    """Build the same on one core and three times on two, and on one again; each leaves its shards in its own folder.

    One core is one core in all: the server works there too.
    """
    two, one = ({"opus": opus, "workers": number, "threads": number} for number in (2, 1))
    scratch = homes["dask"].parent

    def alone(name: str) -> None:
        with server(scratch / f"page of {name}", cores="0") as page:
            build("flow", settings, homes[name], page=page, cores="0", **one)

    alone("one core")
    with server(scratch / "page") as page:
        for runner in ("threads", "processes"):
            build("flow", settings, homes[runner], page=page, runner=runner, **two)
        with cluster(scratch, homes["dask"], page, opus) as address:
            build("flow", settings, homes["dask"], page=page, runner="dask", scheduler=address, **one)
    alone("again")


def ceiling() -> float:
    """Return how much more two processes count within two seconds than one does."""
    loop = "import time\nn, end = 0, time.monotonic() + 2\nwhile time.monotonic() < end: n += 1\nprint(n)"

    def count(cores: str) -> int:
        running = [
            subprocess.Popen(["taskset", "-c", core, sys.executable, "-c", loop], stdout=subprocess.PIPE)
            for core in cores
        ]
        return sum(int(one.communicate()[0]) for one in running)

    return count("01") / count("0")


@contextlib.contextmanager
def cluster(scratch: Path, home: Path, page: Server, opus: Path) -> Iterator[str]:
    """Start a Dask scheduler and two workers, each with a core and a folder for temporary files of its own."""
    file = home / "scheduler.json"
    environment = os.environ | page.environment() | {
        "OMP_NUM_THREADS": "1", "BITEXT_PIVOT_HOME": str(home), "BITEXT_PIVOT_OPUS": str(opus),
        "BITEXT_PIVOT_RUNNER": "dask", "BITEXT_PIVOT_WORKERS": "1", "BITEXT_PIVOT_THREADS": "1",
    }  # fmt: skip
    shared = ["--scheduler-file", str(file), "--no-dashboard"]
    commands = [["dask_scheduler", "--host", "127.0.0.1", "--port", "0", *shared]]
    commands += [["dask_worker", "--nthreads", "1", "--no-nanny", *shared] for _ in range(2)]
    running = []
    for command, core in zip(commands, "001", strict=True):
        own = scratch / f"tmp-{len(running)}"
        own.mkdir(exist_ok=True)
        line = ["taskset", "-c", core, sys.executable, "-m", f"distributed.cli.{command[0]}", *command[1:]]
        running.append(
            subprocess.Popen(
                line,
                env=environment | {"TMPDIR": str(own)},
                cwd=ROOT,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )
        while not file.exists():
            time.sleep(0.1)
    try:
        yield str(json.loads(file.read_text())["address"])
    finally:
        for process in reversed(running):
            process.kill()
            process.wait()


def main(options: argparse.Namespace) -> None:
    """Measure what the command line asks for."""
    load = os.getloadavg()[0]
    print(f"{os.cpu_count()} cores, load before anything began {load:.1f}\n", flush=True)
    for part in options.parts or ["share", "workers", "shards"]:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="orchestration-") as scratch:
            {"share": share, "workers": workers, "shards": shards}[part](Path(scratch), options)
        print(f"({part}: {(time.monotonic() - begun) / 60:.1f} minutes)\n", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "parts", nargs="*", choices=["share", "workers", "shards", []], metavar="part", help="what to measure; all"
    )
    parser.add_argument(
        "--opus", type=Path, default=ROOT.parent / "shared" / "opus", help="mirror with Europarl/v7 en-fr"
    )
    parser.add_argument("--links", type=int, help=f"links read for `share` and `workers`; {LINKS}")
    parser.add_argument("--shards", type=int, default=2_000, help="shards of the build of `shards`")
    main(parser.parse_args())
