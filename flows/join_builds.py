"""Join the judged pairs of several builds, with one language and several pivot languages, into one data set."""

from contextvars import copy_context
from pathlib import Path

from prefect import flow

from bitext_pivot.flows import join_builds_stages
from bitext_pivot.flows.join_settings import JoinBuilds
from bitext_pivot.flows.pivot_bitext import pivot_bitext
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.flows.prefect_run import record_run, task_runner


@flow(name="join-builds", task_runner=task_runner())
def join_builds(settings: JoinBuilds) -> Path:
    """Build the presets, join the pairs of all builds, and return the folder of the data set.

    Its stages: the presets, each in its own flow run, check, divide, join, export.
    """
    return record_run(join_builds_stages.build, settings, _run_pivot_flow)


def _run_pivot_flow(settings: PivotBitext) -> Path:
    folder: Path = copy_context().run(pivot_bitext, settings)
    return folder
