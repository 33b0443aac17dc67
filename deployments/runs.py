"""Mark runs and task runs whose process is gone as crashed: a run that stays Running offers no Retry.

A worker that is stopped ends its flow processes without reporting it (Prefect's issue 22528), and a power cut reports
nothing. The environment of a flow process has the id of its run, so the runs with a process on this machine are known.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterState,
    FlowRunFilterStateType,
    TaskRunFilter,
    TaskRunFilterState,
    TaskRunFilterStateType,
)
from prefect.client.schemas.objects import TERMINAL_STATES, FlowRun, State, StateType
from prefect.states import Crashed

RUN_ID = "PREFECT__FLOW_RUN_ID"
BEGUN = [StateType.PENDING, StateType.RUNNING, StateType.CANCELLING]
_YOUNG = timedelta(seconds=30)  # a run has no process just after submission and just before its end


async def mark_crashed(client: PrefectClient, pool: str, *, all_ended: bool = False) -> int:
    """Set the runs of `pool` that began, did not end and have no process here to Crashed; return their number.

    All workers of `pool` run on this machine. `all_ended`: no worker and no run has a process, so runs without a pool
    (started on the command line) and young runs count too.
    """
    begun = FlowRunFilter(state=FlowRunFilterState(type=FlowRunFilterStateType(any_=BEGUN)))
    alive = set(processes())
    gone = [
        run
        for run in await client.read_flow_runs(flow_run_filter=begun)
        if str(run.id) not in alive
        and (all_ended or (run.work_pool_name == pool and not _is_young(run)))
    ]
    for run in gone:
        state: State[None] = Crashed(
            message="The process of this run is gone. Press Retry: what is built stays built."
        )
        await client.set_flow_run_state(run.id, state, force=True)
    await _mark_tasks(client)
    return len(gone)


async def _mark_tasks(client: PrefectClient) -> None:
    """Set task runs that did not end, of runs that did, to Crashed: their process is gone."""
    ended = FlowRunFilter(
        state=FlowRunFilterState(type=FlowRunFilterStateType(any_=list(TERMINAL_STATES)))
    )
    begun = TaskRunFilter(state=TaskRunFilterState(type=TaskRunFilterStateType(any_=BEGUN)))
    while orphans := await client.read_task_runs(
        flow_run_filter=ended, task_run_filter=begun
    ):  # 200 at a time
        for orphan in orphans:
            state: State[None] = Crashed(message="The process of this task is gone.")
            await client.set_task_run_state(orphan.id, state, force=True)


def processes(folder: Path | None = None) -> dict[str, psutil.Process]:
    """Return the flow processes of this machine by their run's id; those of the server in `folder` only, if given."""
    by_run = {}
    for process in psutil.process_iter(["environ"]):  # None for processes of other users
        environment = process.info["environ"] or {}
        if RUN_ID in environment and (
            folder is None or environment.get("PREFECT_HOME") == str(folder)
        ):
            by_run[environment[RUN_ID]] = process
    return by_run


def _is_young(run: FlowRun) -> bool:
    """Return True if a run may have no process for a moment; a run that is Running always has one."""
    state = run.state
    return state is None or (
        not state.is_running() and datetime.now(UTC) - state.timestamp < _YOUNG
    )
