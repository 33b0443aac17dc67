"""Explicitation (Shi et al. 2019): implicit relations of neighbouring sentences, labelled through translations."""

from pathlib import Path

from prefect import flow

from bitext_pivot.flows import explicitate_bitext_stages
from bitext_pivot.flows.explicitation_settings import ExplicitateBitext
from bitext_pivot.flows.prefect_run import record_run, task_runner


@flow(name="explicitate-bitext", task_runner=task_runner())
def explicitate_bitext(settings: ExplicitateBitext) -> Path:
    """Label the relations of neighbouring sentences, and return the folder of the data set.

    The sentences come from documents that several bitexts share.

    Its stages: check, fetch, neighbours, translate, label, divide, export.
    """
    return record_run(explicitate_bitext_stages.build, settings)
