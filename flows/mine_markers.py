"""Discovery (Sileo et al., NAACL 2019): adjacent sentences; the second begins with a discourse marker."""

from pathlib import Path

from prefect import flow

from bitext_pivot.flows import mine_markers_stages
from bitext_pivot.flows.mine_settings import MineMarkers
from bitext_pivot.flows.prefect_run import record_run, task_runner


@flow(name="mine-markers", task_runner=task_runner())
def mine_markers(settings: MineMarkers) -> Path:
    """Build a Discovery data set from documents and return its folder.

    Its stages: check, fetch, sentences, mine, select, divide, export.
    """
    return record_run(mine_markers_stages.build, settings)
