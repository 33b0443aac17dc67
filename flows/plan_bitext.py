"""Plan of a build: on a run's page what `bitext-pivot plan` prints."""

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed

from bitext_pivot.core.site import Site
from bitext_pivot.corpus.rebuild import Card
from bitext_pivot.flows.settings import PivotBitext
from bitext_pivot.tasks.run.artifacts import publish_plan
from bitext_pivot.tasks.run.check import check_here, raise_together
from bitext_pivot.tasks.run.plan import check_card, plan


@flow(name="plan-bitext")
def plan_bitext(settings: PivotBitext, from_card: str = "") -> State[None]:
    """Publish sizes, shards and what exists already as the report of this run. Nothing is fetched or built.

    What the build would refuse fails the run after the artifact is published; models that are not here are not checked.
    """
    site, card = Site(), Card.at(from_card)
    settings = card.settings(settings)
    summaries: list[str] = []

    def show() -> None:
        page = plan(settings, site)
        publish_plan(page)
        summaries.append(page.summary)

    raise_together(show, lambda: check_here(settings, site), lambda: check_card(card, settings, site))
    return Completed(message=f"Nothing was fetched or built. {summaries[0]}. More under Artifacts: report.")
