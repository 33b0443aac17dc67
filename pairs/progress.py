"""Progress of long work: a bar when a terminal is attached, a plain log line now and then when not.

Bars of several threads share one display. Library code calls `tracked`; it never prints.
"""

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

logger = logging.getLogger(__name__)
_EVERY = 30.0  # seconds between two log lines of one piece of work
_lock = threading.Lock()
_display: Progress | None = None
_users = 0


@contextmanager
def tracked(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Give a function that takes how many more units are done; `total` is None when nobody knows it."""
    if not sys.stderr.isatty():
        yield _log_lines(what, total)
        return
    display = _enter()
    task = display.add_task(what, total=total)
    try:
        yield lambda more: display.advance(task, more)
    finally:
        display.remove_task(task)
        _leave()


def _log_lines(what: str, total: int | None) -> Callable[[int], None]:
    done, last = 0, time.monotonic()

    def advance(more: int) -> None:
        nonlocal done, last
        done += more
        if time.monotonic() - last >= _EVERY:
            last = time.monotonic()
            logger.info("%s: %d of %s", what, done, total if total is not None else "?")

    return advance


def _enter() -> Progress:
    global _display, _users  # noqa: PLW0603 -- one terminal, one display
    with _lock:
        if _display is None:
            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            _display = Progress(*columns, console=Console(stderr=True), transient=True)
            _display.start()
        _users += 1
        return _display


def _leave() -> None:
    global _display, _users  # noqa: PLW0603 -- the last one out ends the display
    with _lock:
        _users -= 1
        if _users == 0 and _display is not None:
            _display.stop()
            _display = None
