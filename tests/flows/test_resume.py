"""A killed build continues where it stopped and ends with the bytes of an undisturbed build, whatever runs it."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from builds import tiny, tree
from served import until

from bitext_pivot.flows.pivot_settings import PivotBitext

Build = Callable[..., subprocess.CompletedProcess[str]]
ROOT = Path(__file__).parents[2]


def shards_of(home: Path) -> dict[str, int]:
    """Return every shard with the time it was written."""
    return {
        str(path.relative_to(home)): path.stat().st_mtime_ns
        for path in home.glob("*-*/*/*.parquet")
    }


def data_set(done: subprocess.CompletedProcess[str]) -> Path:
    """Return the folder that a build printed."""
    assert done.returncode == 0, done.stderr[-3_000:]
    return Path(done.stdout.strip().splitlines()[-1])


@pytest.mark.parametrize(
    "place",
    [
        "pairs 3",
        *(pytest.param(f"{at} 2", marks=pytest.mark.nightly) for at in ("divide", "export")),
    ],
)
def test_a_killed_build_makes_only_what_is_missing(
    place: str, build: Build, home: Path, tiny_build: Path, opus: Path
) -> None:
    from bitext_pivot.flows.pivot_bitext import pivot_bitext

    there = {"BITEXT_PIVOT_OPUS": str(opus), "BITEXT_PIVOT_WORKERS": "1"}
    assert build(home, place, tiny(), **there).returncode == -signal.SIGKILL
    before = shards_of(home)
    assert any("/judged-" in name for name in before)
    resumed = pivot_bitext(PivotBitext.model_validate(tiny()))
    after = shards_of(home)
    assert {name: after[name] for name in before} == before
    assert tree(resumed) == tree(tiny_build)


@pytest.fixture(scope="module")
def whole(build: Build, opus: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of an undisturbed build of the tiny corpus, in a process of its own."""
    home = tmp_path_factory.mktemp("whole")
    return tree(data_set(build(home, settings=tiny(), BITEXT_PIVOT_OPUS=str(opus))))


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A Dask scheduler and two workers in processes of their own; the scheduler's address and the first worker."""
    pytest.importorskip("distributed", reason="needs the extra dask")
    environment = os.environ | {
        "BITEXT_PIVOT_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT),
        "OMP_NUM_THREADS": "1",
    }  # fmt: skip
    file = tmp_path / "scheduler.json"

    def start(program: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{program}", "--no-dashboard"]
        command += ["--scheduler-file", str(file), *options]
        return subprocess.Popen(
            command, env=environment, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    processes = [start("scheduler", "--host", "127.0.0.1", "--port", "0")]
    until(file.exists)
    options = ("--nthreads", "1", "--no-nanny", "--local-directory", str(tmp_path))
    processes += [start("worker", *options) for _ in range(2)]
    yield str(json.loads(file.read_text())["address"]), processes[1]
    for process in reversed(processes):
        process.kill()
        process.wait()


@pytest.mark.nightly
def test_a_dask_cluster_that_loses_a_worker_loses_nothing(
    build: Build,
    cluster: tuple[str, subprocess.Popen[bytes]],
    opus: Path,
    whole: dict[str, bytes],
    tmp_path: Path,
) -> None:
    address, worker = cluster
    home = tmp_path / "home"

    def kill_midway() -> None:
        while not list(home.glob("fr-en/pairs-*/*.parquet")):
            time.sleep(0.02)
        worker.kill()

    killer = threading.Thread(target=kill_midway, daemon=True)
    killer.start()
    there = {
        "BITEXT_PIVOT_RUNNER": "dask",
        "BITEXT_PIVOT_SCHEDULER": address,
        "BITEXT_PIVOT_OPUS": str(opus),
    }
    done = build(home, settings=tiny(), **there)
    killer.join()
    assert worker.poll() == -9
    assert tree(data_set(done)) == whole


@pytest.fixture(scope="module")
def undisturbed(build: Build, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data set of an undisturbed build by one worker with one thread."""
    return data_set(
        build(
            tmp_path_factory.mktemp("undisturbed"),
            BITEXT_PIVOT_WORKERS="1",
            BITEXT_PIVOT_THREADS="1",
        )
    )


@pytest.mark.nightly
def test_a_build_killed_twice_makes_only_what_is_missing(
    build: Build, tmp_path: Path, undisturbed: Path
) -> None:
    complete = [name for name in shards_of(undisturbed.parents[1]) if "/pairs-" in name]
    assert build(tmp_path, "pairs 3", BITEXT_PIVOT_WORKERS="1").returncode == -signal.SIGKILL
    first = shards_of(tmp_path)
    assert 0 < sum("/pairs-" in name for name in first) < len(complete)
    # A shard goes through all stages before the next one.
    assert any("/judged-" in name for name in first)
    more = {"BITEXT_PIVOT_WORKERS": "3", "BITEXT_PIVOT_THREADS": "2"}
    assert build(tmp_path, "score 1", **more).returncode == -signal.SIGKILL
    second = shards_of(tmp_path)
    assert any("/parsed-" in name for name in second.keys() - first.keys())
    assert sum("/scored-" in name for name in second) < len(complete)
    assert {name: second[name] for name in first} == first
    resumed = data_set(build(tmp_path, **more))
    last = shards_of(tmp_path)
    assert {name: last[name] for name in second} == second
    assert tree(resumed) == tree(undisturbed)
