"""Fetch: OPUS archives to disk. Downloads retry transient errors themselves (alignments/download/file.py)."""

from prefect import get_run_logger, task

from alignments import opus
from alignments.own import RequestedBitext, resolve
from alignments.release import Release
from alignments.sources import Source
from pairs.site import Site
from tasks.progress import in_the_log
from tasks.stages import STAGE


@task(task_run_name="fetch {requested.corpus}", **STAGE)
def fetch(requested: Release | RequestedBitext, site: Site, *, whole: bool = False) -> Source:
    """Download the files of a release to the data folder unless they are there, or find local bitext.

    If `whole`, all documents of a language are downloaded, not only those that the pair needs.
    """
    if isinstance(requested, RequestedBitext):
        return resolve(requested)
    with in_the_log():
        return opus.fetch(requested, site, whole=whole, log=get_run_logger())
