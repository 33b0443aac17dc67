"""The stages of `join_builds`, for runs in this process and for those that Prefect records."""

from collections.abc import Callable
from pathlib import Path

from bitext_pivot.core import progress
from bitext_pivot.core.site import Site
from bitext_pivot.corpus.facts import BuildFacts
from bitext_pivot.corpus.recipes.joined import JUDGED, joined
from bitext_pivot.flows import pivot_bitext_stages
from bitext_pivot.flows.join_settings import JoinBuilds
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.tasks.ahead.check import check
from bitext_pivot.tasks.ahead.refusals import check_offline
from bitext_pivot.tasks.divide import DividedShards, divide_all
from bitext_pivot.tasks.export import write_data_set
from bitext_pivot.tasks.join import join
from bitext_pivot.tasks.run import builds, finished


def build(
    settings: JoinBuilds, build_first: Callable[[PivotBitext], Path] = pivot_bitext_stages.build
) -> Path:
    """Build the presets, join the pairs of all builds, and return the folder of the data set."""
    site = Site()
    settings = _with_presets_built(settings, site, build_first)
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
    folder = write_data_set(recipe, DividedShards(related, divided.assignments), settings, facts)
    finished.record_build(folder, signature, builds.identities(found))
    return folder


def _with_presets_built(
    settings: JoinBuilds, site: Site, build_first: Callable[[PivotBitext], Path]
) -> JoinBuilds:
    """Build each preset, and return the settings with the folders of these builds.

    The folders are added to `builds`, and `presets` is empty.
    """
    if not settings.presets:
        return settings
    check_offline(settings, site)  # the presets may take hours to build
    folders = []
    for form in settings.forms():
        progress.begin_run()
        folders.append(build_first(form))
    return settings.model_copy(
        update={"builds": [*settings.builds, *map(str, folders)], "presets": []}
    )
