"""Progress of long work: a bar if a terminal is attached, a log line every 30 seconds otherwise.

All bars share one display, those of threads and those of the stages of a run.
Library code calls `tracked`; it never prints.
"""

import logging
import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal

from rich import filesize
from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn

Unit = Literal[
    "bytes", "lines", "links", "pairs", "parts", "rows", "sentences", "shards", "texts", "updates"
]
"""What is counted, as it is written behind a number."""
Logger = logging.Logger | logging.LoggerAdapter[Any]
_EVERY = 30.0  # seconds between two log lines of one task
_WIDE = 72
"""Columns of a terminal that has room for a bar beside its numbers."""
_BAR = 20  # columns of the bar
IN_RESULTS = "in_results"
"""Attribute of a log record that a command shows again among its results, at once."""
_START = "start"
"""Name of the bar before the first stage of a run."""
_PATIENCE = 1.0  # seconds for a display to end that a signal may have interrupted
_SHOW_CURSOR = b"\x1b[?25h"
_logger: ContextVar[Logger | None] = ContextVar("_logger", default=None)
_lock = threading.RLock()
_display: Progress | None = None
_stages: dict[str, "StageBar"] | None = None
"""The bars of the stages, by name; None unless `stage_bars` shows them."""


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
    _current().info(message)


def warn(message: str) -> None:
    """Log a warning where `logged_to` says: in the log of the current task."""
    _current().warning(message)


def _current() -> Logger:
    return _logger.get() or logging.getLogger(__name__)


class LogLines(logging.StreamHandler[Any]):
    """Log lines on stderr, above the bars; while there are bars of stages, only warnings and errors."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line, unless the bars say the same."""
        if _stages is not None and record.levelno < logging.WARNING:
            return
        if _display is None:
            super().emit(record)
        else:
            _display.console.print(
                self.format(record), markup=False, highlight=False, soft_wrap=True
            )


def has_bars() -> bool:
    """Return True if stderr is a terminal that can move its cursor.

    False in the worker of a run, and if `LogLines` has a level below warning: the lines of workers would be
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
    """Yield a function that takes the number of units just finished, negative to take some back.

    `total` is None if unknown. Bytes are shown as kB, MB or GB. Work that is named after a stage and
    its shard, `parse Europarl-v8-00000`, moves the bar of the stage if there is one.
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
    """Return `translate x: 1,200 of 5,000 texts, 45 s left, 85 a second`."""
    return f"{what}: {_numbers(done, total, unit, done / max(seconds, 1e-9))}"


def _numbers(done: int, total: int | None, unit: Unit, rate: float) -> str:
    """Return `1,200 of 5,000 texts, 45 s left, 85 a second`."""
    parts = [_amount(done, total, unit)]
    if left := _left(done, total, rate):
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


def _left(done: int, total: int | None, rate: float) -> str:
    """Return the time left as `45 s`, `12 min` or `3.5 h`; "" if it is unknown."""
    if total is None or rate <= 0 or done >= total:
        return ""
    seconds = (total - done) / rate
    if seconds < 10:
        return f"{seconds:.0f} s"  # an estimate has no tenths
    return duration(seconds)


def duration(seconds: float) -> str:
    """Return a time in the unit in which it is read best: `0.3 s`, `95 s`, `12 min`, `3.4 h`."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:,.1f} h"


Show = Callable[[int, float], None]
"""Takes the units finished so far and the seconds since the start."""


@contextmanager
def _shown(what: str, total: int | None, unit: Unit) -> Iterator[Show]:
    """Show work as part of a stage's bar, as a bar of its own, or in lines."""
    name, _, part = what.partition(" ")
    stage = (_stages or {}).get(name)
    if stage is not None and stage.has(part):
        yield stage.part(part, total)
    elif has_bars():
        bar = _Bar(what, total, unit)
        try:
            yield bar.show
        finally:
            bar.remove()
    else:
        yield _lines(what, total, unit)


def _lines(what: str, total: int | None, unit: Unit) -> Show:
    """Return a function that writes a log line at most every 30 seconds."""
    last, logger = time.monotonic(), _current()

    def show(done: int, seconds: float) -> None:
        nonlocal last
        if time.monotonic() - last >= _EVERY:
            last = time.monotonic()
            logger.info(line(what, done, total, unit, seconds=seconds))

    return show


