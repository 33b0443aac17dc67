"""Fetch: OPUS archives to disk. Downloads retry transient errors themselves (alignments/download/file.py)."""

from prefect import get_run_logger, task

from alignments import opus
from alignments.own import Asked, resolve
from alignments.release import Release
from alignments.sources import Source
from pairs.site import Site
from tasks.progress import in_the_log
from tasks.stages import STAGE


@task(task_run_name="fetch {asked.corpus}", **STAGE)
def fetch(asked: Release | Asked, site: Site) -> Source:
    """Download the files of a release to the data folder unless they are there, or find local bitext."""
    if isinstance(asked, Asked):
        return resolve(asked)
    transfer = opus.Transfer(
        timeout=site.timeout,
        proxy=site.proxy_address,
        attempts=site.attempts,
        files=site.downloads,
        share=site.share,
    )
    with in_the_log():
        return opus.fetch(asked, site.opus, site.opus_folder, transfer=transfer, log=get_run_logger())
