"""BiSECT (Kim et al., EMNLP 2021): pairs from 1-2 and 2-1 alignments, one side translated into the other's language."""

from pathlib import Path

from prefect import flow

from bitext_pivot.flows import pivot_bitext_stages
from bitext_pivot.flows.pivot_settings import PivotBitext
from bitext_pivot.flows.prefect_run import record_run, task_runner


@flow(name="pivot-bitext", task_runner=task_runner())
def pivot_bitext(settings: PivotBitext) -> Path:
    """Build the pairs of one language, with a pivot language, and return the data set's folder.

    Its stages: check, fetch, extract, trial, translate, parse, score, judge, divide, export.
    """
    return record_run(pivot_bitext_stages.build, settings)
