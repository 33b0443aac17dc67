"""Keep the page of a run clear: mark tasks of killed processes as crashed, and hide secrets and tracebacks."""

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
"""The states of flow runs and task runs that have a process."""
SERVER_ERRORS = (HTTPError, PrefectException, OSError)
"""The errors of Prefect's client if the server does not answer."""
_format_exception = states.format_exception


def begin_run() -> None:
    """Prepare a flow run: remove old progress bars, mark tasks of a killed process as crashed.

    If the server does not answer, the build continues, with a warning in its log.
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
    """Set flow runs whose process has ended to Crashed, so that the UI offers to retry them."""
    state: State[None] = Crashed(message=message)
    for run in runs:
        client.set_flow_run_state(run, state, force=True)


def mark_tasks_crashed(client: SyncPrefectClient, runs: FlowRunFilter) -> None:
    """Set the unfinished tasks of flow runs whose process has ended to Crashed."""
    state: State[None] = Crashed(
        message="The process of this task has ended. Missing shards are built again."
    )
    begun = TaskRunFilter(state=TaskRunFilterState(type=TaskRunFilterStateType(any_=BEGUN)))
    while tasks := client.read_task_runs(flow_run_filter=runs, task_run_filter=begun):  # 200
        for task in tasks:
            client.set_task_run_state(task.id, state, force=True)


def mark_stopped(run: str) -> None:
    """Set a flow run that is being stopped by a signal to Crashed, if the server answers."""
    message = "The process was stopped. Run it again to build the missing shards."
    with suppress(*SERVER_ERRORS), get_client(sync_client=True) as client:
        mark_crashed(client, [UUID(run)], message)


def guard_run_page() -> None:
    """Keep secrets and control characters out of the logs and states of runs.

    This includes the messages of unexpected errors.

    Prefect 3.8 has no hook for the message of a failed state, so its function `format_exception` is replaced.
    tests/flows/test_run_log.py fails if a new version no longer calls it.
    """
    guard_logs()
    states.format_exception = _safe_exception  # type: ignore[assignment]  # its annotation lacks None
    for name in ("prefect.task_runs", "prefect.flow_runs"):
        logging.getLogger(name).addFilter(is_no_build_error)
        logging.getLogger(name).addFilter(is_news)


def _safe_exception(error: BaseException, trace: TracebackType | None = None) -> str:
    return safe(_format_exception(error, trace) if trace else _format_exception(error))


def is_news(record: logging.LogRecord) -> bool:
    """Return False for Prefect's line that a task has completed without a message."""
    return record.msg != f"Finished in state {Completed()}"


def is_no_build_error(record: logging.LogRecord) -> bool:
    """Return False for the traceback of an error whose message explains it in the next line.

    These are BuildError, and OSError of a file.

    At level DEBUG the log contains the traceback, too.
    """
    error = record.exc_info[1] if record.exc_info else None
    hides = error is not None and is_explained(error)
    return not hides or logging.getLogger(record.name).isEnabledFor(logging.DEBUG)
