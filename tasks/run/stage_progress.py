"""Progress of a run: a bar for each stage on the terminal."""

import time
from collections import Counter
from typing import Literal

from bitext_pivot.core.progress import show_stage, time_left

Outcome = Literal["built", "reused", "failed"]


class StageProgress:
    """The progress bar of a stage. It counts finished shards, or corpora in the stages `fetch` and `extract`.

    The process that submits the tasks shows the bar, even if the workers are on other machines.
    """

    def __init__(self, name: str, tasks: int) -> None:
        self._name, self._tasks = name, tasks
        self._ended = Counter[str]()
        self._rows, self._begun = 0, time.monotonic()
        show_stage(name, 0, tasks, "")

    def count(self, outcome: Outcome, rows: int) -> None:
        """Count a task that has ended, and the number of rows it produced."""
        self._ended[outcome] += 1
        self._rows += rows
        show_stage(self._name, self._ended.total(), self._tasks, self.numbers)

    @property
    def numbers(self) -> str:
        """The text next to the bar, such as `2 of 4 (1 reused), 350 rows, 12 min left`."""
        done, seconds = self._ended.total(), time.monotonic() - self._begun
        others = [f"{self._ended[name]} {name}" for name in ("reused", "failed")]
        others = [other for other in others if not other.startswith("0 ")]
        parts = [f"{done} of {self._tasks}" + (f" ({', '.join(others)})" if others else "")]
        if self._rows:
            parts.append(f"{self._rows:,} rows")
        if left := time_left(done, self._tasks, self._ended["built"] / max(seconds, 1e-3)):
            parts.append(f"{left} left")
        return ", ".join(parts)
