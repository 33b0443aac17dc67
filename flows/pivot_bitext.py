"""BiSECT (Kim et al., EMNLP 2021): pairs from 1-2 and 2-1 alignments, one side translated into the other's language."""

from functools import partial
from pathlib import Path

from prefect import flow, unmapped

from alignments.sources import facts, identities
from corpus.recipes.bisect import bisect
from flows.settings import PivotBitext
from pairs.site import Site
from tasks.calibrate import calibrated
from tasks.check import check
from tasks.export import export
from tasks.extract import extract
from tasks.fetch import fetch_sources
from tasks.judge import judge
from tasks.parse import parse
from tasks.run_page import begin_run
from tasks.score import score
from tasks.stages import flatten, runner, wait_all
from tasks.translate import translate


@flow(name="pivot-bitext", task_runner=runner())
def pivot_bitext(settings: PivotBitext, from_card: str = "") -> Path:
    """Build the pairs of one language pair, or those of a card, and return the folder of the data set."""
    begin_run("fetch", "extract", "translate", "parse", "score", "judge", "divide")
    site = Site()
    settings, signature = check(settings, from_card, site)
    language, pivot, where = unmapped(settings.language), unmapped(settings.pivot), unmapped(site)
    sources = fetch_sources(settings.sources(), signature["sources"], site)
    alignments = flatten(extract=extract.map(sources, unmapped(settings), where))
    pairs = translate.map(alignments, language, pivot, unmapped(settings.translation), where)
    parsed = parse.map(pairs, language, unmapped(settings.parser), where)
    scored = score.map(parsed, unmapped(settings.filters), where)
    wait = partial(wait_all, parse=parsed, score=scored, translate=pairs)
    filters, minimum = calibrated(settings.filters, settings.translation, signature["engine"], wait)
    judged = wait_all(translate=pairs, parse=parsed, score=scored, judge=judge.map(scored, unmapped(filters)))
    return export(
        bisect(filters.score_names()), judged, settings, signature, facts(sources),
        sources=identities(sources), min_confidence=minimum, thresholds=filters.thresholds(),
    )  # fmt: skip
