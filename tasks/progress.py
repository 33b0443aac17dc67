"""Progress on the run page: one progress artifact per stage, and lines in the log of a task that takes long."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from prefect import get_run_logger
from prefect.artifacts import ProgressArtifact
from prefect.client.schemas.objects import State

from pairs.progress import Report, listening
from tasks.artifacts import put

_EVERY = 2.0  # seconds between two updates of an artifact


@contextmanager
def in_the_log() -> Iterator[None]:
    """Log what is tracked inside every 30 seconds: how much is done, how fast, how long it still takes.

    The artifact of the stage, the first word of what is tracked, shows it, too, if the flow runs in this process (the
    task runner `threads`). Work that ends sooner leaves no line.
    """
    logger = get_run_logger()

    def listener(report: Report) -> None:
        if not report.over:
            logger.info(report.text)
        if stage := _stages.get(report.what.partition(" ")[0]):
            stage.within(report)

    with listening(listener):
        yield


class StageProgress:
    """The progress artifact of one stage, updated by the flow while it waits for the stage's tasks.

    The flow sees every task end, whichever process or machine runs it. A task is a shard; of `fetch` and `extract` it
    is a corpus.
    """

    def __init__(self, stage: str, tasks: int) -> None:
        self.stage, self.tasks = stage, tasks
        self._at_work: dict[str, Report] = {}
        self._lock = threading.Lock()
        _stages[stage] = self
        self._created = self._begun = self._ended = datetime.now(UTC)
        self._rows = self._built = self._reused = self._failed = self._built_rows = 0
        self._shown = 0.0

    def show(self) -> None:
        """Create or update the artifact."""
        self._shown = time.monotonic()
        begun = sum(report.done / report.total for report in self._at_work.values() if report.total)
        percent = 100 - 100 * (self._left - begun) / max(self.tasks, 1)
        put(ProgressArtifact(key=f"progress-{self.stage}", progress=percent, description=self.text))

    def within(self, report: Report) -> None:
        """Show how far a task at work is; one that is over is counted when it has ended."""
        with self._lock:
            self._at_work.pop(report.what, None)
            if not report.over:
                self._at_work[report.what] = report
                self.show()

    def count(self, state: State[Any], rows: int, seconds: float | None) -> None:
        """Count a task that ended in `state`, the rows it gave, and the seconds it took (None: since this began)."""
        with self._lock:
            self._count(state, rows, seconds)
            if self._left == 0:
                _stages.pop(self.stage, None)
            if self._left == 0 or time.monotonic() - self._shown >= _EVERY:
                self.show()

    def _count(self, state: State[Any], rows: int, seconds: float | None) -> None:
        if not state.is_completed():
            self._failed += 1
        elif state.name == "Reused":
            self._reused += 1
        else:
            begun = self._created if seconds is None else state.timestamp - timedelta(seconds=seconds)
            self._begun = min(self._begun, begun) if self._built else begun
            self._ended = max(self._ended, state.timestamp) if self._built else state.timestamp
            self._built += 1
            self._built_rows += rows
        self._rows += rows

    @property
    def _left(self) -> int:
        return self.tasks - self._built - self._reused - self._failed

    @property
    def text(self) -> str:
        """`translate: 3 of 9 shards, 14,000 rows, 85.2 rows a second, 12 min left, 1 reused`, then shards at work."""
        seconds = max((self._ended - self._begun).total_seconds(), 1e-3)
        unit = "corpora" if self.stage in ("fetch", "extract") else "shards"
        parts = [f"{self.stage}: {self.tasks - self._left} of {self.tasks} {unit}"]
        parts += [f"{self._rows:,} rows"] * (self._rows > 0)
        parts += [f"{self._built_rows / seconds:,.1f} rows a second"] * (self._built_rows > 0)
        parts += [f"{seconds / max(self._built, 1) * self._left / 60:,.0f} min left"] * (
            self._built > 0 and self._left > 0
        )
        parts += [f"{number} {what}" for number, what in ((self._reused, "reused"), (self._failed, "failed")) if number]
        return "; ".join([", ".join(parts), *(report.text for report in self._at_work.values())])


_stages: dict[str, StageProgress] = {}
"""Stages of this process whose tasks have not all ended."""
