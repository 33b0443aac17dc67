"""Fault injection: builds that stop at a known shard, and a worker whose connection can be cut."""

import contextlib
import socket
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil
from builds import tiny, tree
from served import ROOT, Page, data_set, kill, shards_of, until

SETTINGS = tiny()
OUTAGE = 20.0  # seconds without a connection
HEARTBEAT = 60  # seconds after which the server misses a run here; flow runs send one every 30 s
GATE = "Tiny-v1-00002.parquet"
"""The third of five shards of pairs."""
Open = Callable[[], None]
"""Lets a waiting build continue."""


class Build:
    """A data folder of builds, compared with the undisturbed one."""

    def __init__(self, home: Path, calm: Path) -> None:
        self.home, self.calm = home, calm
        self.gate = home / next(calm.glob(f"*/pairs-*/{GATE}")).relative_to(calm)
        self.written: dict[str, int] = {}

    @property
    def lock(self) -> Path:
        """The lock file of the shard at the gate."""
        return self.gate.with_name(f".{self.gate.name}.lock")

    def is_at_the_gate(self) -> bool:
        """Return True if everything is built that can be while the shard at the gate is locked.

        A shard goes through all stages before another begins, so these are the four others, judged.
        """
        others = (f"judged-*/Tiny-v1-0000{number}.parquet" for number in (0, 1, 3, 4))
        return all(any(self.home.glob(f"*/{name}")) for name in others)

    def remember(self) -> int:
        """Record what is built so far and when; return the number of files."""
        self.written = shards_of(self.home)
        return len(self.written)

    def is_whole(self) -> None:
        """Assert that the data set equals the undisturbed one and that recorded files were not touched."""
        after = shards_of(self.home)
        assert {name: after.get(name) for name in self.written} == self.written
        assert set(after) == set(shards_of(self.calm))
        assert tree(data_set(self.home)) == tree(data_set(self.calm))
        for name in after:
            if name.endswith(".parquet"):
                assert (self.home / name).read_bytes() == (self.calm / name).read_bytes(), name


def arrives(build: Build) -> None:
    """Wait until the build is at the gate."""
    until(build.is_at_the_gate)
    build.remember()


class Line:
    """A proxy between a worker and the server that can stop forwarding without closing connections."""

    def __init__(self, port: int) -> None:
        self.port, self.whole = port, threading.Event()
        self.whole.set()
        self.entry = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.entry.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # until the entry is closed
            while True:
                near, _ = self.entry.accept()
                threading.Thread(target=self._connect, args=[near], daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        self.whole.wait()
        with (
            contextlib.suppress(OSError),
            near,
            socket.create_connection(("127.0.0.1", self.port)) as far,
        ):
            back = threading.Thread(target=self._carry, args=[far, near], daemon=True)
            back.start()
            self._carry(near, far)
            back.join()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                self.whole.wait()
                other.sendall(data)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


class Far:
    """A worker as on another machine: with its own pool, deployment and connection to the server."""

    def __init__(self, page: Page) -> None:
        self.page, self.line = page, Line(page.port)
        self.environment = page.part("worker").environ() | {
            "PREFECT_API_URL": f"{self.line.address}/api"
        }
        if not page.ask("POST", "work_pools/filter", {"work_pools": {"name": {"any_": ["far"]}}}):
            page.ask("POST", "work_pools/", {"name": "far", "type": "process"})
            near = page.ask("GET", "deployments/name/pivot-bitext/fr-en")
            same = (
                "flow_id",
                "entrypoint",
                "path",
                "pull_steps",
                "job_variables",
                "parameter_openapi_schema",
            )
            page.ask("POST", "deployments/", {name: near[name] for name in same} | {
                "name": "far", "work_pool_name": "far", "enforce_parameter_schema": True,
            })  # fmt: skip
        command = [sys.executable, "-m", "prefect", "worker", "start", "--pool", "far"]
        with (page.home / "far.log").open("ab") as log:
            self.worker = psutil.Popen(
                command, env=self.environment, cwd=ROOT, stdout=log, stderr=log
            )

    def end(self) -> None:
        """Kill the worker and all its runs."""
        if self.worker.is_running():
            kill(self.worker)
        self.worker.wait()
        self.line.entry.close()


@dataclass
class Zombie:
    """A run whose process and worker were killed, and the time of that."""

    run: str
    build: Build
    killed: float
    let_go: Open


@dataclass
class Outage:
    """A run that continues without a connection, and the timer that restores it."""

    run: str
    build: Build
    repaired: threading.Timer
