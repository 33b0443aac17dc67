"""Costs: what the manifests of shards say, added up by stage, with units."""

from pathlib import Path
from typing import Any

import pytest

from bitext_pivot.core.storage import atomic
from bitext_pivot.core.tables import Table

FIRST = {"rows": 100, "skips": {}, "seconds": 2.0, "peak_bytes": 80_000_000}
TOKENS = {"counts": {"tokens": {"read": 3_000_000, "written": 2_000_000}}}


def shard(folder: Path, name: str, **facts: Any) -> Path:
    """Write the manifest of a shard of pairs, with that of the alignments before it."""
    path = folder / "pairs-01234567" / f"{name}.parquet"
    counts = {"rows": 90, "skips": {}, "seconds": 30.0, "before": {"alignments": FIRST}, **facts}
    atomic.write_sealed(atomic.manifest_path(path), counts)
    return path


def table(paths: list[Path], price: tuple[float, float] | None = None) -> Table:
    from bitext_pivot.tasks.run.costs import costs, costs_table

    return costs_table("What it took", [*costs(paths).items()], price)


def test_stages_add_up_over_shards(tmp_path: Path) -> None:
    paths = [shard(tmp_path, "a", peak_bytes=900_000_000), shard(tmp_path, "b", peak_bytes=7)]
    made = table(paths)
    assert made.head == ["stage", "rows", "speed", "time of a worker"]
    assert made.rows == [
        ["alignments", "200", "50.0 rows/s", "4.0 s"],
        ["pairs", "180", "3.0 rows/s", "60 s"],
    ]
    assert " 900.0 MB of memory at most" in made.note


def column(made: Table, name: str) -> list[str] | None:
    """The cells of a column, None without it."""
    if name not in made.head:
        return None
    return [str(row[made.head.index(name)]) for row in made.rows]


@pytest.mark.parametrize(
    ("busy", "cells"),
    [
        ([None, None], None),
        ([0.5, 1.0], ["", "75%"]),
        ([0.0, 0.0], ["", "0%"]),
    ],
)
def test_a_gpu_is_a_column_where_it_is_read(
    busy: list[float | None], cells: list[str] | None, tmp_path: Path
) -> None:
    paths = []
    for number, share in enumerate(busy):
        usage = {} if share is None else {"gpu_busy": share}
        paths.append(shard(tmp_path, str(number), **usage))
    assert column(table(paths), "GPU busy") == cells


@pytest.mark.parametrize(
    ("prices", "money"), [(None, None), ((0.1, 0.5), "1.30"), ((0.0, 0.0), "0.00")]
)
def test_tokens_cost_money_where_a_price_is_given(
    prices: tuple[float, float] | None, money: str | None, tmp_path: Path
) -> None:
    made = table([shard(tmp_path, "a", **TOKENS)], price=prices)
    assert column(made, "tokens") == ["", "3,000,000 read, 2,000,000 written"]
    assert column(made, "money") == (money and ["", money])


def test_shards_of_an_earlier_version_count_for_their_seconds(tmp_path: Path) -> None:
    from bitext_pivot.tasks.run.costs import costs

    path = shard(tmp_path, "a")
    stage = costs([path])["pairs"]
    assert (stage.seconds, stage.gpu_seconds, stage.peak_bytes) == (30, None, 0)


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
    from bitext_pivot.core.progress import duration

    assert duration(seconds) == text
