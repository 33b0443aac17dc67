"""A Prefect server for one command, which Ctrl-C and SIGTERM end at once together with the command.

Prefect starts such a server by itself, but lets it write its errors into the terminal, and asks it through a proxy.
It has a password of its own, which only its processes know: neither web pages in a browser nor other users of this
machine can use it.
"""

import atexit
import os
import secrets
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread
from typing import NoReturn

import psutil
from prefect import runtime
from prefect.client.orchestration import SyncPrefectClient
from prefect.context import refresh_global_settings_context
from prefect.settings import get_current_settings

from bitext_pivot.core.errors import SettingsError, SourceError
from bitext_pivot.core.site import without_proxy
from bitext_pivot.tasks.run import runners
from bitext_pivot.tasks.run.run_page import mark_stopped

PATIENCE = 180  # seconds: a busy machine that makes a new database needs half a minute
COMMAND = (sys.executable, "-m", "prefect", "server", "start", "--no-ui")
AUTHENTICATION = "PREFECT_SERVER_API_AUTH_STRING"
LOG = "temporary-server.log"
_LAST_WORDS = 3  # seconds for a server to learn that the run ends


def ensure_server(*, for_command: bool = True) -> None:
    """Start a Prefect server that ends with this process, unless PREFECT_API_URL names one.

    For a command, Ctrl-C and SIGTERM then end all at once. Nothing is lost: files are written atomically, and a server
    that PREFECT_API_URL names learns that the run crashed. The signals of a notebook stay as they are: an interrupt
    must not end its kernel. The log of the server is in Prefect's folder.

    Raises:
        SettingsError: there is no folder for the server's database.
        SourceError: the server did not start.
    """
    prefect = get_current_settings()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1) if for_command else ():
        signal.signal(number, partial(_stop, prefect.api.url is not None))
    if prefect.api.url is not None:
        return
    if not os.access(prefect.home, os.W_OK):
        raise SettingsError(f"{prefect.home}, Prefect's folder, cannot be written: set PREFECT_HOME to one that can be")
    host, password = runners.host(), f"build:{secrets.token_urlsafe()}"
    os.environ |= without_proxy(os.environ, host)
    settings = prefect.to_environment_variables(exclude_unset=True) | {AUTHENTICATION: password}
    address = _start(host, prefect.home / LOG, settings)
    # in the environment for all threads, processes and jobs; the server shows no pages
    os.environ |= {"PREFECT_API_URL": address, "PREFECT_API_AUTH_STRING": password, "PREFECT_UI_URL": ""}
    refresh_global_settings_context()


def _start(host: str, log: Path, settings: dict[str, str]) -> str:
    """Start the server and return the address of its API when it answers."""
    with socket.socket() as free:
        free.bind((host, 0))
        port = free.getsockname()[1]
    log.touch(0o600)
    with log.open("ab") as out:
        command = [*COMMAND, "--host", host, "--port", str(port)]
        server = subprocess.Popen(command, env=os.environ | settings, stdout=out, stderr=out, umask=0o077)
    atexit.register(_end, server)
    address, last = f"http://{host}:{port}/api", time.monotonic() + PATIENCE
    with SyncPrefectClient(address, auth_string=settings.get(AUTHENTICATION)) as client:
        while client.api_healthcheck() is not None:
            if server.poll() is not None or time.monotonic() > last:
                raise SourceError(f"Prefect's temporary server did not start. The reason is at the end of {log}.")
            time.sleep(0.1)
    return address


def _end(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    with suppress(subprocess.TimeoutExpired):
        server.wait(5)
    server.kill()


def _stop(reports: bool, number: int, _frame: object) -> NoReturn:
    os.write(2, b"bitext-pivot: stopped. The same command goes on from here.\n")
    if reports and (run := runtime.flow_run.id):
        report = Thread(target=mark_stopped, args=[run], daemon=True)
        report.start()
        report.join(_LAST_WORDS)
    for child in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            child.terminate()
    os._exit(128 + number)
