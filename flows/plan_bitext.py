"""Plan of a build: on a run's page what `bitext-pivot plan` prints."""

from prefect import flow

from bitext_pivot.core.tables import Page
from bitext_pivot.flows import plan_bitext_stages
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.flows.prefect_run import record_run, task_runner


@flow(name="plan-bitext", task_runner=task_runner())
def plan_bitext(settings: PivotBitext, trial: int = 0) -> Page:
    """Publish what a build would do and what is there already as the report of this run. Nothing is fetched or built.

    With `trial`, models and bitext are fetched and so many alignments translated and judged, as a build would do.
    What the build would refuse is a warning in the report and in the run's last state.
    """
    return record_run(plan_bitext_stages.build, settings, trial)
