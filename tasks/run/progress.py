"""Progress of a run: bars of the stages, one bar and one table on its page, and log lines of tasks that take long."""

import time
from collections import Counter
from contextlib import AbstractContextManager
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from typing import Any

from prefect import get_run_logger
from prefect.artifacts import ProgressArtifact, TableArtifact
from prefect.client.schemas.objects import State

from bitext_pivot.core import progress as bars
from bitext_pivot.core.progress import logged_to
from bitext_pivot.tasks.run.artifacts import put

_EVERY = 5.0  # seconds between two updates of the artifacts


def in_the_log() -> AbstractContextManager[None]:
    """Log what is tracked inside every 30 seconds in the log of the current task."""
    return logged_to(get_run_logger())


class StageProgress:
    """Counts of one stage. A task of it is a shard; of `fetch` and `extract` a corpus."""

    def __init__(self, tasks: int) -> None:
        self.tasks = tasks
        self._ended = Counter[str]()
        self._begun = self._last = datetime.now(UTC)
        self._rows = self._built_rows = 0

    def count(self, state: State[Any], rows: int, seconds: float | None) -> None:
        """Count a task that ended in `state`, its rows, and the seconds it took (None: since the stage began)."""
        name = (
            ("Reused" if state.name == "Reused" else "Completed")
            if state.is_completed()
            else "Failed"
        )
        if name == "Completed":
            begun = self._begun if seconds is None else state.timestamp - timedelta(seconds=seconds)
            self._begun = min(self._begun, begun) if self._ended[name] else begun
            self._last = state.timestamp
            self._built_rows += rows
        self._ended[name] += 1
        self._rows += rows

    @property
    def done(self) -> int:
        """Number of the tasks that ended."""
        return self._ended.total()

    @property
    def share(self) -> float:
        """Share of the tasks that ended, from 0 to 1."""
        return self.done / self.tasks if self.tasks else 1.0

    def row(self) -> dict[str, str]:
        """Return the cells of the stage's row: shards done, rows, rows a second, minutes left."""
        seconds = max((self._last - self._begun).total_seconds(), 1e-3)
        done, built = self.done, self._ended["Completed"]
        others = [
            f"{self._ended[name]} {name.lower()}"
            for name in ("Reused", "Failed")
            if self._ended[name]
        ]
        return {
            "shards done": f"{done} of {self.tasks}"
            + (f" ({', '.join(others)})" if others else ""),
            "rows": f"{self._rows:,}",
            "rows a second": f"{self._built_rows / seconds:,.1f}" if self._built_rows else "",
            "minutes left": f"{seconds / built * (self.tasks - done) / 60:,.0f}" if built else "",
        }

    @property
    def numbers(self) -> str:
        """Those of the bar on the terminal, such as `2 of 4, 350 rows, 2.5 rows a second, 1 min left`."""
        row = self.row()
        parts = [row["shards done"]]
        if self._rows:
            parts.append(f"{row['rows']} rows")
        if row["rows a second"]:
            parts.append(f"{row['rows a second']} rows a second")
        if self.done < self.tasks and row["minutes left"]:
            parts.append(f"{row['minutes left']} min left")
        return ", ".join(parts)


class RunProgress:
    """How far the stages of a run are: a bar each on a terminal, and the artifacts `progress` and `stages`.

    The flow sees every task end, whichever process or machine runs it. Each stage is the same part of the
    artifact `progress`.
    """

    def __init__(self, *stages: str) -> None:
        self._stages: dict[str, StageProgress | None] = dict.fromkeys(stages)
        self._shown = 0.0

    def begin(self, **tasks: int) -> None:
        """Begin stages, given by their names and their numbers of tasks."""
        for name, number in tasks.items():
            self._stages[name] = StageProgress(number)
            bars.show_stage(name, 0, number, "")
        self.show()

    def count(self, stage: str, state: State[Any], rows: int, seconds: float | None) -> None:
        """Count a task of a stage that ended; see `StageProgress.count`."""
        if (counts := self._stages[stage]) is not None:
            counts.count(state, rows, seconds)
            bars.show_stage(stage, counts.done, counts.tasks, counts.numbers)
        if time.monotonic() - self._shown >= _EVERY:
            self.show()

    def show(self) -> None:
        """Create or update the two artifacts."""
        self._shown = time.monotonic()
        shares = [stage.share if stage else 0.0 for stage in self._stages.values()]
        share = sum(shares) / max(len(shares), 1)
        put(
            ProgressArtifact(
                key="progress", progress=100 * share, description="All stages of the run"
            )
        )
        waiting = dict.fromkeys(("shards done", "rows", "rows a second", "minutes left"), "")
        rows = [
            {"stage": name, **(stage.row() if stage else waiting)}
            for name, stage in self._stages.items()
        ]
        put(
            TableArtifact(
                key="stages", table=rows, description="Shards, rows and speed of each stage"
            )
        )


_progress: ContextVar[RunProgress | None] = ContextVar("_progress", default=None)


def expect(*stages: str) -> None:
    """Show the stages of the current run, in this order, before they begin."""
    _progress.set(RunProgress(*stages))
    bars.begin_run()


def of_run() -> RunProgress:
    """Return the progress of the current run."""
    if (progress := _progress.get()) is None:
        _progress.set(progress := RunProgress())
    return progress
