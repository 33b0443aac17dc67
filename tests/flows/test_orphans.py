"""The task runs of a process that was killed."""

from uuid import uuid4

import pytest


def test_tasks_of_a_killed_process_are_crashed_on_retry(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from prefect import runtime
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.objects import State
    from prefect.states import Completed, Pending, Running

    from bitext_pivot.deployments.runs import repair
    from bitext_pivot.flows import run_page
    from bitext_pivot.flows.pivot_bitext import pivot_bitext
    from bitext_pivot.flows.prefect_run import prefect_task

    states: list[State[None]] = [Running(), Pending(), Completed()]
    with get_client(sync_client=True) as client:
        runs = [client.create_flow_run(pivot_bitext, parameters={}) for _ in range(2)]
        tasks = [
            client.create_task_run(
                prefect_task("build"), flow_run_id=run.id, dynamic_key=str(uuid4()), state=state
            )
            for run in runs
            for state in states
        ]
        monkeypatch.setattr(runtime.flow_run, "id", str(runs[0].id), raising=False)
        run_page.begin_run()
        names = [client.read_task_run(task.id).state_name for task in tasks]
        assert names == ["Crashed", "Crashed", "Completed", "Running", "Pending", "Completed"]
        # The run continues without a Retry.
        client.set_flow_run_state(runs[1].id, Completed(), force=True)
        repair(client, "none")
        assert [client.read_task_run(task.id).state_name for task in tasks[3:]] == [
            "Crashed",
            "Crashed",
            "Completed",
        ]
