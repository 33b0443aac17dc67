"""A shard is built once, and built again when it or its manifest is lost."""

import logging
from collections import Counter
from pathlib import Path

import pytest

from pairs import atomic, shards
from pairs.records import Pair
from tasks import stages

ROWS = [
    Pair(
        id=str(n), language="en", long="a b", split=("a", "b"), pivot=None, translated=None, engine=None, alignment=None
    )
    for n in range(3)
]


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, list[int]]:
    """A shard that is built, and the numbers of the calls that built it."""
    monkeypatch.setattr(stages, "get_run_logger", lambda: logging.getLogger("test"))
    monkeypatch.setattr("tasks.progress.get_run_logger", lambda: logging.getLogger("test"))
    path, calls = tmp_path / "pairs-00000000" / "a.parquet", []
    assert build(path, calls) == "Completed"
    return path, calls


def build(path: Path, calls: list[int]) -> str | None:
    def make() -> tuple[list[Pair], Counter[str]]:
        calls.append(len(calls))
        return ROWS, Counter({"empty": 1})

    return stages.once(path, Pair, make, upstream=path.with_name("up.parquet")).name


def test_a_shard_that_exists_is_reused(built: tuple[Path, list[int]]) -> None:
    assert build(*built) == "Reused"
    assert built[1] == [0]


@pytest.mark.parametrize("harm", ["no shard", "no manifest", "half a manifest"])
def test_a_shard_that_is_lost_is_built_again(
    harm: str, built: tuple[Path, list[int]], caplog: pytest.LogCaptureFixture
) -> None:
    path, calls = built
    content = path.read_bytes()
    if harm == "no shard":
        path.unlink()
    elif harm == "no manifest":
        atomic.manifest(path).unlink()
    else:
        atomic.manifest(path).write_text('{"rows": 3,')
    caplog.set_level(logging.INFO)
    assert build(path, calls) == "Completed"
    assert calls == [0, 1] and path.read_bytes() == content and list(shards.read(path, Pair)) == ROWS
    assert atomic.facts(path)["skips"] == {"empty": 1}
    lost = "pairs-00000000/a: its manifest is lost, built again"
    assert (lost in caplog.messages) == (harm != "no shard")
