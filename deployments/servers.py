"""Start server processes with a log, wait until they answer, and end them with their children."""

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

_SILENT = 20.0  # seconds of waiting before the log says so


def begin(arguments: Sequence[str], log: Path, environment: Mapping[str, str]) -> psutil.Popen:
    """Start Python with `arguments`, and write its output to `log`, readable by this user only.

    The process gets a session of its own, so that Ctrl-C in the terminal does not end it.
    """
    log.touch(0o600)
    with log.open("ab") as out:
        return psutil.Popen(
            [sys.executable, *arguments],
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
            start_new_session=True,
        )


def wait(server: psutil.Process, api: str, log: Path, patience: float) -> None:
    """Wait until the Prefect server at `api` answers; log a line if that takes long.

    Raises SourceError if the server ends, or does not answer within `patience` seconds.
    """
    begun = time.monotonic()
    is_silent = True
    # Each new client would load all certificates, which takes 16 ms.
    with httpx.Client(timeout=5, trust_env=False) as client:
        while not _answers(client, api):
            waited = time.monotonic() - begun
            with suppress(psutil.TimeoutExpired):
                status = server.wait(0)
                raise SourceError(
                    f"Prefect's server at {api} ended with status {status}. The reason is at the end of {log}. "
                    f"If the database is damaged, move {log.with_name('prefect.db')} to another folder."
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
    """Return True if the Prefect server at `api` answers that it is healthy."""
    try:
        return client.get(f"{api}/health").is_success
    except httpx.HTTPError:
        return False


def end(server: psutil.Process, patience: float = 20) -> None:
    """Terminate a process if it still exists; after `patience` seconds kill it and its children."""
    family = [server]
    with suppress(psutil.NoSuchProcess):
        family += server.children(recursive=True)
        server.terminate()
    _, left = psutil.wait_procs(family, timeout=patience)
    for survivor in left:
        with suppress(psutil.NoSuchProcess):
            survivor.kill()
    psutil.wait_procs(left, timeout=10)
