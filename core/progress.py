"""Progress of long operations: a bar on a terminal, otherwise a log line every 30 seconds.

All bars of a process share one display. The bar of a stage stays until the run ends; the bar of an operation disappears
when the operation ends. Other modules call `tracked` and never print.
"""

import functools
import logging
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal, TextIO

from rich import filesize
from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn

Unit = Literal[
    "bytes", "lines", "links", "pairs", "parts", "rows", "sentences", "shards", "texts", "updates"
]
"""The unit that is displayed after a number."""
Logger = logging.Logger | logging.LoggerAdapter[Any]
_EVERY = 30.0  # seconds between two log lines of one operation
_WIDE = 72
"""Minimum width of a terminal for bars, in columns. On a narrower terminal only numbers are shown."""
_BAR = 20  # columns of the bar
LOG_LINE = "%(asctime)s | %(levelname)-7s | %(task_run_name)s | %(message)s"
IN_RESULTS = "in_results"
"""Attribute that marks log records whose message a command repeats in its results."""
_START = "start"
"""Label of the progress bar that is shown before the first stage of a run."""
_PATIENCE = 1.0  # seconds to wait for the end of the display, which a signal may have interrupted
_SHOW_CURSOR = b"\x1b[?25h"
_logger: ContextVar[Logger | None] = ContextVar("_logger", default=None)


class _Display(Progress):
    """The progress bars of this process."""

    has_stages = False
    """True while `stage_bars` shows the bars of stages."""


@functools.cache
def _display() -> _Display:
    """Return the display of this process. It is visible as long as it has bars."""
    console = Console(stderr=True)
    columns: list[ProgressColumn] = [TextColumn("{task.description}", markup=False)]
    if console.width >= _WIDE:
        columns.append(BarColumn(_BAR))
    columns.append(TextColumn("{task.fields[numbers]}", markup=False))
    return _Display(*columns, console=console, transient=True, redirect_stdout=False)


@contextmanager
def logged_to(logger: Logger) -> Iterator[None]:
    """Write the progress and the warnings of this context to `logger`."""
    token = _logger.set(logger)
    try:
        yield
    finally:
        _logger.reset(token)


def inform(message: str) -> None:
    """Log a message to the current log."""
    current_log().info(message)


def warn(message: str) -> None:
    """Log a warning to the current log."""
    current_log().warning(message)


def current_log() -> Logger:
    """Return the logger that `logged_to` has set, which is the logger of the current task."""
    return _logger.get() or logging.getLogger(__name__)


class LogLines(logging.StreamHandler[TextIO]):
    """A handler that writes log lines to stderr, above the progress bars.

    While the bars of stages are shown, only warnings and errors are written.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(
            logging.Formatter(LOG_LINE, "%H:%M:%S", defaults={"task_run_name": "bitext-pivot"})
        )

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line, unless the bars of stages already show its information."""
        if record.levelno >= logging.WARNING or not _display().has_stages:
            self.stream = sys.stderr  # rich replaces sys.stderr while the display is visible
            super().emit(record)


def show_log() -> None:
    """Write the log of builds to stderr if no logging is configured, as in a new notebook."""
    log = logging.getLogger("bitext_pivot")
    if not log.hasHandlers():
        lines = LogLines()
        lines.addFilter(lambda _: not logging.getLogger().handlers)  # may be configured later
        log.addHandler(lines)
        log.setLevel(logging.INFO)


def has_bars() -> bool:
    """Return True if stderr is a terminal that can show bars.

    Returns False in worker processes, and if `LogLines` shows messages below warnings, because their lines would be
    written into the bars.
    """
    levels = [each.level for each in logging.getLogger().handlers if isinstance(each, LogLines)]
    return (
        sys.stderr.isatty()
        and os.environ.get("TERM") not in ("dumb", "unknown")
        and multiprocessing.parent_process() is None
        and not any(0 < level < logging.WARNING for level in levels)
    )


@contextmanager
def tracked(what: str, total: int | None, unit: Unit) -> Iterator[Callable[[int], None]]:
    """Show the progress of an operation; yield a function to call with the number of units just finished.

    A negative number takes units back. `total` is None if it is unknown. Bytes are shown as kB, MB or GB.
    """
    begun, done, lock = time.monotonic(), 0, threading.Lock()
    with _shown(what, total, unit) as show:

        def advance(more: int) -> None:
            nonlocal done
            with lock:
                done += more
            show(done, time.monotonic() - begun)

        yield advance


