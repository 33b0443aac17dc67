"""Progress of a run: a bar for each stage on the terminal, and log lines of tasks that take long.

The run's page in the Prefect UI has each task.
"""

import time
from collections import Counter
from contextlib import AbstractContextManager
from typing import Any

from prefect import get_run_logger
from prefect.client.schemas.objects import State

from bitext_pivot.core.progress import logged_to, show_stage, time_left


def in_the_log() -> AbstractContextManager[None]:
    """Log what is tracked inside every 30 seconds in the log of the current task."""
    return logged_to(get_run_logger())


class StageProgress:
    """The bar of a stage. A task of it is a shard; of `fetch` and `extract` a corpus.

    The flow sees every task end, whichever process or machine runs it.
    """

    def __init__(self, name: str, tasks: int) -> None:
        self._name, self._tasks = name, tasks
        self._ended = Counter[str]()
        self._rows, self._begun = 0, time.monotonic()
        show_stage(name, 0, tasks, "")

    def count(self, state: State[Any], rows: int) -> None:
        """Count a task that ended in `state`, and its rows."""
        self._ended[_outcome(state)] += 1
        self._rows += rows
        show_stage(self._name, self._ended.total(), self._tasks, self.numbers)

    @property
    def numbers(self) -> str:
        """What stands beside the bar: `2 of 4 (1 reused), 350 rows, 12 min left`."""
        done, seconds = self._ended.total(), time.monotonic() - self._begun
        others = [f"{self._ended[name]} {name}" for name in ("reused", "failed")]
        others = [other for other in others if not other.startswith("0 ")]
        parts = [f"{done} of {self._tasks}" + (f" ({', '.join(others)})" if others else "")]
        if self._rows:
            parts.append(f"{self._rows:,} rows")
        if left := time_left(done, self._tasks, self._ended["built"] / max(seconds, 1e-3)):
            parts.append(f"{left} left")
        return ", ".join(parts)


def _outcome(state: State[Any]) -> str:
    if not state.is_completed():
        return "failed"
    return "reused" if state.name == "Reused" else "built"
