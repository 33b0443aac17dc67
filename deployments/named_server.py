"""The Prefect server named by the user, which records the runs that commands and notebooks start."""

import os
import re
import time
from pathlib import Path
from threading import Thread

import prefect
from httpx import ConnectError, HTTPError, InvalidURL, UnsupportedProtocol
from prefect import get_client, runtime
from prefect.client.base import ServerType
from prefect.settings import get_current_settings

from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.untrusted import shown
from bitext_pivot.deployments.server_address import ADDRESS, FILES, contains_text
from bitext_pivot.flows.run_page import mark_stopped

PATIENCE = 30.0
"""Seconds to wait for the server to answer."""
_CONNECT_SECONDS = 3
"""Seconds to wait if nothing listens at the address of the server."""
_REPORT_SECONDS = 3
"""Seconds to wait until the server has recorded that a run was stopped."""


def check_server() -> None:
    """Raise SourceError unless the server answers and is not older than the client.

    An older server refuses fields of requests that it does not know, with status 422.
    """
    address, start = get_current_settings().api.url, time.monotonic()
    with get_client(sync_client=True) as client:
        while error := client.api_healthcheck():
            if time.monotonic() - start >= _seconds_to_wait(error):
                raise SourceError(
                    f"No Prefect server answers at {address}, which {_origin(str(address))} names ({error}). Start "
                    "the server, or remove its address there: builds need no server."
                )
            time.sleep(1)
        try:
            version = "" if client.server_type is ServerType.CLOUD else client.api_version()
            is_older = bool(version) and _release(version) < _release(prefect.__version__)
        except (HTTPError, TypeError, ValueError) as error:  # the answer may be any JSON
            version, is_older = str(error), True
    if is_older:
        raise SourceError(
            f"{address}, which {_origin(str(address))} names, is not a Prefect server of version "
            f"{prefect.__version__} or newer: {shown(version)}. Start one with make serve, or remove the address "
            "there: builds need no server."
        )


def _seconds_to_wait(error: Exception) -> float:
    """Return for how many seconds requests may fail with `error`: 0 if the address is not a URL."""
    if isinstance(error, UnsupportedProtocol | InvalidURL):
        return 0
    return min(_CONNECT_SECONDS, PATIENCE) if isinstance(error, ConnectError) else PATIENCE


def _release(version: str) -> list[int]:
    """Return the numbers in a version of Prefect: "3.9.0.dev2" -> [3, 9, 0]."""
    return [int(number) for number in re.findall(r"\d+", version)[:3]]


def _origin(address: str) -> str:
    """Return the name of the environment variable or file in which the server's address is set."""
    if not os.environ.get(ADDRESS):
        for path in (*map(Path, FILES), get_current_settings().profiles_path):
            if contains_text(path, address):
                return str(path.resolve())
    return ADDRESS


def report_stop() -> None:
    """Mark the current flow run as crashed, if the server answers within a few seconds."""
    if run := runtime.flow_run.id:
        report = Thread(target=mark_stopped, args=[run], daemon=True)
        report.start()
        report.join(_REPORT_SECONDS)
