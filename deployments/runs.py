"""Runs whose process is gone: a run that stays Running offers no Retry.

A worker that is told to stop ends its flow processes and tells nobody (Prefect's issue 22528); after a cut of power
nobody is left to tell. Flow processes bear the number of their run in their environment, so on this machine it can be
seen which runs still have one.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterState, FlowRunFilterStateType
from prefect.client.schemas.objects import FlowRun, State, StateType
from prefect.states import Crashed

NUMBER = "PREFECT__FLOW_RUN_ID"
BEGUN = [StateType.PENDING, StateType.RUNNING, StateType.CANCELLING]
_YOUNG = timedelta(seconds=30)  # what was just handed to a worker has no process yet, what it ends just now no longer


async def mark_crashed(client: PrefectClient, pool: str, *, all_ended: bool = False) -> int:
    """Set the runs of `pool` that began, did not end and have no process here to Crashed; return how many there were.

    `pool` is one whose workers all run on this machine. `all_ended`: no worker is up, nor a process of any run, so that
    runs without a pool (begun at the command line) and young ones count too.
    """
    begun = FlowRunFilter(state=FlowRunFilterState(type=FlowRunFilterStateType(any_=BEGUN)))
    alive = set(processes())
    gone = [
        run
        for run in await client.read_flow_runs(flow_run_filter=begun)
        if str(run.id) not in alive and (all_ended or (run.work_pool_name == pool and not _is_young(run)))
    ]
    for run in gone:
        state: State[None] = Crashed(message="The process of this run is gone. Press Retry: what is built stays built.")
        await client.set_flow_run_state(run.id, state, force=True)
    return len(gone)


def processes(folder: Path | None = None) -> dict[str, psutil.Process]:
    """Return the flow processes of this machine by their run's id; those of the server in `folder` only, if given."""
    found = {}
    for process in psutil.process_iter():
        try:
            environment = process.environ()
        except psutil.Error:
            continue  # it ended just now, or is somebody else's
        if NUMBER in environment and (folder is None or environment.get("PREFECT_HOME") == str(folder)):
            found[environment[NUMBER]] = process
    return found


def _is_young(run: FlowRun) -> bool:
    """Whether it may be without a process for a moment and all is well; a run that is Running has one all the time."""
    state = run.state
    return state is None or (not state.is_running() and datetime.now(UTC) - state.timestamp < _YOUNG)
