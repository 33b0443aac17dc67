"""The stages of `explicitate_bitext`, for runs in this process and for those that Prefect records."""

from pathlib import Path

from bitext_pivot.core.site import Site
from bitext_pivot.discourse.recipes.explicitation import explicitation_recipe
from bitext_pivot.discourse.tasks.read_neighbours import write_neighbours
from bitext_pivot.flows.explicitation_settings import ExplicitateBitext
from bitext_pivot.tasks.ahead.check import check
from bitext_pivot.tasks.divide import divide_all
from bitext_pivot.tasks.export import export
from bitext_pivot.tasks.fetch import fetch_all
from bitext_pivot.tasks.run.current_run import current_run
from bitext_pivot.tasks.run.futures import depth_first, flatten


def build(settings: ExplicitateBitext) -> Path:
    """Label the relations of neighbouring sentences, and return the folder of the data set.

    The sentences come from documents that several bitexts share.
    """
    site = Site()
    settings, signature = check(settings, site)
    rules = settings.explicitation
    archives = fetch_all(settings.releases(), site)
    pivots = len(settings.pivots)
    by_corpus = [archives[start : start + pivots] for start in range(0, len(archives), pivots)]
    joined = flatten(
        "neighbours",
        [
            current_run().submit_task("join bitexts", write_neighbours, each, settings, site)
            for each in by_corpus
        ],
    )
    explicitation = explicitation_recipe(rules.data_sets(settings.pivots))
    labelled = depth_first(
        joined,
        site,
        explicitation,
        settings.shard_stages(site),
    )
    sources = {archive.release.name: archive.identity for archive in archives}
    divided = divide_all(explicitation, labelled, settings, site)
    return export(explicitation, divided, settings, signature, sources=sources)
