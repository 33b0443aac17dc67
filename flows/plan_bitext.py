"""The plan of a build, as on `bitext-pivot plan`, on the page of a flow run."""

from prefect import flow

from bitext_pivot.core.tables import Page
from bitext_pivot.flows import plan_bitext_stages
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.flows.prefect_run import record_run, task_runner


@flow(name="plan-bitext", task_runner=task_runner())
def plan_bitext(settings: PivotBitext, trial: int = 0) -> Page:
    """Publish the plan of a build and its finished parts as the report of this run. Nothing is fetched or built.

    With `trial`, models and bitext are fetched, and this number of alignments is translated and judged as in a build.
    The settings that a build would refuse are listed in the report and in the run's last state.
    """
    return record_run(plan_bitext_stages.build, settings, trial)
