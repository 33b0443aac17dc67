"""Costs: what the manifests of shards say, added up by stage, with units."""

from pathlib import Path
from typing import Any

import pytest

from bitext_pivot.core.storage import atomic

FIRST = {"rows": 100, "skips": {}, "seconds": 2.0, "cpu_seconds": 1.5, "peak_bytes": 80_000_000}
TOKENS = {"counts": {"tokens": {"read": 3_000_000, "written": 2_000_000}}}


def shard(folder: Path, name: str, **facts: Any) -> Path:
    """Write the manifest of a shard of pairs, with that of the alignments before it."""
    path = folder / "pairs-01234567" / f"{name}.parquet"
    counts = {"rows": 90, "skips": {}, "seconds": 30.0, "before": {"alignments": FIRST}, **facts}
    atomic.write_sealed(atomic.manifest_path(path), counts)
    return path


def table(
    paths: list[Path], price: tuple[float, float] | None = None
) -> tuple[list[str], list[list[str]]]:
    from bitext_pivot.tasks.run.costs import costs, costs_table

    made = costs_table("What it took", [*costs(paths, "alignments").items()], price)
    return [*made.head], [[*map(str, row)] for row in made.rows]


def test_stages_add_up_over_shards(tmp_path: Path) -> None:
    usage = {"cpu_seconds": 55.0, "peak_bytes": 900_000_000}
    head, rows = table([shard(tmp_path, "a", **usage), shard(tmp_path, "b", **usage)])
    assert head == ["stage", "rows", "speed", "time of a worker", "CPU", "memory"]
    assert rows == [
        ["alignments", "200", "50.0 rows/s", "4.0 s", "3.0 s", "80.0 MB"],
        ["pairs", "180", "3.0 rows/s", "60 s", "110 s", "900.0 MB"],
    ]


@pytest.mark.parametrize(
    ("busy", "cells"),
    [
        ([None, None], None),
        ([0.5, 1.0], ("45 s", "75%")),
        ([0.0, 0.0], ("0.0 s", "0%")),
    ],
)
def test_a_gpu_is_a_column_where_it_is_read(
    busy: list[float | None], cells: tuple[str, str] | None, tmp_path: Path
) -> None:
    paths = []
    for number, share in enumerate(busy):
        usage = {} if share is None else {"gpu_busy": share}
        paths.append(shard(tmp_path, str(number), **usage))
    head, rows = table(paths)
    assert ("GPU busy" in head) is (cells is not None)
    if cells:
        column = head.index("GPU")
        assert (rows[0][column], tuple(rows[1][column : column + 2])) == ("", cells)


@pytest.mark.parametrize(
    ("prices", "money"), [(None, None), ((0.1, 0.5), "1.30"), ((0.0, 0.0), "0.00")]
)
def test_tokens_cost_money_where_a_price_is_given(
    prices: tuple[float, float] | None, money: str | None, tmp_path: Path
) -> None:
    head, rows = table([shard(tmp_path, "a", **TOKENS)], price=prices)
    tokens = rows[1][head.index("tokens")]
    assert tokens == "3,000,000 read, 2,000,000 written"
    assert ("money" in head) is (money is not None)
    if money:
        assert rows[1][head.index("money")] == money


def test_shards_of_an_earlier_version_count_for_their_seconds(tmp_path: Path) -> None:
    from bitext_pivot.tasks.run.costs import costs

    path = shard(tmp_path, "a")
    stage = costs([path], "alignments")["pairs"]
    assert (stage.seconds, stage.cpu_seconds, stage.gpu_seconds, stage.peak_bytes) == (
        30,
        0,
        None,
        0,
    )


def test_what_is_to_come_is_in_proportion_to_alignments(tmp_path: Path) -> None:
    from bitext_pivot.tasks.run.costs import costs

    path = shard(tmp_path, "a", gpu_busy=0.5, cpu_seconds=60.0, peak_bytes=7, **TOKENS)
    expected = costs([path], "alignments")["pairs"].expected(1_000)
    assert (expected.rows, expected.seconds, expected.cpu_seconds) == (900, 300, 600)
    assert (expected.gpu_seconds, expected.peak_bytes) == (150, 7)
    assert (expected.read, expected.written) == (30_000_000, 20_000_000)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0.0 s"),
        (9.94, "9.9 s"),
        (95, "95 s"),
        (120, "2 min"),
        (7199, "120 min"),
        (12_240, "3.4 h"),
    ],
)
def test_times_have_units(seconds: float, text: str) -> None:
    from bitext_pivot.tasks.run.costs import duration

    assert duration(seconds) == text
