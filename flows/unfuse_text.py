"""DiscoFuse (Geva et al., NAACL 2019): rules split sentences and pair neighbours at discourse phenomena."""

from pathlib import Path

from prefect import flow

from bitext_pivot.flows import unfuse_text_stages
from bitext_pivot.flows.prefect_run import record_run, task_runner
from bitext_pivot.flows.unfuse_settings import UnfuseText


@flow(name="unfuse-text", task_runner=task_runner())
def unfuse_text(settings: UnfuseText) -> Path:
    """Build a DiscoFuse data set from documents and return its folder.

    Its stages: check, fetch, sentences, parse, unfuse, divide, export.
    """
    return record_run(unfuse_text_stages.build, settings)
