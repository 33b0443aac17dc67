"""Prefect as the one who runs the tasks of a build: each has its state and its log on the run's page."""

from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

from prefect import get_client, get_run_logger, runtime, task
from prefect.artifacts import Artifact, MarkdownArtifact, TableArtifact
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.actions import ArtifactUpdate
from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterKey
from prefect.futures import PrefectFuture
from prefect.states import Completed
from prefect.task_runners import ProcessPoolTaskRunner, TaskRunner, ThreadPoolTaskRunner

from bitext_pivot.core import optional_packages
from bitext_pivot.core.errors import BuildError
from bitext_pivot.core.progress import logged_to
from bitext_pivot.core.site import Site
from bitext_pivot.flows.run_page import SERVER_ERRORS, begin_run, guard_run_page
from bitext_pivot.tasks.run import runners
from bitext_pivot.tasks.run.work import Built, running

_Result = TypeVar("_Result")

guard_run_page()


def task_runner() -> TaskRunner[Any]:
    """Return the task runner of `Site.runner`. Raises SettingsError as `runners.executor` does."""
    site = Site()
    if site.runner == "threads":
        return ThreadPoolTaskRunner(max_workers=site.workers)
    if site.runner == "processes":
        return ProcessPoolTaskRunner(max_workers=site.workers)
    optional_packages.require(
        "prefect_dask", "dask", "BITEXT_PIVOT_RUNNER dask", "set the runner to threads"
    )
    from prefect_dask.task_runners import DaskTaskRunner

    return DaskTaskRunner(**runners.dask_cluster(site))


def recorded(stages: Callable[..., _Result], *arguments: Any) -> _Result:
    """Run stages inside a flow of Prefect; the run's last state gets the message of `Work.end`."""
    begin_run()
    work = PrefectWork()
    with running(work), logged_to(get_run_logger()):
        result = stages(*arguments)
    # Prefect takes the state and returns its data
    return Completed(message=work.message, data=result)  # type: ignore[return-value]


class PrefectWork:
    """Tasks of Prefect, and the page of the current run."""

    has_page = True
    message: str | None = None

    def call(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a task here and return its result."""
        return _task(name)(function, arguments)

    def submit(self, name: str, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have the flow's task runner run a task."""
        ended = Future[Any]()
        submitted: PrefectFuture[Any] = _task(name).submit(function, arguments)
        submitted.add_done_callback(partial(_settle, ended))
        return ended

    def show(self, key: str, content: str | list[Any], description: str | None) -> None:
        """Create an artifact of the current run, or replace the one with its key.

        The key gets the first digits of the run's id, because the UI opens artifacts by key, the newest of all runs
        first. A server that does not answer is no reason to stop a build: the log gets a warning.
        """
        key = f"{key}-{str(runtime.flow_run.id)[:8]}"
        artifact: Artifact = (
            TableArtifact(key=key, table=content, description=description)
            if (isinstance(content, list))
            else MarkdownArtifact(key=key, markdown=content, description=description)
        )
        try:
            with get_client(sync_client=True) as client:
                before = client.read_artifacts(
                    artifact_filter=ArtifactFilter(key=ArtifactFilterKey(any_=[key]))
                )
                for record in before:
                    update = ArtifactUpdate(data=artifact.format(), description=description)
                    client.update_artifact(record.id, update)
            if not before:
                artifact.create()
        except SERVER_ERRORS as error:
            get_run_logger().warning(
                "The artifact %s was not published, because of the server: %s", key, error
            )

    def end(self, message: str) -> None:
        """Keep the message of the run's last state."""
        self.message = message


def _task(name: str) -> Any:
    """Return a task of Prefect, which caches nothing: shards on disk record what is done (docs/decisions/0002)."""
    begin = task(
        name=name.partition(" ")[0],
        task_run_name=lambda: name,
        cache_policy=NO_CACHE,
        persist_result=False,
    )
    return begin(_run)


def _run(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Run a task on a worker of Prefect; the state of what was `Built` is named Completed or Reused."""
    with logged_to(get_run_logger()):
        result = function(*arguments)
    if not isinstance(result, Built):
        return result
    name = "Completed" if result.is_new else "Reused"
    return Completed(name=name, message=result.message, data=result)


def _settle(ended: Future[Any], submitted: PrefectFuture[Any]) -> None:
    """Give a future the result of a task that ended."""
    submitted.wait()  # its state is known when its result has arrived
    state = submitted.state
    result = state.result(raise_on_failure=False)
    if state.is_completed():
        ended.set_result(result)
    elif isinstance(result, BaseException):
        ended.set_exception(result)
    else:
        ended.set_exception(BuildError(state.message or f"The task ended as {state.name}."))
