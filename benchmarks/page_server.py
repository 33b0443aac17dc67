"""A Prefect server of one's own, and what a browser feels while it works. Used by orchestration.py."""

import os
import socket
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "deployments"))

from serve import RECORDING, SERVER

QUIET = {
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "DO_NOT_TRACK": "1",
    "PREFECT_CLIENT_MAX_RETRIES": "7",
    "PREFECT_LOGGING_LEVEL": "WARNING",
}


class Server:
    """A server that answers: its address, its database and its process."""

    def __init__(self, home: Path, address: str, process: psutil.Process) -> None:
        self.home, self.address, self.process = home, address, process

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Ask the API once, as a browser does: nothing is repeated."""
        return httpx.request(method, f"{self.address}/{path}", json=body, timeout=120, trust_env=False)

    def made(self, path: str, body: Any) -> str:
        """Make something and return its id; a server that has just begun may be too busy, and is asked again."""
        for _ in range(60):
            answer = self.ask("POST", path, body)
            if answer.is_success:
                return str(answer.json()["id"])
            time.sleep(1)
        raise SystemExit(f"{path} was refused for a minute: {answer.status_code} {answer.text[:500]}")

    def environment(self) -> dict[str, str]:
        """What a build needs to find it."""
        return QUIET | {"PREFECT_API_URL": self.address, "PREFECT_HOME": str(self.home)}

    def task_runs(self, state: str) -> int:
        """How many task runs the server knows to be in a state of this name."""
        wanted = {"task_runs": {"state": {"name": {"any_": [state]}}}}
        answer = self.ask("POST", "task_runs/count", wanted)
        return int(answer.json()) if answer.is_success else 0

    def memory(self) -> float:
        """Return the MB that the server's processes hold now."""
        family = [self.process, *self.process.children(recursive=True)]
        return sum(one.memory_info().rss for one in family) / 1e6

    def cpu(self) -> float:
        """Return the CPU seconds that the server's processes took so far."""
        family = [self.process, *self.process.children(recursive=True)]
        return sum(sum(one.cpu_times()[:2]) for one in family)


@contextmanager
def server(home: Path, database: str | None = None, *, cores: str = "0,1") -> Iterator[Server]:
    """Start a server with its files in `home`, on SQLite or the PostgreSQL at `database`; end it with the block."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home.mkdir(parents=True)
    setting = {"PREFECT_SERVER_DATABASE_CONNECTION_URL": database} if database else {}
    command = [
        "taskset",
        "-c",
        cores,
        sys.executable,
        str(SERVER),
        "server",
        "start",
        "--host",
        "127.0.0.1",
        "--port",
        str(port),
    ]
    environment = os.environ | QUIET | RECORDING | {"PREFECT_HOME": str(home)} | setting
    with (home / "server.log").open("wb") as log:
        process = psutil.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        found = Server(home, f"http://127.0.0.1:{port}/api", process)
        _wait(found)
        yield found
    finally:
        family = [process, *process.children(recursive=True)]
        for one in family:
            one.terminate()
        for one in psutil.wait_procs(family, timeout=20)[1]:
            one.kill()
        process.wait()


def _wait(server: Server) -> None:
    for _ in range(600):
        try:
            if server.ask("GET", "health").is_success:
                return
        except httpx.HTTPError:
            time.sleep(0.5)
    raise SystemExit(f"The server did not start: {(server.home / 'server.log').read_text()[-2_000:]}")


class Prober(threading.Thread):
    """Asks once a second what a browser asks: the list of runs, the runs of tasks, and to begin a run (the button)."""

    def __init__(self, server: Server) -> None:
        super().__init__(daemon=True)
        self.server, self.over = server, threading.Event()
        self.taken: dict[str, list[float]] = {"read": [], "run": []}
        self.refused: Counter[str] = Counter()
        flow = server.made("flows/", {"name": "probe"})
        deployment = server.made("deployments/", {"name": "probe", "flow_id": flow})
        self.asked = {
            "read": ("POST", "task_runs/filter", {"limit": 50, "sort": "EXPECTED_START_TIME_DESC"}),
            "run": ("POST", f"deployments/{deployment}/create_flow_run", {"state": {"type": "SCHEDULED"}}),
        }

    def run(self) -> None:
        """Ask until it is over."""
        while not self.over.wait(1.0):
            for name, asked in self.asked.items():
                begun = time.perf_counter()
                answer = self.server.ask(*asked)
                self.taken[name].append(time.perf_counter() - begun)
                self.refused[name] += not answer.is_success

    def end(self) -> None:
        """Ask no more."""
        self.over.set()
        self.join()

    def told(self, name: str) -> str:
        """Return median and worst latency, and how often it was refused."""
        taken = self.taken[name] or [0.0]
        middle = statistics.median(taken)
        return f"{middle:.2f} s, at worst {max(taken):.1f} s; {self.refused[name]} of {len(taken)} refused"
