"""Signals that end a command: Ctrl-C, SIGTERM, SIGHUP when the terminal closes, and SIGUSR1, Slurm's warning."""

import os
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import NoReturn

import psutil

from bitext_pivot.core import progress

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1)
_MESSAGE = b"bitext-pivot: stopped. The same command goes on from here.\n"
before_end: list[Callable[[], object]] = []
"""Functions that a signal handler calls before it ends the process."""
_handlers: dict[signal.Signals, Callable[[int, object], None]] = {}


def end_on_signals() -> None:
    """Install handlers that end this process and its children when a signal arrives.

    They print a message, and the exit status is 128 plus the number of the signal. Signals that are ignored, for
    instance because of nohup, stay ignored. No file is damaged, because files are written atomically. Notebooks must
    not call this function, because an interrupt would end their kernel.
    """

    def end(number: int, _frame: object) -> NoReturn:
        progress.end_at_once()
        os.write(2, _MESSAGE)
        for report in before_end:
            report()
        for child in psutil.Process().children(recursive=True):
            with suppress(psutil.Error):
                child.terminate()
        os._exit(128 + number)

    for number in _ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, end)
            _handlers[number] = end


def keep_ending_on_signals() -> None:
    """Install the handlers of `end_on_signals` again, if it was called.

    A flow calls this when it begins. Prefect's engine replaces the handler of SIGTERM by a handler that reports to the
    server before the process ends. If the same signal has ended the server, that handler retries for minutes. Only the
    main thread may install handlers.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    for number, handler in _handlers.items():
        signal.signal(number, handler)
