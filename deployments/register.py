"""Register the work pool, the deployments and the automation of the Prefect UI, in one process.

    python -m bitext_pivot.deployments.register [POOL]

registers the deployments and the automation with the server of PREFECT_API_URL, for an existing work pool (by default:
local). Runs start in the current folder, to which relative paths of settings refer. `bitext-pivot serve` also creates
the pool. `prefect deploy` would load every flow once per deployment.
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.actions import WorkPoolCreate
from prefect.events.schemas.automations import AutomationCore
from prefect.workers.process import ProcessWorker

from bitext_pivot.core.data_files import read_toml
from bitext_pivot.deployments import definitions
from bitext_pivot.deployments.ui_form import form

_AUTOMATIONS = Path(__file__).with_name("automations.toml")
PULL = [{"prefect.deployments.steps.set_working_directory": {"directory": str(Path.cwd())}}]
JOB: dict[str, Any] = {
    # A run must survive its worker. With a pipe to a dead worker it would fail at its next log line.
    "stream_output": False,
    # automations.toml checks the heartbeat. Requests are retried for four minutes (2 + 4 + ... + 128 s).
    "env": {"PREFECT_FLOWS_HEARTBEAT_FREQUENCY": "30", "PREFECT_CLIENT_MAX_RETRIES": "7"},
}
"""Job variables of all deployments.

There is no concurrency limit, because Prefect ends a run that loses its lease on a slot (after a restart of the server,
or a crash that was reported late). Runs of the same pair wait for each other's shards instead (core/storage/locks.py).
"""


def create_pool(client: SyncPrefectClient, pool: str) -> None:
    """Create or update a work pool that starts runs as processes on the worker's machine."""
    template = ProcessWorker.get_default_base_job_template()
    client.create_work_pool(
        WorkPoolCreate(name=pool, type=ProcessWorker.type, base_job_template=template),
        overwrite=True,
    )


def register(
    client: SyncPrefectClient, pool: str, deployments: list[definitions.Deployment]
) -> int:
    """Create or update the deployments and the automation; return the number of created or updated deployments.

    Unchanged deployments are skipped, so that schedules added in the UI remain. An existing automation is not changed.
    """
    versions = {
        deployment.name: deployment.version for deployment in client.read_deployments(limit=200)
    }
    changed = [
        deployment
        for deployment in deployments
        if versions.get(deployment.name) != _version(deployment, pool)
    ]
    for deployment in changed:
        _create(client, pool, deployment)
    for automation in read_toml(_AUTOMATIONS)["automations"]:
        if not client.read_automations_by_name(automation["name"]):
            client.create_automation(AutomationCore.model_validate(automation))
    return len(changed)


def _version(deployment: definitions.Deployment, pool: str) -> str:
    """Return a digest of everything registered for a deployment, such as its form and code folder."""
    content = json.dumps(
        [str(deployment), deployment.entrypoint, form(deployment.flow), pool, PULL, JOB],
        sort_keys=True,
    )
    return hashlib.sha256(content.encode()).hexdigest()[:12]


def _create(client: SyncPrefectClient, pool: str, deployment: definitions.Deployment) -> None:
    flow = deployment.flow
    client.create_deployment(
        flow_id=client.create_flow_from_name(flow.name),
        name=deployment.name,
        version=_version(deployment, pool),
        entrypoint=deployment.entrypoint,
        description=deployment.description,
        tags=deployment.tags,
        parameters={"settings": deployment.settings},
        parameter_openapi_schema=form(flow),
        enforce_parameter_schema=True,
        work_pool_name=pool,
        job_variables={**JOB, "env": JOB["env"] | deployment.environment},
        pull_steps=PULL,
    )


def main(pool: str) -> None:
    """Register with the server of PREFECT_API_URL, for runs of an existing pool."""
    with get_client(sync_client=True) as client:
        changed = register(client, pool, definitions.deployments())
    sys.stdout.write(f"{changed} deployments are new or changed\n")


if __name__ == "__main__":
    main(*sys.argv[1:2] or ["local"])
