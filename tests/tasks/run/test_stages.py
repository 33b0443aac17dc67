"""Stages: a shard is built once, built again when it is lost, and counts what came before it."""

import logging
import shutil
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from factories import pair

from bitext_pivot.core.records import Pair
from bitext_pivot.core.storage import manifest, shards

ROWS = [replace(pair("a b", "a", "b"), id=str(n)) for n in range(3)]


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, list[int]]:
    """A shard that is built, and the numbers of the calls that built it."""

    path, calls = tmp_path / "pairs-00000000" / "a.parquet", list[int]()
    shards.write(source_of(path), Pair, [*ROWS, ROWS[0]], {"skips": {"duplicate": 2}})
    assert build(path, calls) == "Completed"
    return path, calls


def source_of(path: Path) -> Path:
    return path.parents[1] / "alignments-00000000" / path.name


def build(path: Path, calls: list[int]) -> str | None:
    from bitext_pivot.tasks.run import stages

    def make() -> tuple[list[Pair], Counter[str]]:
        calls.append(len(calls))
        return ROWS, Counter({"empty": 1})

    built = stages.build_once(target(path), Pair, make, source=source_of(path))
    return "Completed" if built.is_new else "Reused"


def target(path: Path) -> Any:
    from bitext_pivot.tasks.run.targets import Target

    return Target(path, {"engine": "echo"})


def test_a_shard_that_exists_is_reused(built: tuple[Path, list[int]]) -> None:
    assert build(*built) == "Reused"
    assert built[1] == [0]


@pytest.mark.parametrize("harm", ["no shard", "half a shard", "another version"])
def test_a_shard_that_is_lost_is_built_again(
    harm: str, built: tuple[Path, list[int]], caplog: pytest.LogCaptureFixture
) -> None:
    path, calls = built
    content = path.read_bytes()
    if harm == "no shard":
        path.unlink()
    elif harm == "half a shard":
        path.write_bytes(content[:100])
    else:  # which wrote its manifest beside it
        pq.write_table(pq.read_table(path), path)
    caplog.set_level(logging.INFO)
    assert build(path, calls) == "Completed"
    assert (
        calls == [0, 1] and path.read_bytes() == content and list(shards.read(path, Pair)) == ROWS
    )
    assert shards.read_manifest(path)["skips"] == {"empty": 1}
    lost = "pairs-00000000/a.parquet was damaged, or written by another version: it is built again"
    assert (lost in caplog.messages) == (harm != "no shard")


def test_a_manifest_has_the_counts_of_all_earlier_stages(built: tuple[Path, list[int]]) -> None:
    from bitext_pivot.tasks.run import stages

    before = {"alignments": {"rows": 4, "skips": {"duplicate": 2}}}
    assert shards.read_manifest(built[0])["before"] == before
    counts = stages.cumulative_counts(built[0])
    assert {name: (one["rows"], one["skips"]) for name, one in counts.items()} == {
        "alignments": (4, {"duplicate": 2}),
        "pairs": (3, {"empty": 1}),
    }


def test_a_shard_says_what_its_key_is_made_of(built: tuple[Path, list[int]]) -> None:
    from bitext_pivot.tasks.run import targets

    assert targets.read_key(built[0]) == {"engine": "echo"}


def test_a_stage_that_is_built_again_says_once_what_of_its_key_is_another_one(
    built: tuple[Path, list[int]], caplog: pytest.LogCaptureFixture
) -> None:
    from bitext_pivot.tasks.run import stages
    from bitext_pivot.tasks.run.targets import Target

    caplog.set_level(logging.INFO)
    folder = built[0].parents[1] / "pairs-11111111"
    for name in ("a", "b", "a"):
        path = folder / f"{name}.parquet"
        if not source_of(path).exists():
            shards.write(source_of(path), Pair, ROWS, {"skips": {}})
        other = Target(path, {"engine": {"beam": 5}})
        stages.build_once(other, Pair, lambda: (ROWS, Counter()), source=source_of(path))
    assert caplog.messages == ["pairs-11111111: built again after a change of engine"]


def test_of_two_threads_one_writes_and_the_other_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitext_pivot.tasks.run import stages

    path = tmp_path / "folder" / "file"

    def write() -> None:
        time.sleep(0.2)
        path.write_text("x" * path.exists() + "x")

    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda _: stages.run_once(path.exists, write, path), range(2)))
    assert sorted(results) == [False, True] and path.read_text() == "x"


def test_what_a_killed_run_left_is_no_damage(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitext_pivot.tasks.run import stages

    folder = tmp_path / "export-00000000"

    def write() -> None:
        folder.mkdir(exist_ok=True)
        (folder / "rows").write_text("whole", encoding="utf-8")
        manifest.write(folder, {}, ["rows"])

    folder.mkdir()
    (folder / "rows").write_text("half", encoding="utf-8")
    stages.write_once(folder, [], write)
    assert caplog.messages == []
    (folder / "rows").write_text("other", encoding="utf-8")
    stages.write_once(folder, [], write)
    assert "export-00000000 is written again: rows has" in caplog.text
    assert manifest.problems(folder) == []
    copy = folder.rename(tmp_path / "export-11111111")
    stages.write_once(folder, [], write)
    shutil.rmtree(copy)
    folder.rename(copy)
    folder = copy
    stages.write_once(folder, [], write)
    assert (
        "export-11111111 is written again: manifest.json belongs to export-00000000" in caplog.text
    )
    assert manifest.misplaced(folder) == []