def line(what: str, done: int, total: int | None, unit: Unit, *, seconds: float) -> str:
    """Return a line such as `translate x: 1,200 of 5,000 texts, 45 s left, 85 a second`."""
    return f"{what}: {_numbers(done, total, unit, done / max(seconds, 1e-9))}"


def _numbers(done: int, total: int | None, unit: Unit, rate: float) -> str:
    """Return the numbers of a progress line: `1,200 of 5,000 texts, 45 s left, 85 a second`."""
    parts = [_amount(done, total, unit)]
    if left := time_left(done, total, rate):
        parts.append(f"{left} left")
    if rate > 0:
        parts.append(f"{_rate(rate, unit)} a second")
    return ", ".join(parts)


def _rate(rate: float, unit: Unit) -> str:
    if unit == "bytes":
        return filesize.decimal(int(rate))
    if rate >= 1:
        return f"{rate:,.0f}"
    return f"{rate:.2f}"


def _amount(done: int, total: int | None, unit: Unit) -> str:
    if unit == "bytes":
        of_total = "" if total is None else f" of {filesize.decimal(total)}"
        return f"{filesize.decimal(done)}{of_total}"
    of_total = "" if total is None else f" of {total:,}"
    return f"{done:,}{of_total} {unit}"


def time_left(done: int, total: int | None, rate: float) -> str:
    """Return the time left as `45 s`, `12 min` or `3.5 h`; "" if it is unknown."""
    if total is None or rate <= 0 or done >= total:
        return ""
    seconds = (total - done) / rate
    if seconds < 10:
        return f"{seconds:.0f} s"  # tenths would be more precise than the estimate
    return duration(seconds)


def duration(seconds: float) -> str:
    """Return a duration in the most readable unit: `0.3 s`, `95 s`, `12 min`, `3.4 h`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:,.1f} h"


ShowProgress = Callable[[int, float], None]
"""A function that shows the number of finished units and the seconds since the start."""


@contextmanager
def _shown(what: str, total: int | None, unit: Unit) -> Iterator[ShowProgress]:
    """Show progress as a bar or as log lines, and yield the function that updates it."""
    if not has_bars():
        yield _lines(what, total, unit)
        return
    display = _display()
    bar = display.add_task(what, total=total, numbers="")
    display.start()

    def show(done: int, seconds: float) -> None:
        numbers = _numbers(done, total, unit, done / max(seconds, 1e-9))
        display.update(bar, completed=done, numbers=numbers)

    try:
        yield show
    finally:
        display.remove_task(bar)
        if not display.tasks and not display.has_stages:
            display.stop()


def _lines(what: str, total: int | None, unit: Unit) -> ShowProgress:
    """Return a function that writes a log line at most every 30 seconds."""
    last, logger = time.monotonic(), current_log()

    def show(done: int, seconds: float) -> None:
        nonlocal last
        if time.monotonic() - last >= _EVERY:
            last = time.monotonic()
            logger.info(line(what, done, total, unit, seconds=seconds))

    return show


@contextmanager
def stage_bars() -> Iterator[None]:
    """On a terminal, show a bar for each stage of the runs in this context. The bars of the last run stay visible."""
    if not has_bars():
        yield
        return
    display = _display()
    display.has_stages, display.live.transient = True, False
    begin_run()
    display.start()
    try:
        yield
    finally:
        display.stop()
        display.has_stages, display.live.transient = False, True
        _remove_all(display)


def begin_run() -> None:
    """Remove the bars of the previous run."""
    display = _display()
    if display.has_stages:
        _remove_all(display)
        display.add_task(_START, total=None, numbers="")


def show_stage(name: str, done: int, total: int, numbers: str) -> None:
    """Update the bar of a stage, if stages have bars."""
    display = _display()
    if not display.has_stages:
        return
    bars = {bar.description: bar.id for bar in display.tasks}
    if _START in bars:
        display.remove_task(bars[_START])
    if name not in bars:
        bars[name] = display.add_task(name, total=total, numbers="")
    display.update(bars[name], completed=done, numbers=numbers)


def end_at_once() -> None:
    """End the display inside a signal handler, which may have interrupted the display itself."""
    ending = threading.Thread(target=_display().stop, daemon=True)
    ending.start()
    ending.join(_PATIENCE)
    if ending.is_alive():
        os.write(2, _SHOW_CURSOR)


def _remove_all(display: Progress) -> None:
    for bar in display.task_ids:
        display.remove_task(bar)