class _Bar:
    """A bar of the display: what is done, how much of how much, units a second, time left.

    The display is there as long as it has bars.
    """

    def __init__(self, what: str, total: int | None, unit: Unit) -> None:
        """Add the bar, and begin the display with the first one."""
        self.total = total
        self._unit: Unit = unit
        with _lock:
            self._display = _begin()
            self._task = self._display.add_task(what, total=total, numbers="")
        if total is not None:
            self.show(0, 0.0)

    def show(self, done: int, seconds: float, built: int | None = None) -> None:
        """Move the bar. `built` is what was done in these seconds, if some of it was there before."""
        if built is None:
            built = done
        rate = built / max(seconds, 1e-9)
        numbers = _numbers(done, self.total, self._unit, rate)
        self._display.update(self._task, completed=done, total=self.total, numbers=numbers)

    def remove(self) -> None:
        """Remove the bar, and end the display with the last one."""
        with _lock:
            self._display.remove_task(self._task)
            if not self._display.tasks and _stages is None:
                _end()


class StageBar(_Bar):
    """The bar of one stage of a run: the rows of its parts, which are shards or corpora."""

    def __init__(self, name: str, rows: Mapping[str, int] | None, parts: int) -> None:
        """`rows` are those of each part, by name; None if only the number of `parts` is known."""
        self._rows = rows
        self._missing = parts
        self._done = self._built = 0
        self._begun: dict[str, int] = {}
        self._start = time.monotonic()
        total = None
        if rows is not None:
            total = sum(rows.values())
        super().__init__(name, total, "rows")

    def has(self, part: str) -> bool:
        """Return True for the name of a part; for any name if those of the parts are unknown."""
        return self._rows is None or part in self._rows

    def part(self, part: str, total: int | None) -> Show:
        """Return what takes how much of a part is finished: units of `total`, rows if that is None."""

        def show(done: int, _seconds: float) -> None:
            rows = done
            if self._rows is not None and total:
                rows = self._rows[part] * done // total
            with _lock:
                self._begun[part] = rows
                self._move()

        return show

    def end(self, part: str, rows: int, *, is_new: bool) -> None:
        """Count a part that is finished, with `rows` if its own are unknown.

        `is_new` is False for a part that was there before.
        """
        with _lock:
            self._begun.pop(part, None)
            if self._rows is not None:
                rows = self._rows.get(part, 0)
            self._missing -= 1
            self._done += rows
            if is_new:
                self._built += rows
            if not self._missing:
                self.total = self._done
            self._move()

    def _move(self) -> None:
        begun = sum(self._begun.values())
        seconds = time.monotonic() - self._start
        self.show(self._done + begun, seconds, self._built + begun)


@contextmanager
def stage_bars() -> Iterator[None]:
    """Show a bar for each stage of the runs inside, if stderr is a terminal; those of the last run stay."""
    if not has_bars():
        yield
        return
    global _stages
    _stages = {}
    begin_run()
    try:
        yield
    finally:
        _end()


def begin_run() -> None:
    """Remove the bars of the run before."""
    if _stages is None:
        return
    with _lock:
        for bar in _stages.values():
            bar.remove()
        _stages.clear()
        _stages[_START] = StageBar(_START, None, 0)


def begin_stage(name: str, rows: Mapping[str, int] | None, parts: int) -> None:
    """Begin the bar of a stage, if there are any; the arguments are those of `StageBar`."""
    if _stages is None:
        return
    with _lock:
        for before in (name, _START):
            if before in _stages:
                _stages.pop(before).remove()
        _stages[name] = StageBar(name, rows, parts)


def end_part(stage: str, part: str, rows: int, *, is_new: bool) -> None:
    """Move the bar of a stage, if it has one, by a part that is finished; see `StageBar.end`."""
    if _stages is not None and stage in _stages:
        _stages[stage].end(part, rows, is_new=is_new)


def end_at_once() -> None:
    """End the display in a handler of a signal, whose thread may be in the midst of it."""
    if _display is None:
        return
    ending = threading.Thread(target=_end, daemon=True)
    ending.start()
    ending.join(_PATIENCE)
    if ending.is_alive():
        os.write(2, _SHOW_CURSOR)


def _begin() -> Progress:
    """Return the display; begin one if there is none."""
    global _display
    if _display is None:
        console = Console(stderr=True)
        columns: list[ProgressColumn] = [TextColumn("{task.description}", markup=False)]
        if console.width >= _WIDE:
            columns.append(BarColumn(_BAR))
        columns.append(TextColumn("{task.fields[numbers]}", markup=False))
        _display = Progress(
            *columns, console=console, transient=_stages is None, redirect_stdout=False
        )
        _display.start()
    return _display


def _end() -> None:
    """End the display, and show no more bars of stages."""
    global _display, _stages
    with _lock:
        _stages = None
        if _display is not None:
            _display.stop()
            _display = None
