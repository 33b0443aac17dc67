"""A run's name, and the task runs of a process that was killed."""

import asyncio
from datetime import date
from types import SimpleNamespace
from uuid import uuid4

import pytest
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import FlowRun, State
from prefect.states import Completed, Pending, Running
from prefect.testing.utilities import prefect_test_harness
from prefect.utilities.names import generate_slug
from runs import mark_crashed

from flows.pivot_bitext import pivot_bitext
from tasks import run_page
from tasks.translate import translate


@pytest.mark.parametrize(("title", "name", "shown"), [
    ("fr-en: Europarl/v8", "wise-otter", "fr-en: Europarl/v8, {today}"),
    ("fr-en: Europarl/v8, TED2020/v1", "Tasty-Otter", "fr-en: Europarl/v8, TED2020/v1, {today}"),
    ("el-en: A/v1, B/v1, C/v1, D/v1, E/v1", "wise-otter", "el-en: A/v1, B/v1, C/v1 and 2 more, {today}"),
    ("fr-en: Europarl/v8", "first try with Europarl", "first try with Europarl"),
    ("fr-en: Europarl/v8", "my-build", "my-build"),
    ("fr-en: Europarl/v8", "première", "première"),
    ("fr-en: Europarl/v8", "Tasty-experiment", "Tasty-experiment"),
    ("fr-en: Europarl/v8", "otter", "otter"),
])  # fmt: skip
def test_a_typed_name_stays_and_a_generated_one_gives_way(
    title: str, name: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = SimpleNamespace(name=name, parameters={"settings": SimpleNamespace(title=title)})
    monkeypatch.setattr(run_page, "runtime", SimpleNamespace(flow_run=run))
    assert run_page.run_name() == shown.format(today=date.today())


def test_a_build_from_a_card_and_a_plan_are_named_after_the_card(monkeypatch: pytest.MonkeyPatch) -> None:
    form = SimpleNamespace(title="fr-en: Europarl/v8", folder="fr-en")
    for card, build, plan in (("a/README.md", "a/README.md", "a/README.md"), ("", form.title, "fr-en")):
        run = SimpleNamespace(name="wise-otter", parameters={"settings": form, "from_card": card})
        monkeypatch.setattr(run_page, "runtime", SimpleNamespace(flow_run=run))
        assert (run_page.run_name(), run_page.plan_name()) == (f"{build}, {date.today()}", f"plan {plan}")


def test_every_name_of_the_server_is_known_as_generated() -> None:
    assert all(run_page.is_generated(generate_slug(2)) for _ in range(300))


def test_tasks_that_a_killed_process_left_are_crashed_when_the_run_goes_on() -> None:
    states: list[State[None]] = [Running(), Pending(), Completed()]
    with prefect_test_harness(server_startup_timeout=180), get_client(sync_client=True) as client:
        runs = [client.create_flow_run(pivot_bitext, parameters={}) for _ in range(2)]
        tasks = [
            client.create_task_run(translate, flow_run_id=run.id, dynamic_key=str(uuid4()), state=state)
            for run in runs
            for state in states
        ]
        run_page.mark_orphans(pivot_bitext, FlowRun(id=runs[0].id, flow_id=uuid4()), Running())
        names = [client.read_task_run(task.id).state_name for task in tasks]
        assert names == ["Crashed", "Crashed", "Completed", "Running", "Pending", "Completed"]
        client.set_flow_run_state(runs[1].id, Completed(), force=True)  # without a Retry: make repair
        asyncio.run(repair())
        assert [client.read_task_run(task.id).state_name for task in tasks[3:]] == ["Crashed", "Crashed", "Completed"]


async def repair() -> None:
    async with get_client() as client:
        await mark_crashed(client, "none")
