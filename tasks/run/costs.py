"""What stages took, by the manifests of their shards."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from rich.filesize import decimal

from bitext_pivot.core.progress import duration
from bitext_pivot.core.tables import Table
from bitext_pivot.core.tokens import Price, price_of
from bitext_pivot.tasks.run.stages import cumulative_counts

_NOTE = "Time of a worker: the seconds of all shards, without waiting for others; workers go on side by side."
_GPU_NOTE = "GPU busy: share of a worker's time in which the GPU computed for anything."
_COLUMNS = (
    "download",
    "rows",
    "speed",
    "time of a worker",
    "GPU busy",
    "tokens",
    "money",
)


@dataclass(kw_only=True)
class StageCost:
    """What the shards of one stage took; of shards of an earlier version the seconds alone are known."""

    shards: int = 0
    rows: int = 0
    seconds: float = 0.0
    gpu_seconds: float | None = None
    """Seconds in which the GPU computed; None if nothing says so."""
    peak_bytes: int = 0
    """The most memory that a process had."""
    read: int = 0
    """Tokens that an endpoint read."""
    written: int = 0
    """Tokens that it wrote."""
    bytes_down: int = 0
    """Bytes of files that were downloaded."""

    @classmethod
    def of_shard(cls, counts: Mapping[str, Any]) -> Self:
        """Return what a shard took by its manifest."""
        seconds = counts.get("seconds", 0.0)
        gpu_seconds = None
        if "gpu_busy" in counts:
            gpu_seconds = counts["gpu_busy"] * seconds
        tokens = counts.get("counts", {}).get("tokens", {})
        return cls(
            shards=1,
            rows=counts["rows"],
            seconds=seconds,
            gpu_seconds=gpu_seconds,
            peak_bytes=counts.get("peak_bytes", 0),
            read=tokens.get("read", 0),
            written=tokens.get("written", 0),
        )

    def join(self, other: "StageCost") -> None:
        """Add what other shards of the stage took."""
        self.shards += other.shards
        self.rows += other.rows
        self.seconds += other.seconds
        if other.gpu_seconds is not None:
            self.gpu_seconds = (self.gpu_seconds or 0.0) + other.gpu_seconds
        self.peak_bytes = max(self.peak_bytes, other.peak_bytes)
        self.read += other.read
        self.written += other.written
        self.bytes_down += other.bytes_down


def costs(shards: Iterable[Path]) -> dict[str, StageCost]:
    """Return what each stage took up to shards of the last one, by the first part of its folders' names."""
    by_stage: dict[str, StageCost] = {}
    for shard in shards:
        for stage, counts in cumulative_counts(shard).items():
            by_stage.setdefault(stage, StageCost()).join(StageCost.of_shard(counts))
    return by_stage


def costs_table(title: str, stages: Sequence[tuple[str, StageCost]], price: Price | None) -> Table:
    """Return what stages took, by name; columns of which nothing is known are left out.

    `price`: that of the tokens of the model that translates, if it is known.
    """
    head = ("stage", *_COLUMNS)
    rows = [(name, *_cells(cost, price)) for name, cost in stages]
    notes = [_NOTE]
    if any(cost.gpu_seconds is not None for _, cost in stages):
        notes.append(_GPU_NOTE)
    if peak := max(cost.peak_bytes for _, cost in stages):
        notes.append(f"A process had {decimal(peak)} of memory at most.")
    shown = [n for n in range(len(head)) if any(row[n] for row in rows)]
    return Table(
        title=title,
        head=[head[n] for n in shown],
        rows=[[row[n] for n in shown] for row in rows],
        note=" ".join(notes),
    )


def _cells(cost: StageCost, price: Price | None) -> list[str]:
    """Return the cells of a stage, in the order of the columns; "" for what is not known."""
    cells = dict.fromkeys(_COLUMNS, "")
    if cost.bytes_down:
        cells["download"] = decimal(cost.bytes_down)
    if cost.shards:
        cells["rows"] = f"{cost.rows:,}"
    if cost.seconds:
        cells["speed"] = f"{cost.rows / cost.seconds:,.1f} rows/s"
        cells["time of a worker"] = duration(cost.seconds)
    if cost.gpu_seconds is not None:
        cells["GPU busy"] = f"{cost.gpu_seconds / max(cost.seconds, 1e-9):.0%}"
    if cost.read or cost.written:
        cells["tokens"] = f"{cost.read:,} read, {cost.written:,} written"
        cells["money"] = money(cost, price)
    return [*cells.values()]


def money(cost: StageCost, price: Price | None) -> str:
    """Return what the tokens cost in the currency of their price; "" without one."""
    if price is None:
        return ""
    return f"{price_of({'read': cost.read, 'written': cost.written}, price):,.2f}"
