"""Progress of long work: a bar if a terminal is attached, a log line every 30 seconds otherwise.

The bars of several threads share one display. Library code calls `tracked`; it never prints.
`with listening(listener)` shows progress elsewhere.
"""

import logging
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import ClassVar, Literal

from rich import filesize
from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeRemainingColumn,
)

Unit = Literal["items", "bytes"]
logger = logging.getLogger(__name__)
_EVERY = 30.0  # seconds between two reports of one task
_lock = threading.Lock()
_display: Progress | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """Progress of one task."""

    what: str
    done: int
    total: int | None
    """None if unknown."""
    unit: Unit
    seconds: float
    """Since the start."""
    over: bool = False
    """True for the last report of a task."""

    @property
    def text(self) -> str:
        """`translate x: 1,200 of 5,000, 85 a second, 45 s left`."""
        show = filesize.decimal if self.unit == "bytes" else "{:,}".format
        rate = self.done / max(self.seconds, 1e-9)
        parts = [f"{self.what}: {show(self.done)}" + (f" of {show(self.total)}" if self.total is not None else "")]
        parts.append(f"{show(int(rate))} a second" if rate >= 1 or self.unit == "bytes" else f"{rate:.2f} a second")
        if self.total is not None and rate > 0 and not self.over:
            parts.append(f"{max(self.total - self.done, 0) / rate:,.0f} s left")
        return ", ".join(parts)


def _log(report: Report) -> None:
    if not report.over:
        logger.info(report.text)


Listener = Callable[[Report], None]
_listener: ContextVar[Listener] = ContextVar("_listener", default=_log)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Call `listener`, not the log, for all tasks tracked in this context without a terminal, and at their end."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


@contextmanager
def tracked(what: str, total: int | None, unit: Unit = "items") -> Iterator[Callable[[int], None]]:
    """Yield a function that takes the number of units just finished, negative to take some back.

    `total` is None if unknown. Bytes are shown as kB, MB or GB.
    """
    shown = _bar(what, total, unit) if sys.stderr.isatty() else _reported(what, total, unit, _listener.get())
    with shown as advance:
        yield advance


@contextmanager
def _reported(what: str, total: int | None, unit: Unit, listener: Listener) -> Iterator[Callable[[int], None]]:
    """Yield a function that calls a listener at most every 30 seconds; call it once more at the end."""
    begun = last = time.monotonic()
    done, lock = 0, threading.Lock()

    def report(*, over: bool = False) -> Report:
        return Report(what, done, total, unit, time.monotonic() - begun, over)

    def advance(more: int) -> None:
        nonlocal done, last
        with lock:
            done += more
            if time.monotonic() - last < _EVERY:
                return
            last = time.monotonic()
        listener(report())

    try:
        yield advance
    finally:
        listener(report(over=True))


class _Amount(ProgressColumn):
    """Units done and in all."""

    _columns: ClassVar[dict[str, ProgressColumn]] = {"items": MofNCompleteColumn(), "bytes": DownloadColumn()}

    def render(self, task: Task) -> RenderableType:
        """Return the text for one bar."""
        return self._columns[task.fields["unit"]].render(task)


@contextmanager
def _bar(what: str, total: int | None, unit: Unit) -> Iterator[Callable[[int], None]]:
    """Yield a function that moves a bar of the display, which is there as long as it has bars."""
    global _display  # noqa: PLW0603 -- one terminal, one display
    with _lock:
        if _display is None:
            columns = (TextColumn("{task.description}"), BarColumn(), _Amount(), TimeRemainingColumn())
            _display = Progress(*columns, console=Console(stderr=True), transient=True)
            _display.start()
        display, task = _display, _display.add_task(what, total=total, unit=unit)
    try:
        yield lambda more: display.advance(task, more)
    finally:
        with _lock:
            display.remove_task(task)
            if not display.tasks:
                display.stop()
                _display = None
