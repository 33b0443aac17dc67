"""Progress of long work: a bar if a terminal is attached, a log line every 30 seconds otherwise.

The bars of several threads share one display. Library code calls `tracked`; it never prints.
"""

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal

from rich import filesize
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

Unit = Literal[
    "bytes", "lines", "links", "pairs", "parts", "rows", "sentences", "shards", "texts", "updates"
]
"""What is counted, as it is written behind a number."""
Logger = logging.Logger | logging.LoggerAdapter[Any]
_EVERY = 30.0  # seconds between two log lines of one task
_logger: ContextVar[Logger | None] = ContextVar("_logger", default=None)
_lock = threading.Lock()
_display: Progress | None = None


@contextmanager
def logged_to(logger: Logger) -> Iterator[None]:
    """Log the progress and the warnings of this context to `logger`."""
    token = _logger.set(logger)
    try:
        yield
    finally:
        _logger.reset(token)


def inform(message: str) -> None:
    """Log a message where `logged_to` says: in the log of the current task."""
    (_logger.get() or logging.getLogger(__name__)).info(message)


def warn(message: str) -> None:
    """Log a warning where `logged_to` says: in the log of the current task."""
    (_logger.get() or logging.getLogger(__name__)).warning(message)


@contextmanager
def tracked(what: str, total: int | None, unit: Unit) -> Iterator[Callable[[int], None]]:
    """Yield a function that takes the number of units just finished, negative to take some back.

    `total` is None if unknown. Bytes are shown as kB, MB or GB.
    """
    begun, done, lock = time.monotonic(), 0, threading.Lock()
    with _bar(what, total, unit) if sys.stderr.isatty() else _lines(what, total, unit) as show:

        def advance(more: int) -> None:
            nonlocal done
            with lock:
                done += more
            show(done, time.monotonic() - begun)

        yield advance


def line(what: str, done: int, total: int | None, unit: Unit, *, seconds: float) -> str:
    """Return `translate x: 1,200 of 5,000 texts, 85 texts a second, 45 s left`."""
    rate = done / max(seconds, 1e-9)
    parts = [f"{what}: {_amount(done, total, unit)}", f"{_rate(rate, unit)} a second"]
    if total is not None and rate > 0:
        parts.append(f"{max(total - done, 0) / rate:,.0f} s left")
    return ", ".join(parts)


def _rate(rate: float, unit: Unit) -> str:
    if unit == "bytes":
        return filesize.decimal(int(rate))
    if rate >= 1:
        return f"{rate:,.0f} {unit}"
    return f"{rate:.2f} {unit}"


def _amount(done: int, total: int | None, unit: Unit) -> str:
    if unit == "bytes":
        of_total = "" if total is None else f" of {filesize.decimal(total)}"
        return f"{filesize.decimal(done)}{of_total}"
    of_total = "" if total is None else f" of {total:,}"
    return f"{done:,}{of_total} {unit}"


Show = Callable[[int, float], None]
"""Takes the units finished so far and the seconds since the start."""


@contextmanager
def _lines(what: str, total: int | None, unit: Unit) -> Iterator[Show]:
    """Yield a function that writes a log line at most every 30 seconds."""
    last, logger = time.monotonic(), _logger.get() or logging.getLogger(__name__)

    def show(done: int, seconds: float) -> None:
        nonlocal last
        if time.monotonic() - last >= _EVERY:
            last = time.monotonic()
            logger.info(line(what, done, total, unit, seconds=seconds))

    yield show


@contextmanager
def _bar(what: str, total: int | None, unit: Unit) -> Iterator[Show]:
    """Yield a function that moves a bar of the display, which is there as long as it has bars."""
    global _display
    with _lock:
        if _display is None:
            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.fields[amount]}"),
            )
            _display = Progress(
                *columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True
            )
            _display.start()
        display, task = (
            _display,
            _display.add_task(what, total=total, amount=_amount(0, total, unit)),
        )
    try:
        yield lambda done, _: display.update(
            task, completed=done, amount=_amount(done, total, unit)
        )
    finally:
        with _lock:
            display.remove_task(task)
            if not display.tasks:
                display.stop()
                _display = None
