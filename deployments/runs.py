"""Mark runs and task runs without a process as crashed, because a run in the state Running offers no Retry.

A worker that is stopped ends its flow processes without reporting it (issue 22528 of Prefect), and a power cut reports
nothing. The environment of a flow process contains the id of its run, so the runs that have a process are known.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil
from prefect.client.orchestration import SyncPrefectClient
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterState,
    FlowRunFilterStateType,
)
from prefect.client.schemas.objects import TERMINAL_STATES, FlowRun, StateType

from bitext_pivot.flows.run_page import BEGUN, mark_crashed, mark_tasks_crashed

RUN_ID = "PREFECT__FLOW_RUN_ID"
_YOUNG = timedelta(seconds=30)
"""Shortly after its submission and shortly before its end, a run has no process. Runs that were updated less than this
time ago are therefore left alone."""


def repair(client: SyncPrefectClient, pool: str, *, all_ended: bool = False) -> int:
    """Set unfinished runs of `pool` without a process to Crashed; return the number of these runs.

    Their unfinished tasks, and unfinished tasks of runs that have ended, become Crashed, too. All workers of `pool`
    must run on this machine. If `all_ended` is true, the caller knows that no worker and no run has a process: runs
    without a pool (started on the command line) and runs submitted just now are then set to Crashed, too.
    """
    alive = set(processes())
    gone = [
        run.id
        for run in client.read_flow_runs(flow_run_filter=_in_states(BEGUN))
        if str(run.id) not in alive
        and (all_ended or (run.work_pool_name == pool and not _is_young(run)))
    ]
    message = "The process of this run is gone. Press Retry: what is built stays built."
    mark_crashed(client, gone, message)
    mark_tasks_crashed(client, _in_states(list(TERMINAL_STATES)))
    return len(gone)


def _in_states(states: list[StateType]) -> FlowRunFilter:
    return FlowRunFilter(state=FlowRunFilterState(type=FlowRunFilterStateType(any_=states)))


def processes(folder: Path | None = None) -> dict[str, psutil.Process]:
    """Return the flow processes of this machine, by id of the run.

    If `folder` is given, only processes of the server in this folder are returned.
    """
    by_run = {}
    for process in psutil.process_iter(["environ"]):  # None for processes of other users
        environment = process.info["environ"] or {}
        if RUN_ID in environment and (
            folder is None or environment.get("PREFECT_HOME") == str(folder)
        ):
            by_run[environment[RUN_ID]] = process
    return by_run


def _is_young(run: FlowRun) -> bool:
    """Return True if a run may have no process yet, or no longer. A run in the state Running always has one."""
    state = run.state
    return state is None or (
        not state.is_running() and datetime.now(UTC) - state.timestamp < _YOUNG
    )
