"""The processes behind the page: started apart from their parent, known again by number and start time, ended whole."""

import json
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import psutil

from pairs.storage import atomic


def begin(name: str, arguments: list[str], folder: Path, environment: Mapping[str, str]) -> None:
    """Start Python with `arguments` in a session of its own; its number is kept with its start time."""
    with (folder / f"{name}.log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, *arguments],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            start_new_session=True, env=dict(environment),
        )  # fmt: skip
    begun = psutil.Process(process.pid).create_time()
    atomic.write_json(folder / f"{name}.json", {"pid": process.pid, "begun": begun})


def known(folder: Path, name: str) -> psutil.Process | None:
    """Return a process that we started and that still runs; a number that was given away again is not taken for it."""
    try:
        kept = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        process = psutil.Process(kept["pid"])
        same = abs(process.create_time() - kept["begun"]) < 1 and process.status() != psutil.STATUS_ZOMBIE
    except (OSError, ValueError, KeyError, psutil.NoSuchProcess):
        return None
    return process if same else None


def end(process: psutil.Process) -> None:
    """End a process and its children: kindly at first, then by force."""
    family = [process, *process.children(recursive=True)]
    process.send_signal(signal.SIGTERM)
    _, left = psutil.wait_procs(family, timeout=20)
    for survivor in left:
        survivor.kill()
    psutil.wait_procs(left, timeout=10)
