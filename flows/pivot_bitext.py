"""BiSECT (Kim et al., EMNLP 2021): pairs from 1-2 and 2-1 alignments, one side translated into the other's language."""

from pathlib import Path

from prefect import flow, unmapped

from flows.settings import PivotBitext
from pairs.site import Site
from tasks.check import check
from tasks.export import export
from tasks.extract import extract
from tasks.fetch import fetch
from tasks.judge import judge
from tasks.parse import parse
from tasks.score import score
from tasks.stages import flatten, runner, wait_all
from tasks.translate import translate


@flow(name="pivot-bitext", flow_run_name="{settings.pivot}-{settings.language}", task_runner=runner())
def pivot_bitext(settings: PivotBitext) -> Path:
    """Build the pairs of one language pair and return the folder of the data set."""
    signature = check(settings.pinned(), settings.translation, settings.parser, settings.filters)
    settings = PivotBitext.model_validate(signature["settings"])  # with releases and commits in place of `latest`
    language, pivot, filters = unmapped(settings.language), unmapped(settings.pivot), unmapped(settings.filters)
    sources = wait_all(fetch.map(settings.sources()))
    alignments = flatten(extract.map(sources, unmapped(settings), unmapped(Site().build_folder(settings.folder))))
    pairs = translate.map(alignments, language, pivot, unmapped(settings.translation))
    parsed = parse.map(pairs, language, unmapped(settings.parser))
    scored = score.map(parsed, filters)
    judged = judge.map(scored, filters, unmapped(settings.categories))
    return export(wait_all(pairs, parsed, scored, judged), sources, settings.title, signature)
