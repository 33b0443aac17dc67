"""The Prefect server that PREFECT_API_URL names: it records a run that a command or a notebook starts."""

import os
import time
from threading import Thread

import prefect
from httpx import HTTPError
from packaging.version import Version
from prefect import get_client, runtime
from prefect.client.base import ServerType

from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.untrusted import shown
from bitext_pivot.flows.run_page import mark_stopped

ADDRESS = "PREFECT_API_URL"
PATIENCE = 30.0  # seconds for the server to answer
_LAST_WORDS = 3  # seconds for the server to learn that the run ends


def find_server() -> None:
    """Raise SourceError unless a server answers that is as new as the client: an older one refuses fields (422)."""
    address, last = os.environ[ADDRESS], time.monotonic() + PATIENCE
    with get_client(sync_client=True) as client:
        while error := client.api_healthcheck():
            if time.monotonic() >= last:
                raise SourceError(
                    f"No Prefect server answers at {address}, which {ADDRESS} names ({error}). "
                    "Start it, or take it away there: then no server is needed."
                )
            time.sleep(1)
        try:
            version = "" if client.server_type is ServerType.CLOUD else client.api_version()
            is_older = bool(version) and Version(version) < Version(prefect.__version__)
        except (HTTPError, TypeError, ValueError) as error:  # other JSON among them
            version, is_older = str(error), True
    if is_older:
        raise SourceError(
            f"{address}, which {ADDRESS} names, is no Prefect server of version "
            f"{prefect.__version__} or newer: {shown(version)}. Start one with make serve, or take the address away "
            "there: then no server is needed."
        )


def report_stop() -> None:
    """Mark the current run as crashed, if the server answers soon."""
    if run := runtime.flow_run.id:
        report = Thread(target=mark_stopped, args=[run], daemon=True)
        report.start()
        report.join(_LAST_WORDS)
