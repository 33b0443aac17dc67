"""Publish the plan of a build, which `bitext-pivot plan` prints, on the page of a flow run."""

from prefect import flow

from bitext_pivot.core.tables import Page
from bitext_pivot.flows import plan_bitext_stages
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.flows.prefect_run import record_run, task_runner


@flow(name="plan-bitext", task_runner=task_runner())
def plan_bitext(settings: PivotBitext, trial: int = 0) -> Page:
    """Publish the plan of a build, and which parts are finished, as the report of this run.

    Nothing is downloaded or built. With `trial`, models and bitext are downloaded, and this number of alignments is
    translated and judged as in a build. The report and the last state of the run list the settings that a build would
    refuse.
    """
    return record_run(plan_bitext_stages.build, settings, trial)
