"""What a build would do, told before it is started: on a run page what `bitext-pivot plan` prints."""

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed

from flows.settings import PivotBitext
from pairs.site import Site
from tasks.artifacts import publish_plan
from tasks.check import Recipe, check_here, raise_together
from tasks.plan import plan


@flow(name="plan-bitext", flow_run_name="plan {settings.pivot}-{settings.language}")
def plan_bitext(settings: PivotBitext) -> State[None]:
    """Show sizes, shards and what is there already as an artifact of this run; nothing is fetched and nothing built.

    The form is that of the build, and so is what it refuses; only models that would have to be fetched are not looked
    at. What the build would refuse fails the run behind the artifact, so that both are seen.
    """
    recipe, site = Recipe.of(settings), Site()
    summaries: list[str] = []

    def show() -> None:
        page = plan(settings, recipe, site)
        publish_plan(page, f"{settings.pivot}-{settings.language}")
        summaries.append(page.summary)

    raise_together(show, lambda: check_here(settings, recipe, site))
    return Completed(message=f"Nothing was fetched or built. {summaries[0]}. More under Artifacts.")
