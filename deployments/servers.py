"""Processes of servers: started with a log of their own, waited for, and ended with their children."""

import logging
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import httpx
import psutil

from bitext_pivot.core.errors import SourceError

_SILENT = 20.0  # seconds of waiting before a line says what is waited for


def begin(
    arguments: Sequence[str],
    log: Path,
    environment: Mapping[str, str],
    stdin: int = subprocess.DEVNULL,
) -> psutil.Popen:
    """Start Python with `arguments`; its log is readable for this user only.

    It has a session of its own: what a terminal or `timeout` sends to all processes of a command must not end
    the server first.
    """
    log.touch(0o600)
    with log.open("ab") as out:
        return psutil.Popen(
            [sys.executable, *arguments],
            env=dict(environment),
            stdin=stdin,
            stdout=out,
            stderr=out,
            start_new_session=True,
        )


def wait(server: psutil.Process, api: str, log: Path, patience: float) -> None:
    """Wait until the Prefect server at `api` answers; say so once if it takes long.

    Raises SourceError for a server that ends, or does not answer within `patience` seconds.
    """
    begun = time.monotonic()
    is_silent = True
    # one client: each loads all certificates, which takes 16 ms, in a loop of ten a second
    with httpx.Client(timeout=5, trust_env=False) as client:
        while not _answers(client, api):
            waited = time.monotonic() - begun
            with suppress(psutil.TimeoutExpired):
                status = server.wait(0)
                raise SourceError(
                    f"Prefect's server at {api} ended with status {status}. The reason is at the "
                    f"end of {log}. If it is the database, {log.with_name('prefect.db')}, move it away."
                )
            if is_silent and waited > _SILENT:
                logging.getLogger(__name__).info(
                    "Waiting for Prefect's server, at most %.0f s; its log is %s", patience, log
                )
                is_silent = False
            if waited > patience:
                raise SourceError(
                    f"Prefect's server at {api} did not answer within {patience:.0f} s: the machine may "
                    f"be too busy. Run again later; its log is {log}."
                )
            time.sleep(0.1)


def _answers(client: httpx.Client, api: str) -> bool:
    """Return True if a server answers, to a client without a proxy."""
    try:
        return client.get(f"{api}/health").is_success
    except httpx.HTTPError:
        return False


def end(server: psutil.Process, patience: float = 20) -> None:
    """Terminate a process, which may be gone; after `patience` seconds kill it and its children."""
    family = [server]
    with suppress(psutil.NoSuchProcess):
        family += server.children(recursive=True)
        server.terminate()
    _, left = psutil.wait_procs(family, timeout=patience)
    for survivor in left:
        with suppress(psutil.NoSuchProcess):
            survivor.kill()
    psutil.wait_procs(left, timeout=10)
