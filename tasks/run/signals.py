"""Signals that end a command: Ctrl-C, SIGTERM, a closed terminal (SIGHUP), and the warning of Slurm (SIGUSR1)."""

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
_handlers: dict[signal.Signals, Callable[[int, object], None]] = {}


def end_on_signals(before_end: Callable[[], object]) -> None:
    """End this process and its children on a signal, with one line and the status 128 + its number.

    `before_end` is called first. A signal that is ignored, as by nohup, stays ignored. Nothing is lost: files are
    written atomically.
    """

    def end(number: int, _frame: object) -> NoReturn:
        progress.end_at_once()
        os.write(2, _MESSAGE)
        before_end()
        children = psutil.Process().children(recursive=True)
        for child in reversed(children):  # the server, which the others ask, was the first
            with suppress(psutil.Error):
                child.terminate()
        os._exit(128 + number)

    for number in _ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, end)
            _handlers[number] = end


def keep_ending_on_signals() -> None:
    """Install the handlers of `end_on_signals` again, if there are any; a flow calls this when it begins.

    Prefect's engine replaces the handler of SIGTERM by one that reports to the server before the process may end, and
    asks for minutes if the same signal has ended the server. Handlers belong to the main thread; a flow in another one
    has none of its own.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    for number, handler in _handlers.items():
        signal.signal(number, handler)
