"""A build that was killed goes on where it stopped, and ends with the very bytes of a build that was not."""

import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from builds import tree

Build = Callable[..., subprocess.CompletedProcess[str]]


def shards_of(home: Path) -> dict[str, int]:
    """Every shard with the time it was written."""
    return {str(path.relative_to(home)): path.stat().st_mtime_ns for path in home.glob("*-*/*/*.parquet")}


def data_set(done: subprocess.CompletedProcess[str]) -> Path:
    """The folder that a build printed."""
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip().splitlines()[-1])


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the build lies that the others are compared with."""
    return tmp_path_factory.mktemp("undisturbed")


@pytest.mark.parametrize(("kill", "finished", "unfinished"), [
    ("translate 3", "pairs", "pairs"),
    ("score 2", "pairs", "scored"),
])  # fmt: skip
def test_a_killed_build_makes_only_what_is_missing(
    kill: str, finished: str, unfinished: str, build: Build, tmp_path: Path, undisturbed: Path
) -> None:
    whole = data_set(build(undisturbed, BITEXT_PIVOT_WORKERS="1"))
    home = tmp_path / "home"
    killed = build(home, kill, BITEXT_PIVOT_WORKERS="1")
    assert killed.returncode == -signal.SIGKILL
    before = shards_of(home)
    assert any(f"/{finished}-" in name for name in before)
    wanted = sum(f"/{unfinished}-" in name for name in shards_of(undisturbed))
    assert sum(f"/{unfinished}-" in name for name in before) < wanted
    resumed = data_set(build(home, BITEXT_PIVOT_WORKERS="1"))
    after = shards_of(home)
    assert {name: after[name] for name in before} == before
    assert tree(resumed) == tree(whole)


def test_neither_workers_nor_threads_change_a_byte(build: Build, tmp_path: Path, undisturbed: Path) -> None:
    one = data_set(build(undisturbed, BITEXT_PIVOT_WORKERS="1", BITEXT_PIVOT_THREADS="1"))
    many = data_set(build(tmp_path / "home", BITEXT_PIVOT_WORKERS="3", BITEXT_PIVOT_THREADS="2"))
    assert tree(many) == tree(one)
