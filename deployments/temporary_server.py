"""A Prefect server for one command, which ends together with it.

Prefect starts such a server by itself, but lets it write its errors into the terminal, and asks it through a proxy.
It has a password of its own, which only its processes know: neither web pages in a browser nor other users of this
machine can use it.
"""

import atexit
import os
import secrets
import socket
import sqlite3
import subprocess
import time
from contextlib import closing
from functools import partial, partialmethod
from pathlib import Path
from threading import Thread

import prefect
import psutil
from httpx import HTTPError
from packaging.version import Version
from prefect import get_client, runtime
from prefect.client.base import PrefectHttpxAsyncClient, PrefectHttpxSyncClient, ServerType
from prefect.context import refresh_global_settings_context
from prefect.settings import get_current_settings

from bitext_pivot.core.errors import SettingsError, SourceError
from bitext_pivot.core.site import without_proxy
from bitext_pivot.core.untrusted import shown
from bitext_pivot.deployments import servers
from bitext_pivot.tasks.run import runners
from bitext_pivot.tasks.run.run_page import mark_stopped
from bitext_pivot.tasks.run.signals import end_on_signals

PATIENCE = 600.0
"""Seconds for a server to answer: its first database takes half a minute on a busy machine; one that ends is refused at
once."""
NAMED_PATIENCE = 30.0  # seconds for a server that PREFECT_API_URL names
COMMAND = ("-m", "bitext_pivot.deployments.command_server")
AUTHENTICATION = "PREFECT_SERVER_API_AUTH_STRING"
_ADDRESS = "PREFECT_API_URL"
_FILES = (".env", "prefect.toml", "pyproject.toml")
"""Files in the working folder with settings of Prefect."""
WITHOUT_BLOCKS = {
    "PREFECT_SERVER_REGISTER_BLOCKS_ON_START": "false",
    "PREFECT_SERVER_MEMOIZE_BLOCK_AUTO_REGISTRATION": "false",
}
"""Types of blocks, which no build uses, take a second of each start."""
_LAST_WORDS = 3  # seconds for a server to learn that the run ends
_LAST_WAIT = 5  # seconds for this command's server to end


def ensure_server(*, for_command: bool = True) -> None:
    """Start a Prefect server that ends with this process, unless PREFECT_API_URL names one.

    For a command, Ctrl-C, SIGTERM and SIGHUP then end all at once.
    Nothing is lost: files are written atomically, and a server that PREFECT_API_URL names learns that the run crashed.
    The signals of a notebook stay as they are: an interrupt must not end its kernel. The log of the server is in
    Prefect's folder until the server has ended.

    Raises:
        SettingsError: there is no folder for the server's database, or something else stands in its place.
        SourceError: the server did not start, or the server of PREFECT_API_URL does not answer.
    """
    found = get_current_settings()
    named = found.api.url
    log = log_path(found.home)
    if for_command:
        end_on_signals(_report_stop if named else partial(log.unlink, missing_ok=True))
    if named:
        _find(named, found.profiles_path)
        return
    if not os.access(found.home, os.W_OK):
        raise SettingsError(
            f"{found.home}, Prefect's folder, cannot be written: set PREFECT_HOME to one that can be"
        )
    database, url = found.home / "prefect.db", found.server.database.connection_url
    if url and url.get_secret_value().endswith(str(database)):
        _check_database(database)
    host, password = runners.host(), f"build:{secrets.token_urlsafe()}"
    _ask_directly(host)
    settings = found.to_environment_variables(exclude_unset=True)
    settings |= WITHOUT_BLOCKS | {AUTHENTICATION: password}
    address = start(host, log, settings)
    # in the environment for all threads, processes and jobs; the server shows no pages
    os.environ |= {
        "PREFECT_API_URL": address,
        "PREFECT_API_AUTH_STRING": password,
        "PREFECT_UI_URL": "",
    }
    refresh_global_settings_context()


def _check_database(path: Path) -> None:
    """Raise SettingsError if the place of the server's database is taken; a database in use is passed."""
    if not path.exists():
        return
    try:
        with closing(sqlite3.connect(path)) as database:
            database.execute("SELECT name FROM sqlite_master").fetchall()
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            return
        raise SettingsError(
            f"{path}, the database of Prefect's server, cannot be used ({error}). Move it away: a new one is made."
        ) from error


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


def _find(address: str, profiles: Path) -> None:
    """Raise SourceError unless a server answers that is as new as the client: an older one refuses fields (422)."""
    last = time.monotonic() + NAMED_PATIENCE
    with get_client(sync_client=True) as client:
        while error := client.api_healthcheck():
            if time.monotonic() >= last:
                raise SourceError(
                    f"No Prefect server answers at {address}, which {_origin(address, profiles)} names ({error}). "
                    "Start it, or take it away there: then the command has a server of its own."
                )
            time.sleep(1)
        try:
            version = "" if client.server_type is ServerType.CLOUD else client.api_version()
            is_older = bool(version) and Version(version) < Version(prefect.__version__)
        except (HTTPError, TypeError, ValueError) as error:  # other JSON among them
            version, is_older = str(error), True
    if is_older:
        raise SourceError(
            f"{address}, which {_origin(address, profiles)} names, is no Prefect server of version "
            f"{prefect.__version__} or newer: {shown(version)}. Start one with make serve, or take the address away "
            "there: then the command has a server of its own."
        )


def _origin(address: str, profiles: Path) -> str:
    """Return what names an address: the variable, or the file of Prefect's settings that has it."""
    if not os.environ.get(_ADDRESS):
        for path in (*map(Path, _FILES), profiles):
            if path.is_file() and address in path.read_text("utf-8", "replace"):
                return str(path.resolve())
    return _ADDRESS


def start(host: str, log: Path, settings: dict[str, str]) -> str:
    """Start the server and return the address of its API when it answers."""
    with socket.socket() as free:
        free.bind((host, 0))
        port = free.getsockname()[1]
    # the end of its standard input tells the server that this process is gone, however it ended
    server = servers.begin([*COMMAND, host, str(port)], log, os.environ | settings, subprocess.PIPE)
    atexit.register(_end, server, log)
    address = f"http://{host}:{port}/api"
    servers.wait(server, address, log, PATIENCE)
    return address


def _end(server: psutil.Popen, log: Path) -> None:
    ended_alone = server.poll() is not None
    servers.end(server, _LAST_WAIT)
    if not ended_alone:
        log.unlink(missing_ok=True)


def _report_stop() -> None:
    """Mark the current run as crashed, if the server answers soon."""
    if run := runtime.flow_run.id:
        report = Thread(target=mark_stopped, args=[run], daemon=True)
        report.start()
        report.join(_LAST_WORDS)
