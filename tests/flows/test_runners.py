"""Threads, processes, a Dask cluster that loses a worker, an object store: the same bytes come of all of them."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from builds import tree

from pairs.errors import SettingsError
from tasks.stages import runner

Build = Callable[..., subprocess.CompletedProcess[str]]
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def threads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the build lies that the others are compared with."""
    return tmp_path_factory.mktemp("threads")


@pytest.fixture
def cluster(server: str, tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A Dask scheduler and two workers, each a process of its own as on a cluster; address and workers."""
    pytest.importorskip("prefect_dask", reason="needs the extra dask")
    environment = os.environ | {
        "PREFECT_API_URL": server, "BITEXT_PIVOT_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT),
        "BITEXT_PIVOT_OPUS": str(ROOT / "quickstart" / "opus"), "OMP_NUM_THREADS": "1",
    }  # fmt: skip
    file = tmp_path / "scheduler.json"

    def begin(*arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "distributed.cli." + arguments[0], *arguments[1:]]
        return subprocess.Popen(
            command, env=environment, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    scheduler = begin(
        "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)
    )
    deadline = time.monotonic() + 60
    while not file.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    some = (
        "--scheduler-file",
        str(file),
        "--nthreads",
        "1",
        "--no-nanny",
        "--no-dashboard",
        "--local-directory",
        str(tmp_path),
    )
    workers = [begin("dask_worker", *some) for _ in range(2)]
    yield _address(file), workers
    for process in [*workers, scheduler]:
        process.kill()
        process.wait()


def _address(file: Path) -> str:
    return str(json.loads(file.read_text())["address"])


def folder(done: subprocess.CompletedProcess[str]) -> Path:
    """The data set's folder that a build printed."""
    assert done.returncode == 0, done.stderr[-3_000:]
    return Path(done.stdout.strip().splitlines()[-1])


def test_a_cluster_that_loses_a_worker_loses_nothing(
    build: Build, cluster: tuple[str, list[subprocess.Popen[bytes]]], threads: Path, tmp_path: Path
) -> None:
    address, workers = cluster
    home = tmp_path / "home"

    def kill_midway() -> None:
        while not list(home.glob("fr-en/pairs-*/*.parquet")):
            time.sleep(0.02)
        workers[0].kill()

    killer = threading.Thread(target=kill_midway, daemon=True)
    killer.start()
    done = build(home, BITEXT_PIVOT_RUNNER="dask", BITEXT_PIVOT_SCHEDULER=address, SHARD_ROWS="15")
    killer.join(timeout=5)
    assert workers[0].poll() == -9
    assert tree(folder(done)) == tree(folder(build(threads, SHARD_ROWS="15")))


def test_an_object_store_holds_the_same_data_set(build: Build, threads: Path, tmp_path: Path) -> None:
    done = build(tmp_path / "home", BITEXT_PIVOT_BUILDS="memory://builds", COPY_TO=str(tmp_path / "copy"))
    assert done.returncode == 0, done.stderr[-3_000:]
    assert done.stdout.strip().startswith("memory://builds/fr-en/export-")
    assert tree(tmp_path / "copy") == tree(folder(build(threads)))
    assert not list((tmp_path / "home").glob("fr-en"))


@pytest.mark.parametrize(("name", "kind"), [("threads", "ThreadPool"), ("processes", "ProcessPool"), ("dask", "Dask")])
def test_the_site_chooses_what_works_on_the_shards(name: str, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BITEXT_PIVOT_RUNNER", name)
    monkeypatch.setenv("BITEXT_PIVOT_SCHEDULER", "tcp://127.0.0.1:1")
    chosen: Any = runner()
    assert type(chosen).__name__ == f"{kind}TaskRunner"


def test_dask_without_its_package_is_refused_with_the_way_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BITEXT_PIVOT_RUNNER", "dask")
    monkeypatch.setitem(sys.modules, "prefect_dask.task_runners", None)
    with pytest.raises(SettingsError, match=r"prefect-dask is not installed here. Install it with .*'\.\[dask\]'"):
        runner()
