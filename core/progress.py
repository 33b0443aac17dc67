"""Progress of long work: a bar if a terminal is attached, a log line every 30 seconds otherwise.

The bars of several threads share one display. Library code calls `tracked`; it never prints. A run on a terminal has
one bar a stage, which is moved by what is tracked in its shards (`part_of`).
"""

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from functools import partial
from multiprocessing import parent_process
from typing import Any, Literal

from rich import filesize
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

Unit = Literal[
    "bytes", "lines", "links", "pairs", "parts", "rows", "sentences", "shards", "texts", "updates"
]
"""What is counted, as it is written behind a number."""
Logger = logging.Logger | logging.LoggerAdapter[Any]
_EVERY = 30.0  # seconds between two log lines of one task
_logger: ContextVar[Logger | None] = ContextVar("_logger", default=None)
_lock = threading.Lock()
_writes_lines = False
_display: Progress | None = None
_stages: "StageBars | None" = None
_part: ContextVar[tuple[str, str] | None] = ContextVar("_part", default=None)


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
    with _shown(what, total, unit) as show:

        def advance(more: int) -> None:
            nonlocal done
            with lock:
                done += more
            show(done, time.monotonic() - begun)

        yield advance


def line(what: str, done: int, total: int | None, unit: Unit, *, seconds: float) -> str:
    """Return `translate x: 1,200 of 5,000 texts, 85 texts a second, 45 s left`."""
    return f"{what}: {_details(done, total, unit, done, seconds)}"


def _details(done: int, total: int | None, unit: Unit, made: int, seconds: float) -> str:
    """Return how far work is that made `made` units in some seconds; the others were there before."""
    rate = made / max(seconds, 1e-9)
    parts = [_amount(done, total, unit)]
    if unit != "parts":
        parts.append(f"{_rate(rate, unit)} a second")
    if total is not None and rate > 0 and done < total:
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
    is_one = (done if total is None else total) == 1
    return f"{done:,}{of_total} {unit.removesuffix('s') if is_one else unit}"


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


def _shown(what: str, total: int | None, unit: Unit) -> AbstractContextManager[Show]:
    """Return what shows the progress of some work: the bar of its stage, a bar of its own, or lines."""
    part = _part.get()
    if _stages and part and total:
        move = partial(_stages.move, *part)
        return nullcontext(lambda done, _: move(done / total))
    if has_bars():
        return _bar(what, total, unit)
    return _lines(what, total, unit)


def use_lines() -> None:
    """Write log lines from now on, also on a terminal."""
    global _writes_lines
    _writes_lines = True


def has_bars() -> bool:
    """Return True on a terminal, unless lines are wanted; a worker's process shares that of the command."""
    return sys.stderr.isatty() and not _writes_lines and parent_process() is None


def _new_display(console: Console, *, transient: bool) -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=16),
        TextColumn("{task.fields[details]}"),
    )
    return Progress(*columns, console=console, transient=transient)


@contextmanager
def _bar(what: str, total: int | None, unit: Unit) -> Iterator[Show]:
    """Yield a function that moves a bar of the display, which is there as long as it has bars."""
    global _display
    with _lock:
        if _display is None:
            _display = _new_display(Console(stderr=True), transient=True)
            _display.start()
        display = _display
        task = display.add_task(what, total=total, details=_amount(0, total, unit))
    try:
        yield lambda done, seconds: display.update(
            task, completed=done, details=_details(done, total, unit, done, seconds)
        )
    finally:
        with _lock:
            display.remove_task(task)
            if not display.tasks and not _stages:
                display.stop()
                _display = None


class StageBars:
    """The bars of a run on a terminal, one a stage: rows done of all, rows a second, time left.

    A shard that is made in this process moves the bar of its stage as it is made, any other when it is done.
    """

    def __init__(self, display: Progress) -> None:
        self._display = display
        self._bars: dict[str, _StageBar] = {}

    def begin(self, stage: str, parts: Mapping[str, int], unit: Unit) -> None:
        """Show the bar of a stage whose parts have some units each; an earlier bar of this name is replaced."""
        if before := self._bars.get(stage):
            self._display.remove_task(before.task)
        task = self._display.add_task(stage, total=sum(parts.values()), details="")
        self._bars[stage] = _StageBar(self._display, task, parts, unit)

    def move(self, stage: str, part: str, share: float, *, is_new: bool = True) -> None:
        """Say which share of a part is done, from 0 to 1, and whether it was not there before."""
        if bar := self._bars.get(stage):
            bar.move(part, share, is_new=is_new)


class _StageBar:
    def __init__(self, display: Progress, task: Any, parts: Mapping[str, int], unit: Unit) -> None:
        self.task = task
        self._display, self._parts, self._unit = display, parts, unit
        self._done, self._found = dict[str, float](), 0
        self._begun = time.monotonic()
        self._lock = threading.Lock()

    def move(self, part: str, share: float, *, is_new: bool) -> None:
        with self._lock:
            self._done[part] = share * self._parts[part]
            self._found += 0 if is_new else self._parts[part]
            done, total = int(sum(self._done.values())), sum(self._parts.values())
            made, seconds = done - self._found, time.monotonic() - self._begun
            details = _details(done, total, self._unit, made, seconds)
            self._display.update(self.task, completed=done, details=details)


@contextmanager
def stage_bars() -> Iterator[None]:
    """Show a bar for each stage that `begin_stage` begins, on a terminal, and above the bars what is logged."""
    global _display, _stages
    logs = [
        log
        for log in logging.getLogger().handlers
        if isinstance(log, logging.StreamHandler) and log.stream is sys.stderr
    ]
    _display = _new_display(Console(stderr=True), transient=False)
    _stages = StageBars(_display)
    try:
        with _display:
            for log in logs:
                log.setStream(sys.stderr)  # that of the display
            yield
    finally:
        _display = _stages = None
        for log in logs:
            log.setStream(sys.stderr)


def begin_stage(stage: str, parts: Mapping[str, int], unit: Unit) -> None:
    """Begin the bar of a stage, if stages have bars; `parts` are the units of each part by its name."""
    if _stages:
        _stages.begin(stage, parts, unit)


def end_part(stage: str, part: str, *, is_new: bool) -> None:
    """Move the bar of a stage, if it has one, by a part that is done; not new is what was there before."""
    if _stages:
        _stages.move(stage, part, 1.0, is_new=is_new)


@contextmanager
def part_of(stage: str, part: str) -> Iterator[None]:
    """Let what is tracked inside move the bar of a stage, if it has one."""
    token = _part.set((stage, part))
    try:
        yield
    finally:
        _part.reset(token)


def leave_screen() -> None:
    """End the display at once, before the process ends: the cursor is shown again."""
    if _display:
        _display.stop()
