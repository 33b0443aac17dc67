"""Who runs the tasks of a build: the workers of this process, or Prefect (`flows/prefect_work.py`).

A task is a function with a name. What it logs goes to `core.progress.current_log`, with that name; what it returns may
be `Built`. Stages ask `current` for the work of their run, so the same list of stages runs both ways.
"""

import logging
from collections.abc import Callable, Iterator, MutableMapping
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from bitext_pivot.core import progress
from bitext_pivot.core.errors import is_explained
from bitext_pivot.core.site import Site
from bitext_pivot.core.untrusted import guard_logs
from bitext_pivot.tasks.run import runners

_log = logging.getLogger(__name__)
_Made = TypeVar("_Made")


class Built(NamedTuple, Generic[_Made]):
    """The result of a task that builds something unless it exists."""

    made: _Made
    is_new: bool
    """False if it was built before."""
    message: str


class Work(Protocol):
    """The work of one run."""

    has_page: bool
    """True if somebody sees what `show` and `end` are given."""

    def call(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a task here and return its result."""

    def submit(self, name: str, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have a worker run a task."""

    def show(self, key: str, content: str | list[Any], description: str | None) -> None:
        """Show Markdown, or the rows of a table, on the run's page, in place of what `key` showed."""

    def end(self, message: str) -> None:
        """Say on the run's page how the run ended."""


class LocalWork:
    """Tasks on an executor of this process; there is no page."""

    has_page = False

    def __init__(self, executor: Executor) -> None:
        self._executor = executor

    def call(self, name: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a task here and return its result."""
        try:
            result = _run(name, function, *arguments)
        except Exception as error:
            _log_failure(name, error)
            raise
        _log_result(name, result)
        return result

    def submit(self, name: str, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have the executor run a task."""
        future = self._executor.submit(_run, name, function, *arguments)
        future.add_done_callback(partial(_log_end, name))
        return future

    def show(self, key: str, content: str | list[Any], description: str | None) -> None:
        """Show nothing."""

    def end(self, message: str) -> None:
        """Say nothing."""


_current: ContextVar[Work] = ContextVar("_current")


def current() -> Work:
    """Return the work of the current run."""
    return _current.get()


@contextmanager
def running(work: Work) -> Iterator[None]:
    """Let a work run the tasks of the stages that are called inside."""
    token = _current.set(work)
    try:
        yield
    finally:
        _current.reset(token)


@contextmanager
def locally(site: Site) -> Iterator[None]:
    """Run the tasks of the stages that are called inside on the workers of a site."""
    guard_logs()
    progress.begin_run()
    with runners.executor(site) as executor, running(LocalWork(executor)):
        yield


class _TaskLog(logging.LoggerAdapter[logging.Logger]):
    """The log of a task: its lines have its name."""

    def process(
        self, msg: Any, kwargs: MutableMapping[str, Any]
    ) -> tuple[Any, MutableMapping[str, Any]]:
        """Add the name to what a line has already."""
        return msg, {**kwargs, "extra": {**(self.extra or {}), **(kwargs.get("extra") or {})}}


def _run(name: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Run a task in whichever thread, process or machine works on it."""
    with progress.logged_to(_TaskLog(_log, {"task_run_name": name})):
        return function(*arguments)


def _log_end(name: str, done: Future[Any]) -> None:
    if done.cancelled():
        return
    if error := done.exception():
        _log_failure(name, error)
    else:
        _log_result(name, done.result())


def _log_failure(name: str, error: BaseException) -> None:
    """Log that a task failed; what nothing expected with its traceback, any error at level DEBUG."""
    log = _TaskLog(_log, {"task_run_name": name})
    has_traceback = not is_explained(error) or log.isEnabledFor(logging.DEBUG)
    log.error("failed: %s", error, exc_info=error if has_traceback else None)


def _log_result(name: str, result: Any) -> None:
    if isinstance(result, Built):
        how = "built" if result.is_new else "reused"
        _TaskLog(_log, {"task_run_name": name}).info("%s: %s", how, result.message)
