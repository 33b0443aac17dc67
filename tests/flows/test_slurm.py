"""A build on a real Slurm, in many jobs or in one, which loses jobs and nodes and ends with the same bytes."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from builds import QUICKSTART, quickstart, tree
from served import until
from slurm_cluster import Slurm, slurm

pytestmark = [pytest.mark.nightly, pytest.mark.slurm]
ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "deployments" / "build.sbatch"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Slurm]:
    """A Slurm of two nodes."""
    with slurm() as cluster:
        yield cluster


@pytest.fixture(scope="module")
def environment(cluster: Slurm) -> dict[str, str]:
    """The environment of a user who is logged in to the cluster, on whose nodes torch may use one thread."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PREFECT_", "BITEXT_PIVOT_"))
    }
    return kept | cluster.environment | {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "OMP_NUM_THREADS": "1",
        "BITEXT_PIVOT_OPUS": str(QUICKSTART / "opus"), "BITEXT_PIVOT_THREADS": "1",
    }  # fmt: skip


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A preset: a build of about twenty shards."""
    path = tmp_path_factory.mktemp("settings") / "few.json"
    path.write_text(json.dumps({"settings": quickstart(shard_rows=5)}), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def undisturbed(
    environment: dict[str, str], settings: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The data set of a build without Slurm."""
    home = tmp_path_factory.mktemp("undisturbed")
    command = ["bitext-pivot", "build", "--preset", str(settings)]
    there = environment | {"BITEXT_PIVOT_HOME": str(home)}
    subprocess.run(command, cwd=ROOT, env=there, check=True, capture_output=True, timeout=300)
    return home / "fr-en" / "latest"


def shards(home: Path, stage: str) -> int:
    """Count the shards of a stage."""
    return len(list(home.glob(f"fr-en/{stage}-*/*.parquet")))


def test_a_build_in_jobs_loses_a_job_and_a_node_and_goes_on(
    cluster: Slurm, environment: dict[str, str], settings: Path, undisturbed: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    there = environment | {
        "BITEXT_PIVOT_HOME": str(home), "BITEXT_PIVOT_RUNNER": "slurm", "BITEXT_PIVOT_WORKERS": "2",
        "BITEXT_PIVOT_SLURM_PARTITION": "main", "BITEXT_PIVOT_SLURM_CORES": "1", "BITEXT_PIVOT_SLURM_MEMORY": "6GB",
        "BITEXT_PIVOT_SLURM_TIME": "00:30:00",
    }  # fmt: skip
    log = tmp_path / "log.txt"
    command = ["bitext-pivot", "build", "--preset", str(settings)]
    with log.open("wb") as out:
        build = subprocess.Popen(command, cwd=ROOT, env=there, stdout=out, stderr=out)
        until(lambda: shards(home, "pairs") >= 1 and cluster.running())
        cluster.run("scancel", next(iter(cluster.running())))
        until(lambda: shards(home, "pairs") >= 3 and cluster.running())
        node = next(iter(cluster.running().values()))
        cluster.lose(node)
        assert build.wait(400) == 0, log.read_text(encoding="utf-8")
    cluster.start(node)
    assert tree(home / "fr-en" / "latest") == tree(undisturbed)
    until(lambda: not cluster.running())  # no job outlives the build


def test_a_build_in_one_job_goes_on_when_it_is_in_the_queue_again(
    cluster: Slurm, environment: dict[str, str], settings: Path, undisturbed: Path, tmp_path: Path
) -> None:
    home, log = tmp_path / "home", tmp_path / "log.txt"
    there = [
        f"--export=ALL,BITEXT_PIVOT_HOME={home}",
        f"--output={log}",
        "--cpus-per-task=2",
        "--mem=8G",
    ]
    submit = ["sbatch", "--parsable", *there, str(SCRIPT), "--preset", str(settings)]

    def submitted() -> str:
        done = subprocess.run(
            submit, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def begun(number: int) -> bool:
        return shards(home, "pairs") >= number and bool(cluster.running())

    job = submitted()
    until(lambda: begun(1))
    cluster.run("scancel", "--signal=USR1", "--batch", job)  # as two minutes before the wall time
    until(lambda: begun(2) and "requeue" not in cluster.run("squeue", "-h", "-j", job, "-o", "%r"))
    node = cluster.running()[job]
    cluster.lose(node)
    cluster.start(node)
    until(lambda: begun(3))
    cluster.run("scancel", job)
    until(lambda: not cluster.run("squeue", "-h"))
    assert not (home / "fr-en" / "latest").exists(), "the build ended before it was cancelled"
    job = submitted()
    until(lambda: not cluster.run("squeue", "-h"))
    assert tree(home / "fr-en" / "latest") == tree(undisturbed), log.read_text(encoding="utf-8")
