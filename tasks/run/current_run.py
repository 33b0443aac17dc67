"""The run that executes the tasks of a build: in this process, or as Prefect task runs (flows/prefect_run.py).

A task is a function with a name, which appears in its log lines. Stages submit their tasks to `current_run()`, so that
the same code runs with and without Prefect.
"""

import logging
from collections.abc import Callable, Iterator, MutableMapping
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial, wraps
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar

from bitext_pivot.core import progress
from bitext_pivot.core.errors import is_explained
from bitext_pivot.core.site import Site
from bitext_pivot.core.untrusted import guard_logs
from bitext_pivot.tasks.run import runners

_log = logging.getLogger(__name__)
_Output = TypeVar("_Output")
_Result = TypeVar("_Result")
_Parameters = ParamSpec("_Parameters")


class StageResult(NamedTuple, Generic[_Output]):
    """The result of a task that reuses an existing output."""

    output: _Output
    is_new: bool
    """False if the output already existed and was reused."""
    message: str
    """Text for the log, such as "350 rows in 2.0 s, skipped none"."""
    rows: int = 0
    """Number of rows in the output."""


class Run:
    """A run whose tasks are executed by an executor of this process, without Prefect."""

    has_page = False
    """True if the run has a page in Prefect's UI, which shows artifacts and the final message."""
    final_message: str | None = None
    """The message that the page shows when the run has finished."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def run_task(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a task in the current thread and return its result."""
        future = Future[Any]()
        future.add_done_callback(partial(_log_end, name))
        try:
            future.set_result(_call_with_log(name, function, *arguments))
        except Exception as error:
            future.set_exception(error)
            raise
        return future.result()

    def submit_task(self, name: str, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Submit a task to the workers and return the future of its result."""
        future = self._executor.submit(_call_with_log, name, function, *arguments)
        # The submitting process logs the end of a task, because workers may be on other machines.
        future.add_done_callback(partial(_log_end, name))
        return future

    def publish(self, key: str, content: str | list[Any], description: str | None) -> None:
        """Show Markdown, or rows as a table, on the run's page in Prefect's UI, if it has one.

        An earlier artifact with the same `key` is replaced.
        """


_current: ContextVar[Run] = ContextVar("_current")


def current_run() -> Run:
    """Return the run that the caller belongs to. Raises LookupError outside of a run."""
    return _current.get()


@contextmanager
def use_run(run: Run) -> Iterator[None]:
    """Make `run` the current run inside the `with` block."""
    token = _current.set(run)
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def local_run(site: Site) -> Iterator[None]:
    """Start the workers that `site` configures, and make them run tasks in the `with` block."""
    guard_logs()
    progress.show_log()
    progress.begin_run()
    with runners.executor(site) as executor, use_run(Run(executor)):
        yield


def as_task(
    name: str,
) -> Callable[[Callable[_Parameters, _Result]], Callable[_Parameters, _Result]]:
    """Decorate a function so that each call is a task of the current run, in the same thread."""

    def decorate(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
        @wraps(function)
        def call(*arguments: _Parameters.args, **options: _Parameters.kwargs) -> _Result:
            result: _Result = current_run().run_task(name, partial(function, **options), *arguments)
            return result

        return call

    return decorate


class _TaskLog(logging.LoggerAdapter[logging.Logger]):
    """A logger that adds the name of a task to each log record."""

    def process(
        self, msg: Any, kwargs: MutableMapping[str, Any]
    ) -> tuple[Any, MutableMapping[str, Any]]:
        """Add the task's name to `extra`, which LoggerAdapter would overwrite before Python 3.13."""
        return msg, {**kwargs, "extra": {**(self.extra or {}), **(kwargs.get("extra") or {})}}


def _task_log(name: str) -> _TaskLog:
    return _TaskLog(_log, {"task_run_name": name})


def _call_with_log(name: str, function: Callable[..., Any], *arguments: Any) -> Any:
    with progress.logged_to(_task_log(name)):
        return function(*arguments)


def _log_end(name: str, future: Future[Any]) -> None:
    """Log how a task ended, with a traceback for an unexpected error or at level DEBUG."""
    if future.cancelled():
        return
    log = _task_log(name)
    if error := future.exception():
        has_traceback = not is_explained(error) or log.isEnabledFor(logging.DEBUG)
        log.error("failed: %s", error, exc_info=error if has_traceback else None)
    elif isinstance(result := future.result(), StageResult):
        log.info("%s: %s", "built" if result.is_new else "reused", result.message)
