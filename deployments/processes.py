"""The server and the worker of the Prefect UI, found again by id and start time, which are in its folder."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psutil
from pydantic import BaseModel, NonNegativeInt

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.storage import atomic, received
from bitext_pivot.deployments import servers


class _Identity(BaseModel):
    """A process that was started, in a file that anybody can write."""

    pid: NonNegativeInt
    begun: float
    listens: dict[str, Any] = {}


def begin(
    name: str,
    arguments: list[str],
    folder: Path,
    environment: Mapping[str, str],
    listens: Mapping[str, Any] | None = None,
) -> psutil.Process:
    """Start Python with `arguments`; write its id and start time into the folder, which has its log, too.

    `listens`: host and port of a server, which `listening` returns.
    """
    process = servers.begin(arguments, folder / f"{name}.log", environment)
    identity = _Identity(pid=process.pid, begun=process.create_time(), listens=dict(listens or {}))
    atomic.write_json(folder / f"{name}.json", identity.model_dump())
    return process


def find(folder: Path, name: str) -> psutil.Process | None:
    """Return a process that `begin` started if it still runs, None also if its id now belongs to another process."""
    try:
        identity = received.model(folder / f"{name}.json", _Identity)
        process = psutil.Process(identity.pid)
        is_same = (
            abs(process.create_time() - identity.begun) < 1
            and process.status() != psutil.STATUS_ZOMBIE
        )
    except (ShardError, psutil.NoSuchProcess):
        return None
    return process if is_same else None


def listening(folder: Path) -> dict[str, Any]:
    """Return host and port of the server that `begin` started, if it still runs."""
    if find(folder, "server") is None:
        return {}
    return received.model(folder / "server.json", _Identity).listens
