"""Server and worker processes: started in sessions of their own, ended with their children."""

import json
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psutil

from bitext_pivot.core.storage import atomic


def begin(
    name: str,
    arguments: list[str],
    folder: Path,
    environment: Mapping[str, str],
    listens: Mapping[str, Any] | None = None,
) -> None:
    """Start Python with `arguments` in a session of its own; write its id and start time into the folder.

    `listens`: host and port of a server, which `listening` returns. Its log is readable for this user only.
    """
    path = folder / f"{name}.log"
    path.touch(0o600)
    with path.open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            start_new_session=True, env=dict(environment),
        )  # fmt: skip
    begun = psutil.Process(process.pid).create_time()
    identity = {"pid": process.pid, "begun": begun, "listens": dict(listens or {})}
    atomic.write_json(folder / f"{name}.json", identity)


def find(folder: Path, name: str) -> psutil.Process | None:
    """Return a process that `begin` started if it still runs, None also if its id now belongs to another process."""
    try:
        identity = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        process = psutil.Process(identity["pid"])
        is_same = (
            abs(process.create_time() - identity["begun"]) < 1
            and process.status() != psutil.STATUS_ZOMBIE
        )
    except (OSError, ValueError, KeyError, psutil.NoSuchProcess):
        return None
    return process if is_same else None


def listening(folder: Path) -> dict[str, Any]:
    """Return host and port of the server that `begin` started, if it still runs."""
    if find(folder, "server") is None:
        return {}
    listens: dict[str, Any] = atomic.load_json(folder / "server.json").get("listens", {})
    return listens


def end(process: psutil.Process) -> None:
    """Terminate a process and its children; kill those that are left after 20 seconds."""
    family = [process, *process.children(recursive=True)]
    process.send_signal(signal.SIGTERM)
    _, left = psutil.wait_procs(family, timeout=20)
    for survivor in left:
        survivor.kill()
    psutil.wait_procs(left, timeout=10)
