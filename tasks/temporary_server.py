"""Prefect's temporary server for one command, which Ctrl-C and SIGTERM end at once together with the command."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import NoReturn

import psutil
from prefect.settings import get_current_settings

from pairs.errors import SettingsError


@contextmanager
def temporary_server() -> Iterator[None]:
    """Start Prefect's temporary server unless PREFECT_API_URL names one; inside, Ctrl-C and SIGTERM end both at once.

    Prefect itself would try for minutes to report the end to a server that Ctrl-C has reached, too. Nothing is lost:
    files are written atomically, and the next run marks this one as crashed. Raises SettingsError if the server has no
    folder for its database.
    """
    prefect = get_current_settings()
    if prefect.api.url is not None:
        yield
        return
    if not os.access(prefect.home, os.W_OK):
        raise SettingsError(f"{prefect.home}, Prefect's folder, cannot be written: set PREFECT_HOME to one that can be")
    before = {number: signal.signal(number, _stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        _start()
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _start() -> None:
    """Start the server in a thread that blocks Ctrl-C: the server inherits that, and logs no errors of its own end."""
    from prefect.server.api.server import SubprocessASGIServer  # as Prefect does; it takes a second

    blocked = signal.SIG_BLOCK, {signal.SIGINT}
    with ThreadPoolExecutor(1, initializer=signal.pthread_sigmask, initargs=blocked) as thread:
        thread.submit(SubprocessASGIServer().start).result()


def _stop(number: int, _frame: object) -> NoReturn:
    os.write(2, b"bitext-pivot: stopped. The same command goes on from here.\n")
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if "uvicorn" in child.cmdline():
                child.kill()  # it would log, too, what it could not save
            else:
                child.terminate()
    os._exit(128 + number)
