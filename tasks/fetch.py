"""Fetch: OPUS archives to disk. The only stage that is retried, because the outside world may come back.

A download asks several times by itself, for some seconds, and keeps what has come (alignments/download/sessions.py).
The task is retried once, a minute later, and only when the other side was busy, silent or cut off; other errors fail at
once.
"""

from typing import Any

from prefect import get_run_logger, task
from prefect.client.schemas.objects import State, TaskRun

from alignments import opus
from alignments.download.answers import PassingError, UnknownHostError
from alignments.own import Asked, resolve
from alignments.release import Release
from alignments.sources import Source
from pairs.site import Site
from tasks.progress import on_the_run_page
from tasks.stages import STAGE


async def _passing(_task: Any, _run: TaskRun, state: State[Any]) -> bool:
    error = await state.aresult(raise_on_failure=False)
    return isinstance(error, PassingError) and not isinstance(error, UnknownHostError)


@task(task_run_name="fetch {asked.corpus}", retries=1, retry_delay_seconds=60, retry_condition_fn=_passing, **STAGE)
def fetch(asked: Release | Asked, site: Site) -> Source:
    """Bring a release's files to the data folder, unless they lie there; find and check bitext that people bring."""
    if isinstance(asked, Asked):
        return resolve(asked)
    transfer = opus.Transfer(
        timeout=site.timeout,
        proxy=site.proxy_address,
        attempts=site.attempts,
        files=site.downloads,
        share=site.share,
    )
    with on_the_run_page():
        return opus.fetch(asked, site.opus, site.opus_folder, transfer=transfer, log=get_run_logger())
