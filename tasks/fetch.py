"""Fetch: OPUS archives to disk. The only stage that is retried, because the outside world may come back."""

from typing import Any

from prefect import task
from prefect.client.schemas.objects import State, TaskRun

from alignments import opus
from pairs.errors import AbsentError, SourceError
from pairs.site import Site
from tasks.stages import STAGE


async def _outside(_task: Any, _run: TaskRun, state: State[Any]) -> bool:
    error = await state.aresult(raise_on_failure=False)
    return isinstance(error, SourceError) and not isinstance(error, AbsentError)


@task(
    task_run_name="fetch {release.corpus}", retries=2, retry_delay_seconds=[2, 15], retry_condition_fn=_outside, **STAGE
)
def fetch(release: opus.Release) -> opus.Archives:
    """Bring a release's link file and its two sentence archives to the data folder, unless they lie there."""
    site = Site()
    return opus.fetch(release, site.opus, site.opus_folder, timeout=site.timeout)
