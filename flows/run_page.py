"""What a run's page shows: no tasks of a process that was killed, no tracebacks."""

import logging
from collections.abc import Iterable
from contextlib import suppress
from types import TracebackType
from uuid import UUID

from httpx import HTTPError
from prefect import State, get_client, get_run_logger, runtime, states
from prefect.client.orchestration import SyncPrefectClient
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterId,
    TaskRunFilter,
    TaskRunFilterState,
    TaskRunFilterStateType,
)
from prefect.client.schemas.objects import StateType
from prefect.exceptions import PrefectException
from prefect.states import Completed, Crashed

from bitext_pivot.core import progress
from bitext_pivot.core.errors import is_explained
from bitext_pivot.core.untrusted import guard_logs, safe
from bitext_pivot.tasks.run.signals import keep_ending_on_signals

BEGUN = [StateType.PENDING, StateType.RUNNING, StateType.CANCELLING]
"""States of runs and tasks that have a process."""
SERVER_ERRORS = (HTTPError, PrefectException, OSError)
"""What the client raises if the server does not answer."""
_format_exception = states.format_exception


def begin_run() -> None:
    """Remove the bars of another run, and set tasks that a killed process of this one left to Crashed; call it first.

    A server that does not answer is no reason to stop a build: the log gets a warning.
    """
    keep_ending_on_signals()
    progress.begin_run()
    run = FlowRunFilter(id=FlowRunFilterId(any_=[runtime.flow_run.id]))
    try:
        with get_client(sync_client=True) as client:
            mark_tasks_crashed(client, run)
    except SERVER_ERRORS as error:
        get_run_logger().warning(
            "Tasks of an earlier process were not marked, because of the server: %s", error
        )


def mark_crashed(client: SyncPrefectClient, runs: Iterable[UUID], message: str) -> None:
    """Set runs whose process is gone to Crashed, so that they offer Retry."""
    state: State[None] = Crashed(message=message)
    for run in runs:
        client.set_flow_run_state(run, state, force=True)


def mark_tasks_crashed(client: SyncPrefectClient, runs: FlowRunFilter) -> None:
    """Set the tasks of some runs that began and did not end to Crashed: their process is gone."""
    state: State[None] = Crashed(
        message="The process of this task is gone. What is missing is built again."
    )
    begun = TaskRunFilter(state=TaskRunFilterState(type=TaskRunFilterStateType(any_=BEGUN)))
    while tasks := client.read_task_runs(flow_run_filter=runs, task_run_filter=begun):  # 200
        for task in tasks:
            client.set_task_run_state(task.id, state, force=True)


def mark_stopped(run: str) -> None:
    """Set a run whose process ends on a signal to Crashed, if the server answers."""
    message = "The process was stopped. What is missing is built when it is run again."
    with suppress(*SERVER_ERRORS), get_client(sync_client=True) as client:
        mark_crashed(client, [UUID(run)], message)


def guard_run_page() -> None:
    """Keep secrets and control characters out of the logs and states of runs, also where nothing expected an error.

    Prefect has no hook for the message of a failed state; tests/flows/test_run_log.py fails if its function moves.
    """
    guard_logs()
    states.format_exception = _safe_exception  # type: ignore[assignment]  # its annotation lacks None
    for name in ("prefect.task_runs", "prefect.flow_runs"):
        logging.getLogger(name).addFilter(is_no_build_error)
        logging.getLogger(name).addFilter(is_news)


def _safe_exception(error: BaseException, trace: TracebackType | None = None) -> str:
    return safe(_format_exception(error, trace) if trace else _format_exception(error))


def is_news(record: logging.LogRecord) -> bool:
    """Return False for the line of Prefect that a task ended well, if it says nothing else."""
    return record.msg != f"Finished in state {Completed()}"


def is_no_build_error(record: logging.LogRecord) -> bool:
    """Return False for the traceback of a BuildError or of an OSError of a file: the next line has its message.

    At level DEBUG the log has the traceback, too.
    """
    error = record.exc_info[1] if record.exc_info else None
    hides = error is not None and is_explained(error)
    return not hides or logging.getLogger(record.name).isEnabledFor(logging.DEBUG)
