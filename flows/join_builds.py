"""Join: one data set out of the judged pairs of several builds of one language, with different pivots."""

from contextvars import copy_context
from pathlib import Path

from prefect import flow

from bitext_pivot.core.site import Site
from bitext_pivot.corpus.facts import BuildFacts
from bitext_pivot.corpus.recipes.joined import JUDGED, joined
from bitext_pivot.flows.join_settings import JoinBuilds
from bitext_pivot.flows.pivot_bitext import pivot_bitext
from bitext_pivot.tasks.ahead.check import check
from bitext_pivot.tasks.ahead.refusals import check_offline
from bitext_pivot.tasks.divide import Divided, divide_all
from bitext_pivot.tasks.export import write_data_set
from bitext_pivot.tasks.join import join
from bitext_pivot.tasks.run import builds, finished
from bitext_pivot.tasks.run.run_page import begin_run
from bitext_pivot.tasks.run.runners import runner


@flow(name="join-builds", task_runner=runner())
def join_builds(settings: JoinBuilds) -> Path:
    """Join the kept pairs of builds, those of presets built first, and return the folder of the data set."""
    begin_run()
    site = Site()
    settings = _with_presets_built(settings, site)
    settings, signature = check(settings, site)
    found = builds.read_all(settings.builds, site)
    judged = builds.shards_of(found)
    divided = divide_all(JUDGED, judged, settings, site)
    related = join(divided, site)
    facts = BuildFacts(
        title=settings.title,
        signature={**signature, "sources": builds.sources(found)},
        corpora=builds.corpora(found),
    )
    recipe = joined(
        builds.recipe(found, settings.language), dict(zip(related, judged, strict=True))
    )
    folder: Path = write_data_set(recipe, Divided(related, divided.assignments), settings, facts)
    finished.remember(folder, signature, builds.identities(found))
    return folder


def _with_presets_built(settings: JoinBuilds, site: Site) -> JoinBuilds:
    """Build the presets, each in a run of its own, and return the settings with data sets in their place."""
    if not settings.presets:
        return settings
    check_offline(settings, site)  # before hours of building
    folders = [copy_context().run(pivot_bitext, form) for form in settings.forms()]
    return settings.model_copy(
        update={"builds": [*settings.builds, *map(str, folders)], "presets": []}
    )
