"""Runs that a Prefect server records: each task is a task run, with its state and its log on the run's page."""

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
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner

from bitext_pivot.core.errors import BuildError
from bitext_pivot.core.progress import logged_to
from bitext_pivot.core.site import Site
from bitext_pivot.flows.run_page import SERVER_ERRORS, begin_run, guard_run_page
from bitext_pivot.tasks.run import runners
from bitext_pivot.tasks.run.current_run import Run, StageResult, use_run

_Result = TypeVar("_Result")

guard_run_page()


def task_runner() -> TaskRunner[Any]:
    """Return the Prefect task runner that BITEXT_PIVOT_RUNNER selects.

    Raises SettingsError if Dask or Slurm is requested but not installed, or if Dask's scheduler does not answer.
    """
    site = Site()
    if site.runner == "threads":
        return ThreadPoolTaskRunner(max_workers=site.workers)
    options = runners.dask_cluster(site)
    from prefect_dask.task_runners import DaskTaskRunner

    return DaskTaskRunner(**options)


def record_run(stages: Callable[..., _Result], *arguments: Any) -> _Result:
    """Run stages inside a Prefect flow, and put `Run.final_message` into its last state."""
    begin_run()
    run = PrefectRun()
    with use_run(run), logged_to(get_run_logger()):
        result = stages(*arguments)
    # Prefect records the state and returns its data to the caller of the flow.
    return Completed(message=run.final_message, data=result)  # type: ignore[return-value]


class PrefectRun(Run):
    """The current flow run of Prefect and its page."""

    has_page = True

    def __init__(self) -> None:
        """Create a run whose tasks are left to the task runner of the flow."""

    def run_task(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a task in the current thread and return its result."""
        return prefect_task(name)(function, arguments, return_state=True).result()

    def submit_task(self, name: str, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Submit a task to the task runner of the flow, and return the future of its result."""
        future = Future[Any]()
        task_run: PrefectFuture[Any] = prefect_task(name).submit(function, arguments)
        task_run.add_done_callback(partial(_settle, future))
        return future

    def publish(self, key: str, content: str | list[Any], description: str | None) -> None:
        """Create an artifact of the flow run, or replace the artifact with its key.

        The key gets the first digits of the run's id, because the UI opens artifacts by key and shows the newest one of
        all runs. If the server does not answer, the build continues, with a warning in its log.
        """
        key = f"{key}-{str(runtime.flow_run.id)[:8]}"
        artifact: Artifact
        if isinstance(content, list):
            artifact = TableArtifact(key=key, table=content, description=description)
        else:
            artifact = MarkdownArtifact(key=key, markdown=content, description=description)
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


def prefect_task(name: str) -> Any:
    """Return a Prefect task for one call, named after the first word of `name`.

    Prefect caches no result, because the shards on disk record what is finished (docs/decisions/0002).
    """
    decorate = task(
        name=name.partition(" ")[0],
        task_run_name=lambda: name,
        cache_policy=NO_CACHE,
        persist_result=False,
    )
    return decorate(_call)


def _call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    """Run a task in a Prefect worker.

    If it returns a StageResult, the state of the task run is named Completed or Reused.
    """
    with logged_to(get_run_logger()):
        result = function(*arguments)
    if not isinstance(result, StageResult):
        return result
    state = "Completed" if result.is_new else "Reused"
    return Completed(name=state, message=result.message, data=result)


def _settle(future: Future[Any], task_run: PrefectFuture[Any]) -> None:
    """Wait until a task run has ended, and give its result or error to the future."""
    task_run.wait()  # the state is known only when the result has arrived
    state = task_run.state
    result = state.result(raise_on_failure=False)
    if state.is_completed():
        future.set_result(result)
    elif isinstance(result, BaseException):
        future.set_exception(result)
    else:
        future.set_exception(BuildError(state.message or f"The task ended as {state.name}."))
