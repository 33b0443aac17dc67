"""Create the work pool, the deployments and the automation of the Prefect UI, in one process.

`prefect work-pool create`, `prefect deploy --all` and `prefect automation create` do the same, but each command imports
Prefect anew, which takes seconds.
"""

import hashlib
import importlib
import json
from pathlib import Path
from typing import Any

import yaml
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.actions import DeploymentScheduleCreate, WorkPoolCreate
from prefect.client.schemas.schedules import CronSchedule
from prefect.events.schemas.automations import AutomationCore
from prefect.flows import Flow
from prefect.workers.process import ProcessWorker

HERE = Path(__file__).parent
PULL = [{"prefect.deployments.steps.set_working_directory": {"directory": str(HERE.parent)}}]


def read_definitions() -> list[dict[str, Any]]:
    """Return the deployments of prefect.yaml, each with its flow, imported, in place of the entrypoint's name."""
    deployments = yaml.safe_load((HERE / "prefect.yaml").read_text(encoding="utf-8"))["deployments"]
    return [definition | {"flow": _load_flow(definition["entrypoint"])} for definition in deployments]


async def register(client: PrefectClient, pool: str, definitions: list[dict[str, Any]]) -> int:
    """Create or update everything that the UI needs; return the number of deployments created or updated.

    Unchanged deployments are skipped: the server takes about half a second for each, and a schedule that was switched
    on in the UI stays on. An existing automation is left alone.
    """
    template = ProcessWorker.get_default_base_job_template()
    await client.create_work_pool(
        WorkPoolCreate(name=pool, type=ProcessWorker.type, base_job_template=template), overwrite=True
    )
    versions = {deployment.name: deployment.version for deployment in await client.read_deployments(limit=200)}
    changed = [one for one in definitions if versions.get(one["name"]) != _get_version(one)]
    for definition in changed:
        await _create_deployment(client, definition)
    for automation in yaml.safe_load((HERE / "automations.yaml").read_text(encoding="utf-8"))["automations"]:
        if not await client.read_automations_by_name(automation["name"]):
            await client.create_automation(AutomationCore.model_validate(automation))
    return len(changed)


def _get_version(definition: dict[str, Any]) -> str:
    """Return a digest of all that a deployment has: its definition, its form and the folder of the code."""
    content = {**definition, "flow": definition["flow"].parameters.model_dump(), "pull": PULL}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:12]


async def _create_deployment(client: PrefectClient, definition: dict[str, Any]) -> None:
    flow = definition["flow"]
    await client.create_deployment(
        flow_id=await client.create_flow_from_name(flow.name),
        name=definition["name"],
        version=_get_version(definition),
        entrypoint=definition["entrypoint"],
        description=definition["description"],
        tags=definition["tags"],
        parameters=definition["parameters"],
        parameter_openapi_schema=flow.parameters.model_dump(exclude_unset=True),
        enforce_parameter_schema=definition["enforce_parameter_schema"],
        work_pool_name=definition["work_pool"]["name"],
        job_variables=definition["work_pool"]["job_variables"],
        pull_steps=PULL,
        schedules=[_read_schedule(schedule) for schedule in definition.get("schedules", [])],
    )


def _read_schedule(schedule: dict[str, Any]) -> DeploymentScheduleCreate:
    cron = CronSchedule(cron=schedule["cron"], timezone=schedule["timezone"])
    return DeploymentScheduleCreate(schedule=cron, active=schedule["active"])


def _load_flow(entrypoint: str) -> Flow[Any, Any]:
    module, _, name = entrypoint.rpartition(".")
    flow: Flow[Any, Any] = getattr(importlib.import_module(module), name)
    return flow
