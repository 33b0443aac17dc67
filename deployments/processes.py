"""Start the server and the worker of the Prefect UI, and find their processes later."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psutil
from pydantic import BaseModel, NonNegativeInt

from bitext_pivot.core.errors import ShardError
from bitext_pivot.core.storage import atomic, received
from bitext_pivot.deployments import servers


class _Identity(BaseModel):
    """Id and start time of a process, read from a file that is not trusted."""

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
    """Start Python with `arguments`; write its log, its id and its start time into the folder.

    `listens` contains the host and port of a server, for `listening`.
    """
    process = servers.begin(arguments, folder / f"{name}.log", environment)
    identity = _Identity(pid=process.pid, begun=process.create_time(), listens=dict(listens or {}))
    atomic.write_json(folder / f"{name}.json", identity.model_dump())
    return process


def find(folder: Path, name: str) -> psutil.Process | None:
    """Return the process `name` that `begin` started, or None if it has ended.

    Another process that now has the same id is not returned.
    """
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
    """Return the host and port of the server that `begin` started, or an empty dictionary if it has ended."""
    if find(folder, "server") is None:
        return {}
    return received.model(folder / "server.json", _Identity).listens
