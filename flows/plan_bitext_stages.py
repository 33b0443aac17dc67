"""The steps of `plan_bitext`, for runs in this process and for those that Prefect records."""

from contextlib import suppress
from dataclasses import replace

from bitext_pivot.core.errors import BuildError
from bitext_pivot.core.site import Site
from bitext_pivot.core.tables import Page, Table
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.tasks.ahead.plan import plan
from bitext_pivot.tasks.ahead.refusals import check_offline
from bitext_pivot.tasks.ahead.trial import trial_of
from bitext_pivot.tasks.run.artifacts import publish_plan
from bitext_pivot.tasks.run.current_run import current_run


def build(settings: PivotBitext, trial: int = 0) -> Page:
    """Publish the plan of a build, and which parts are finished, as the report of this run.

    Nothing is downloaded or built. With `trial`, models and bitext are downloaded, and this number of alignments is
    translated and judged as in a build. The report and the last state of the run list the settings that a build would
    refuse.
    """
    site = Site()
    refusals: list[str] = []
    try:
        check_offline(settings, site)
    except BuildError as error:
        refusals = str(error).splitlines()
    done, time, tables = "Nothing was fetched or built", "", []
    if refusals:
        done = f"The build would stop: {' '.join(refusals)}"
        rows = [(line,) for line in refusals]
        tables = [Table(title="The build would stop", head=("problem",), rows=rows)]
    elif trial:
        tried = trial_of(settings, site, trial)
        done = tried.facts["warning"] or "Tried"
        tables = [tried.table()]
        time = f"at most {tried.time} on one worker"
    page = Page(title=settings.title, summary=done, tables=tables)
    with suppress(BuildError):  # a name that is refused above
        planned = plan(settings, site, time=time)
        page = replace(planned, tables=[*tables, *planned.tables])
    publish_plan(page)
    current_run().final_message = f"{done}. {page.summary}. More under Artifacts: report."
    return page
