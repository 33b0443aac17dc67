"""A Prefect server and worker as `make serve` starts them, with their own data folder and port, and API calls."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import httpx
import psutil

ROOT = Path(__file__).parents[1]
OPUS = ROOT / "quickstart" / "opus"
ENDED = ("Completed", "Failed", "Crashed", "Cancelled")
PATIENCE = 600.0  # seconds; only a broken build takes so long, even on a busy machine
Answer = TypeVar("Answer")


class Api:
    """The API of a server, called as a browser does; `auth` is the name and password of the page."""

    def __init__(self, address: str, auth: tuple[str, str] | None = None) -> None:
        self.address, self.auth = address, auth

    def request(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Send one request; one that changes something has a token, unless `options` (httpx's) have headers."""
        given = {"auth": self.auth, "timeout": PATIENCE, "trust_env": False, **options}
        if method not in {"GET", "OPTIONS"}:
            given.setdefault("headers", self.token())
        return httpx.request(method, f"{self.address}/api/{path}", **given)

    def token(self) -> dict[str, str]:
        """Return the headers that the UI sends with a request that changes something."""
        client = uuid4().hex
        answer = self.request("GET", f"csrf-token?client={client}").raise_for_status()
        return {"Prefect-Csrf-Client": client, "Prefect-Csrf-Token": answer.json()["token"]}

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Send one request, which must succeed, and return its content."""
        answer = self.request(method, path, json=body)
        assert answer.is_success, answer.text
        return answer.json() if answer.content else None

    def submit(
        self, deployment: str, settings: Mapping[str, Any] | None = None, **environment: str
    ) -> str:
        """Start a run of `flow/deployment`, by default with the form as it is; return the run's id."""
        found = self.ask("GET", f"deployments/name/{deployment}")
        parameters = found["parameters"] if settings is None else {"settings": settings}
        body = {"parameters": parameters, "state": {"type": "SCHEDULED"}}
        body |= {"job_variables": {"env": environment}} if environment else {}
        return str(self.ask("POST", f"deployments/{found['id']}/create_flow_run", body)["id"])

    def state(self, run: str) -> tuple[str, str]:
        """Return the run's state and its message, as the run's page shows them."""
        state = self.ask("GET", f"flow_runs/{run}")["state"] or {"name": "", "message": ""}
        return state["name"], state["message"] or ""

    def ends(self, run: str, *, within: float = PATIENCE) -> tuple[str, str]:
        """Wait until the run has ended; return state and message."""
        until(lambda: self.state(run)[0] in ENDED, within)
        return self.state(run)


