"""What a run page shows of the run itself: its name, and task runs of a process that was killed."""

import re
from datetime import date
from typing import Any

from coolname.data import config
from prefect import Flow, State, get_client, runtime
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterId,
    TaskRunFilter,
    TaskRunFilterState,
    TaskRunFilterStateType,
)
from prefect.client.schemas.objects import FlowRun, StateType
from prefect.states import Crashed

_SHOWN = 3
"""Corpora in a run's name; the others are counted."""
_LISTS: dict[str, Any] = config
_OF_THE_SERVER = {word for words in _LISTS.values() if words["type"] == "words" for word in words["words"]}
_OF_THE_FORM = re.compile(
    "(Awesome|Rustic|Small|Gorgeous|Fantastic|Sleek|Intelligent|Unbranded|Refined|Licensed|Generic|Practical|Ergonomic|"
    "Handcrafted|Tasty|Handmade|Incredible)-[A-Z].{0,5}"
)
"""The names that the form of Prefect 3.8 fills in: an adjective and an animal of six letters at most."""


def run_name() -> str:
    """Return the name typed in the form, otherwise one of the card or of languages and corpora, with today's date."""
    name, parameters = str(runtime.flow_run.name), runtime.flow_run.parameters
    if not is_generated(name):
        return name
    return f"{parameters.get('from_card') or _described(parameters['settings'].title)}, {date.today()}"


def plan_name() -> str:
    """Return the name of a plan: its card or its languages."""
    parameters = runtime.flow_run.parameters
    return f"plan {parameters.get('from_card') or parameters['settings'].folder}"


def is_generated(name: str) -> bool:
    """Return True for a name that Prefect's server (`wise-otter`) or its form (`Tasty-Otter`) made up."""
    words = name.split("-")
    return bool(_OF_THE_FORM.fullmatch(name)) or (len(words) > 1 and set(words) <= _OF_THE_SERVER)


def _described(title: str) -> str:
    pair, _, names = title.partition(": ")
    corpora = names.split(", ")
    more = f" and {len(corpora) - _SHOWN} more" if len(corpora) > _SHOWN else ""
    return f"{pair}: {', '.join(corpora[:_SHOWN])}{more}"


def mark_orphans(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:  # noqa: ARG001
    """Set task runs to Crashed that an earlier process of this flow run began and did not end, before new ones begin.

    A hook of the flow: Prefect logs what it raises and goes on.
    """
    begun = TaskRunFilterStateType(any_=[StateType.PENDING, StateType.RUNNING])
    with get_client(sync_client=True) as client:
        orphans = client.read_task_runs(
            flow_run_filter=FlowRunFilter(id=FlowRunFilterId(any_=[flow_run.id])),
            task_run_filter=TaskRunFilter(state=TaskRunFilterState(type=begun)),
        )
        for orphan in orphans:
            gone: State[None] = Crashed(message="The process of this task is gone. What is missing is built again.")
            client.set_task_run_state(orphan.id, gone, force=True)
