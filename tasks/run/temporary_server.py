"""A Prefect server for one command, which ends together with it.

Prefect starts such a server by itself, but lets it write its errors into the terminal, and asks it through a proxy.
It has a password of its own, which only its processes know: neither web pages in a browser nor other users of this
machine can use it.
"""

import atexit
import logging
import os
import secrets
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial, partialmethod
from pathlib import Path
from threading import Thread

from prefect import get_client, runtime
from prefect.client.base import PrefectHttpxAsyncClient, PrefectHttpxSyncClient
from prefect.client.orchestration import SyncPrefectClient
from prefect.context import refresh_global_settings_context
from prefect.settings import get_current_settings

from bitext_pivot.core.errors import SettingsError, SourceError
from bitext_pivot.core.site import without_proxy
from bitext_pivot.tasks.run import runners
from bitext_pivot.tasks.run.run_page import mark_stopped
from bitext_pivot.tasks.run.signals import end_on_signals

_PATIENCE = 180.0
"""Seconds for a server to answer on an idle machine; a new database takes half a minute on a busy one."""
COMMAND = (sys.executable, "-m", "bitext_pivot.tasks.run.own_server")
AUTHENTICATION = "PREFECT_SERVER_API_AUTH_STRING"
_MOST_PATIENT = 5
"""Factor by which the load of the machine can raise the patience."""
_SILENT = 20.0  # seconds of waiting before a line says what is waited for
_LAST_WORDS = 3  # seconds for a server to learn that the run ends


def ensure_server(*, for_command: bool = True, patience: float = 30.0) -> None:
    """Start a Prefect server that ends with this process, unless PREFECT_API_URL names one.

    `patience`: seconds for that server to answer. For a command, Ctrl-C, SIGTERM and SIGHUP then end all at once.
    Nothing is lost: files are written atomically, and a server that PREFECT_API_URL names learns that the run crashed.
    The signals of a notebook stay as they are: an interrupt must not end its kernel. The log of the server is in
    Prefect's folder until the server has ended.

    Raises:
        SettingsError: there is no folder for the server's database.
        SourceError: the server did not start, or the server of PREFECT_API_URL does not answer.
    """
    prefect = get_current_settings()
    named = prefect.api.url
    log = log_path(prefect.home)
    if for_command:
        end_on_signals(_report_stop if named else partial(log.unlink, missing_ok=True))
    if named:
        _find(named, patience)
        return
    if not os.access(prefect.home, os.W_OK):
        raise SettingsError(
            f"{prefect.home}, Prefect's folder, cannot be written: set PREFECT_HOME to one that can be"
        )
    host, password = runners.host(), f"build:{secrets.token_urlsafe()}"
    _ask_directly(host)
    settings = prefect.to_environment_variables(exclude_unset=True) | {AUTHENTICATION: password}
    address = start(host, log, settings)
    # in the environment for all threads, processes and jobs; the server shows no pages
    os.environ |= {
        "PREFECT_API_URL": address,
        "PREFECT_API_AUTH_STRING": password,
        "PREFECT_UI_URL": "",
    }
    refresh_global_settings_context()


def _ask_directly(host: str) -> None:
    """Reach Prefect's server on a host of this command without a proxy.

    NO_PROXY is not enough: an HTTP client with an unusable proxy fails when it is made.
    """
    os.environ |= without_proxy(os.environ, host)
    for client in (PrefectHttpxAsyncClient, PrefectHttpxSyncClient):
        client.__init__ = partialmethod(client.__init__, trust_env=False)  # type: ignore[assignment]


def log_path(folder: Path) -> Path:
    """Return the path of the log of this process's server."""
    return folder / f"temporary-server-{os.getpid()}.log"


def _find(address: str, patience: float) -> None:
    """Raise SourceError unless a server answers."""
    last = time.monotonic() + patience
    with get_client(sync_client=True) as client:
        while error := client.api_healthcheck():
            if time.monotonic() >= last:
                raise SourceError(
                    f"No Prefect server answers at {address}, which PREFECT_API_URL names ({error}). Start it, or "
                    "unset PREFECT_API_URL: then the command has a server of its own."
                )
            time.sleep(1)


def start(
    host: str,
    log: Path,
    settings: dict[str, str],
    command: Sequence[str] = COMMAND,
    clock: Callable[[], float] = time.monotonic,
) -> str:
    """Start the server by `command` and return the address of its API when it answers.

    Raises SourceError if it ends, or does not answer in time by `clock` (in seconds).
    """
    with socket.socket() as free:
        free.bind((host, 0))
        port = free.getsockname()[1]
    log.touch(0o600)
    with log.open("ab") as out:
        # In a session of its own: what a terminal or `timeout` sends to all processes of the command must not end the
        # server first.
        server = subprocess.Popen(
            [*command, host, str(port)],
            env=os.environ | settings,
            stdin=subprocess.PIPE,  # its end tells the server that this process is gone, however it ended
            stdout=out,
            stderr=out,
            umask=0o077,
            start_new_session=True,
        )
    atexit.register(_end, server, log)
    address = f"http://{host}:{port}/api"
    _wait(server, address, settings.get(AUTHENTICATION), log, clock)
    return address


def _wait(
    server: subprocess.Popen[bytes],
    address: str,
    password: str | None,
    log: Path,
    clock: Callable[[], float],
) -> None:
    """Wait until the server answers; say so once if it takes long. Raises SourceError if it does not."""
    begun = clock()
    patience = _PATIENCE * _load()
    is_silent = True
    with SyncPrefectClient(address, auth_string=password) as client:
        while client.api_healthcheck() is not None:
            waited = clock() - begun
            if (status := server.poll()) is not None:
                raise SourceError(
                    f"Prefect's temporary server ended with status {status}. The reason is at the end of {log}."
                )
            if is_silent and waited > _SILENT:
                logging.getLogger(__name__).info(
                    "Waiting for Prefect's temporary server, at most %.0f s; its log is %s",
                    patience,
                    log,
                )
                is_silent = False
            if waited > patience:
                raise SourceError(
                    f"Prefect's temporary server did not answer within {patience:.0f} s: the machine may be too busy "
                    f"(load {os.getloadavg()[0]:.0f} on {os.cpu_count()} cores). Run again later; its log is {log}."
                )
            time.sleep(0.1)


def _load() -> float:
    """Return how many processes wait for each core of this machine: 1 on an idle one, at most `_MOST_PATIENT`."""
    waiting = os.getloadavg()[0] / (os.cpu_count() or 1)
    return min(max(waiting, 1.0), _MOST_PATIENT)


def _end(server: subprocess.Popen[bytes], log: Path) -> None:
    ended_alone = server.poll() is not None
    server.terminate()
    with suppress(subprocess.TimeoutExpired):
        server.wait(5)
    server.kill()
    if not ended_alone:
        log.unlink(missing_ok=True)


def _report_stop() -> None:
    """Mark the current run as crashed, if the server answers soon."""
    if run := runtime.flow_run.id:
        report = Thread(target=mark_stopped, args=[run], daemon=True)
        report.start()
        report.join(_LAST_WORDS)