class Page(Api):
    """A served Prefect UI: start and stop it, kill its processes, and call its API."""

    def __init__(self, home: Path, **environment: str) -> None:
        self.home, self.port = home, free_port()
        name, _, password = environment.get("PREFECT_SERVER_API_AUTH_STRING", "").partition(":")
        super().__init__(f"http://127.0.0.1:{self.port}", (name, password) if name else None)
        clean = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PREFECT_", "BITEXT_"))
        }
        self.environment = clean | {
            "BITEXT_PIVOT_HOME": str(home), "BITEXT_PIVOT_SERVE_PORT": str(self.port), "BITEXT_PIVOT_OPUS": str(OPUS),
            "BITEXT_PIVOT_SERVE_PATIENCE": str(PATIENCE), "PWD": "/elsewhere", **environment,
        }  # fmt: skip

    def command(self, name: str, *, fails: bool = False) -> str:
        """Run `bitext-pivot name`, which must succeed or fail, and return its output."""
        command = [sys.executable, "-m", "bitext_pivot", name]
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return done.stdout + done.stderr

    def run(
        self, deployment: str, settings: Mapping[str, Any], home: Path, **environment: str
    ) -> str:
        """Start a run as `Custom run` does, with its data in `home`; return the run's id."""
        flow = "plan-bitext" if deployment == "plan" else "pivot-bitext"
        return self.submit(
            f"{flow}/{deployment}", settings, BITEXT_PIVOT_HOME=str(home), **environment
        )

    def retry(self, run: str) -> None:
        """Press Retry."""
        state = {"type": "SCHEDULED", "name": "AwaitingRetry"}
        self.ask("POST", f"flow_runs/{run}/set_state", {"state": state, "force": True})

    def history(self, run: str) -> list[str]:
        """Return the names of all states of the run, in order."""
        states = self.ask("GET", f"flow_run_states/?flow_run_id={run}")
        return [one["name"] for one in sorted(states, key=lambda one: one["timestamp"])]

    def completes(self, run: str) -> None:
        """Wait until the run has completed; raise when it failed.

        A run may be seen as Crashed in between: some seconds after a crash the worker reports it a second time, even
        when the run was begun anew meanwhile.
        """
        until(lambda: self.state(run)[0] in {"Completed", "Failed"})
        assert self.state(run)[0] == "Completed", self.state(run)

    def shows(self, run: str | list[str], attempt: int, **stages: Counter[str]) -> None:
        """Wait until the server knows how the tasks of these stages ended in an attempt (from 1); fail if it differs.

        Several runs are counted together.
        """
        wanted = [run] if isinstance(run, str) else run
        found: dict[str, Counter[str]] = {}

        def caught_up() -> bool:
            every = self.ask("POST", "task_runs/filter", {"flow_runs": {"id": {"any_": wanted}}})
            mine = [one for one in every if one["flow_run_run_count"] == attempt]
            for stage in stages:
                found[stage] = Counter(
                    one["state_name"] for one in mine if one["name"].startswith(stage)
                )
            return found == stages

        with suppress(AssertionError):
            until(caught_up, PATIENCE / 2)  # the server records task states with a delay
        assert found == stages

    def process(self, run: str) -> psutil.Process:
        """Return the process of a running flow run."""
        from bitext_pivot.deployments import runs

        return until(lambda: runs.processes().get(run))

    def command_lines(self) -> list[str]:
        """Return the command lines of all processes of this server, without those that end meanwhile."""
        home = str(self.home / "prefect")
        return [
            " ".join(process.info["cmdline"] or [])
            for process in psutil.process_iter(["cmdline", "environ"])
            if (process.info["environ"] or {}).get("PREFECT_HOME") == home
        ]

    def part(self, name: str) -> psutil.Process:
        """Return the process of `server` or `worker`."""
        return psutil.Process(
            json.loads((self.home / "prefect" / f"{name}.json").read_text())["pid"]
        )


@contextmanager
def served(home: Path, **environment: str) -> Iterator[Page]:
    """Yield a running server and a worker; stop them afterwards."""
    page = Page(home, **environment)
    try:
        page.command("serve")
        yield page
    finally:
        page.command("stop")


def kill(*processes: psutil.Process) -> None:
    """Kill processes and their children all at once, as a power cut does."""
    family = [one for process in processes for one in (process, *process.children(recursive=True))]
    for sent in (signal.SIGSTOP, signal.SIGKILL):
        for one in family:
            with suppress(psutil.NoSuchProcess):  # it ended meanwhile
                one.send_signal(sent)
    psutil.wait_procs(family, timeout=PATIENCE)


def until(
    ask: Callable[[], Answer | None], within: float = PATIENCE, *, pause: float = 0.3
) -> Answer:
    """Call `ask` until its result is true, and return the result; `pause`: seconds between two calls."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if answer := ask():
            return answer
        time.sleep(pause)
    raise AssertionError(f"did not come true within {within:.0f} s")


def free_port() -> int:
    """Return a free port of 127.0.0.1."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def shards_of(home: Path) -> dict[str, int]:
    """Return every file of shards and data sets below `home` with its modification time."""
    files = [
        path for path in home.glob("*-*/*-*/*") if path.is_file() and not path.name.startswith(".")
    ]
    return {str(path.relative_to(home)): path.stat().st_mtime_ns for path in files}


def data_set(home: Path) -> Path:
    """Return the only data set below `home`."""
    (folder,) = home.glob("*-*/export-*")
    return folder
