"""A build of very many shards against a server on SQLite and on PostgreSQL. A part of orchestration.py."""

import argparse
import contextlib
import functools
import gzip
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from measured_builds import BUILD, ROOT, build, table
from page_server import Prober, Server, server

STAGES_OF_A_SHARD = 4  # translate, parse, score, judge
PATIENCE = 600.0  # seconds for the server to catch up


def shards(scratch: Path, options: argparse.Namespace) -> None:
    """Print what a build of many shards does to the server, with SQLite and with PostgreSQL."""
    settings = BUILD | {
        "corpora": ["Many/v1"], "shard_rows": 1, "translation": {"engine": "echo"}, "sieve": {"preset": "paper"},
        "screening": {"language": {"enabled": False}},
    }  # fmt: skip
    corpus(scratch / "opus" / "OPUS-Many" / "v1", options.shards)
    home, place = scratch / "many", {"opus": scratch / "opus", "workers": 2}
    begun = time.monotonic()
    build("direct", settings, home, **place)
    print(f"### A server under {options.shards:,} shards of {STAGES_OF_A_SHARD} task runs, all built before\n")
    print(f"(Making them without Prefect took {time.monotonic() - begun:.0f} s.)\n")
    run, total = functools.partial(build, "flow", settings, home, **place), options.shards * STAGES_OF_A_SHARD
    rows = [measured("SQLite", scratch / "page-1", run, total)]
    with postgresql() as database:
        if database:
            rows.append(measured("PostgreSQL", scratch / "page-2", run, total, database))
    head = (
        "",
        "flow s",
        "ms a task run",
        "server behind s",
        "page",
        "new run",
        "kB a task run",
        "MB flow",
        "MB server",
    )
    table(head, *rows)


def measured(
    name: str, folder: Path, run: Callable[..., dict[str, float]], total: int, database: Any = None
) -> tuple[object, ...]:
    """Run the build of `total` task runs against a server of its own; return a row of the table."""
    with server(folder, database and database.driver_address) as page:
        before, prober = size(page, database), Prober(page)
        prober.start()
        flow = run(page=page)
        ended = time.monotonic()
        while page.task_runs("Reused") < total and time.monotonic() - ended < PATIENCE:
            time.sleep(0.5)
        behind, memory = time.monotonic() - ended, page.memory()
        prober.end()
        known, grown = page.task_runs("Reused"), size(page, database) - before
    took, answered = flow["seconds"], (prober.told("read"), prober.told("run"))
    told = name if known == total else f"{name} (only {known:,} known)"
    megabytes = (f"{flow['peak_mb']:.0f}", f"{memory:.0f}")
    return (told, took, 1_000 * took / total, behind, *answered, grown / total / 1_000, *megabytes)


def size(page: Server, database: Any) -> int:
    """Return the bytes of the server's database."""
    if database:
        return int(database.sql("SELECT pg_database_size('prefect')"))
    return sum(path.stat().st_size for path in page.home.glob("prefect.db*"))


@contextlib.contextmanager
def postgresql() -> Iterator[Any]:
    """Start a PostgreSQL with the settings of a fresh installation; None where there is none."""
    sys.path += [str(ROOT / "tests"), str(ROOT / "deployments")]
    from postgres import binaries, postgres

    if binaries() is None:
        print("PostgreSQL is not installed here: SQLite alone is measured.\n")
        yield None
        return
    with postgres(fsync=True) as database:
        database.driver_address = database.address("prefect").replace("postgresql:", "postgresql+asyncpg:")
        yield database


def corpus(folder: Path, documents: int) -> None:
    """Write a release of so many documents of one 1-2 link each, in the layout of the object storage."""
    for name in ("xml", "raw"):
        (folder / name).mkdir(parents=True)
    groups = "".join(
        f'<linkGrp fromDoc="en/{n}.xml.gz" toDoc="fr/{n}.xml.gz">\n<link xtargets="1 2;1" />\n</linkGrp>\n'
        for n in range(documents)
    )
    head = '<?xml version="1.0" encoding="utf-8"?>\n'
    (folder / "xml" / "en-fr.xml.gz").write_bytes(gzip.compress(f"{head}<cesAlign>\n{groups}</cesAlign>\n".encode()))
    sides = {
        "en": ["The boat with the number {} came home late.", "The crew of boat {} was tired."],
        "fr": ["Le bateau qui porte le numéro {} est rentré tard et son équipage était fatigué."],
    }
    for language, texts in sides.items():
        with zipfile.ZipFile(folder / "raw" / f"{language}.zip", "w") as archive:
            for n in range(documents):
                lines = "".join(f'<s id="{k}">{text.format(n)}</s>' for k, text in enumerate(texts, 1))
                archive.writestr(f"Many/raw/{language}/{n}.xml", f"{head}<text>{lines}</text>")
