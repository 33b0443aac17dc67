"""Fetch: OPUS archives to disk. Downloads retry transient errors themselves (alignments/download/file.py)."""

from collections.abc import Mapping, Sequence
from typing import Any

from prefect import get_run_logger, task, unmapped

from bitext_pivot.alignments import opus
from bitext_pivot.alignments.own import RequestedBitext, resolve
from bitext_pivot.alignments.release import Release
from bitext_pivot.alignments.sources import AnyArchives, identities
from bitext_pivot.core.site import Site
from bitext_pivot.corpus.rebuild import compare
from bitext_pivot.tasks.run.progress import in_the_log
from bitext_pivot.tasks.run.stages import STAGE, wait_all


def fetch_sources(
    requested: Sequence[Release | RequestedBitext], expected: Mapping[str, Any], site: Site
) -> list[AnyArchives]:
    """Fetch all sources of a build and return them in order; call it in a flow.

    Raises SettingsError, one line per difference, if they are not those that a card `expected`; without a card there
    are none.
    """
    sources = wait_all(fetch=fetch.map(requested, unmapped(site)))
    if expected:
        compare({"sources": expected}, {"sources": identities(sources)})
    return sources


@task(task_run_name="fetch {requested.corpus}", **STAGE)
def fetch(requested: Release | RequestedBitext, site: Site, *, whole: bool = False) -> AnyArchives:
    """Download the files of a release to the data folder unless they are there, or find local bitext.

    If `whole`, all documents of a language are downloaded, not only those that the pair needs.
    """
    if isinstance(requested, RequestedBitext):
        return resolve(requested)
    with in_the_log():
        return opus.fetch(requested, site, whole=whole, log=get_run_logger())
