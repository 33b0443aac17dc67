"""The stages of `pivot_bitext`, for runs in this process and for those that Prefect records."""

from pathlib import Path

from bitext_pivot.alignments.sources import identities, source_facts
from bitext_pivot.core.site import Site
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.tasks import pairs
from bitext_pivot.tasks.ahead.check import check_pairs
from bitext_pivot.tasks.ahead.trial import run_trial
from bitext_pivot.tasks.divide import divide_all
from bitext_pivot.tasks.export import export
from bitext_pivot.tasks.extract import read_sources
from bitext_pivot.tasks.run.current_run import current_run
from bitext_pivot.tasks.run.futures import depth_first


def build(settings: PivotBitext) -> Path:
    """Build the pairs of one language, with a pivot language, and return the data set's folder."""
    site = Site()
    settings, signature, processing = check_pairs(settings, site)
    sources, alignments = read_sources(settings, signature["warnings"], site)  # fetch, extract
    trial = run_trial(alignments, processing, site)
    recipe = pairs.recipe(processing, settings, site)
    judged = depth_first(
        alignments,
        site,
        recipe,
        pairs.stages(processing, site),  # translate, parse, score, judge
    )
    divided = divide_all(recipe, judged, settings, site)
    folder = export(
        recipe,
        divided,
        settings,
        signature,
        source_facts(sources),
        sources=identities(sources),
        min_confidence=processing.min_confidence,
        thresholds=processing.filters.thresholds(),
        trial=trial.facts,
    )
    current_run().final_message = trial.outcome.warning or "All stages are complete."
    return folder
