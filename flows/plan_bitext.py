"""Plan of a build: on a run's page what `bitext-pivot plan` prints."""

from dataclasses import replace

from prefect import flow

from bitext_pivot.core.errors import SettingsError
from bitext_pivot.core.site import Site
from bitext_pivot.core.tables import Page, Table
from bitext_pivot.corpus.rebuild import Card
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.tasks.ahead.plan import check_card, plan
from bitext_pivot.tasks.ahead.refusals import check_offline, problems
from bitext_pivot.tasks.ahead.trial import trial_of
from bitext_pivot.tasks.run.artifacts import publish_plan
from bitext_pivot.tasks.run.run_page import end_run
from bitext_pivot.tasks.run.runners import runner


@flow(name="plan-bitext", task_runner=runner())
def plan_bitext(settings: PivotBitext, from_card: str = "", trial: int = 0) -> Page:
    """Publish sizes, shards and what exists already as the report of this run. Nothing is fetched or built.

    With `trial`, models and bitext are fetched and so many alignments translated and judged, as a build would do.
    What the build would refuse is a warning in the report and in the run's last state.
    """
    site = Site()
    card = Card.at(from_card)
    settings = card.settings(settings)
    pages: list[Page] = []
    refusals = problems(
        lambda: plan(settings, site, pages.append),
        lambda: check_offline(settings, site),
        lambda: check_card(card, settings, site),
    )
    if not pages:
        raise SettingsError("\n".join(refusals))
    page = pages[0]
    done = "Nothing was fetched or built"
    if refusals:
        table = Table(
            title="The build would stop", head=("problem",), rows=[(line,) for line in refusals]
        )
        page = replace(page, tables=[table, *page.tables])
        done = f"The build would stop: {' '.join(refusals)}"
    elif trial:
        tried = trial_of(settings, from_card, site, trial)
        page = replace(page, tables=[tried.table(), *page.tables])
        done = tried.facts["warning"] or "Tried"
    publish_plan(page)
    return end_run(page, f"{done}. {page.summary}. More under Artifacts: report.")
