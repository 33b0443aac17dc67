"""The page in the browser: a Prefect server, a work pool, a worker and all deployments, with one command.

    python deployments/serve.py start | stop | status | repair

Everything lies in the folder `prefect` below BITEXT_PIVOT_HOME: database, logs, and the process numbers by which `stop`
finds them again. The server listens on this machine only and asks nothing of the outside. On any other address it is
started only with a password (PREFECT_SERVER_API_AUTH_STRING, `user:password`): whoever reaches the page can run code
here. PostgreSQL instead of SQLite: set BITEXT_PIVOT_SERVE_DATABASE to postgresql://user:password@host:5432/database.

`repair` marks runs whose process is gone as crashed, so that they offer Retry; `start` and `stop` do so, too. Without
them the server does it three minutes after the last sign of life (automations.yaml).
"""

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import httpx
import policy
from database import Address, opened_by, without
from listening import LOCK, refuse_a_busy_port, refuse_an_open_door
from processes import begin, end, known
from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict
from rich.console import Console

from pairs.errors import SettingsError, SourceError
from pairs.site import Site

if TYPE_CHECKING:
    from prefect.client.orchestration import PrefectClient

SERVER = Path(__file__).parent / "server.py"
POOL = "local"
INTERFACE = "interface"
"""The folder with the server's own copy of Prefect's interface, below that of the page."""
RECORDING = {
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "200",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
}
"""How the server writes down what tasks report: many reports at once, within a second.

By itself it takes them one by one, falls behind a Retry of many finished shards, and forgets what no longer fits into
its queue (docs/scaling.md).
"""
screen = Console(soft_wrap=True)
Answer = TypeVar("Answer")


class Serve(BaseSettings):
    """Where the server listens and how long to wait for it."""

    model_config = SettingsConfigDict(env_prefix="BITEXT_PIVOT_SERVE_", frozen=True)

    host: str = Field(default="127.0.0.1", description="Address the server listens on.")
    port: int = Field(default=4200, ge=1, le=65535, description="Port the server listens on.")
    patience: float = Field(default=180, gt=0, description="Seconds to wait until the server answers.")
    database: Address = None

    @property
    def address(self) -> str:
        """The page, as a browser on this machine reaches it."""
        return f"http://{'127.0.0.1' if self.host == '0.0.0.0' else self.host}:{self.port}"

    @property
    def addresses(self) -> list[str]:
        """All that the page's script may ask: this machine's names, and the address that browsers are told to use."""
        told = httpx.URL(os.environ.get("PREFECT_SERVER_UI_API_URL", ""))
        return [
            self.address,
            f"http://localhost:{self.port}",
            *([f"{told.scheme}://{told.netloc.decode()}"] if told.host else []),
        ]

    def environment(self, folder: Path) -> dict[str, str]:
        """Return the environment of the worker; what the caller has set wins, but for the address."""
        mine = {
            "PREFECT_HOME": str(folder.resolve()),
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
            "DO_NOT_TRACK": "1",
            "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
            "PREFECT_SERVER_UI_STATIC_DIRECTORY": str(folder.resolve() / INTERFACE),
            "PREFECT_WORKER_QUERY_SECONDS": "2",
            "PREFECT_CLIENT_MAX_RETRIES": "7",  # waits 2, 4, ... 128 s: a server may be away for four minutes
            "PREFECT_LOGGING_EXTRA_LOGGERS": "bitext_pivot",
            "PREFECT_SERVER_CORS_ALLOWED_ORIGINS": ",".join(self.addresses),  # not any web page
            "PREFECT_SERVER_CSRF_PROTECTION_ENABLED": "true",  # a web page may send what it may not read
        }
        mine |= RECORDING
        password = os.environ.get(LOCK)
        mine |= {"PREFECT_API_AUTH_STRING": password} if password else {}
        return mine | without(os.environ) | Site().folders | {"PREFECT_API_URL": f"{self.address}/api"}


def start(serve: Serve, folder: Path) -> None:
    """Start the server and the worker unless they are up, register the deployments and print the UI's address.

    Raises SettingsError for an open address without a password, a busy port or a useless database, SourceError when
    the server does not answer.
    """
    begun = time.monotonic()
    refuse_an_open_door(serve.host, os.environ)
    if known(folder, "server") is None:
        refuse_a_busy_port(serve.host, serve.port)
    environment = serve.environment(folder)
    folder.mkdir(parents=True, exist_ok=True)
    command = [str(SERVER), "server", "start", "--host", serve.host, "--port", str(serve.port)]
    _bring_up("server", command, folder, environment | opened_by(serve.database, os.environ))
    _register(serve, folder)
    if known(folder, "worker") is None:
        repair(serve, folder)
    command = ["-m", "prefect", "worker", "start", "--pool", POOL, "--name", "bitext-pivot"]
    _bring_up("worker", command, folder, environment)
    screen.print(f"Ready after {time.monotonic() - begun:.0f} s. Open this address in a browser:", highlight=False)
    screen.print(f"{serve.address}/v2/deployments   (stop it with: make stop; logs: {folder})", highlight=False)
    screen.print(f"For the prefect command: export PREFECT_API_URL={serve.address}/api", highlight=False)


def _register(serve: Serve, folder: Path) -> None:
    """Load the flows while the server starts, wait for the server, and register the deployments."""
    import presets
    import register

    deployments = presets.deployments()
    _wait(serve, folder)
    if not policy.close(folder / INTERFACE, *serve.addresses):
        screen.print("The page was started by another version and may ask elsewhere: make stop, then make serve")
    screen.print(f"Registering {len(deployments)} deployments", highlight=False)
    _ask(serve, lambda client: register.create_pool(client, POOL))
    changed = _ask(serve, lambda client: register.register(client, POOL, deployments))
    screen.print(f"{changed} of them are new or changed", highlight=False)


def stop(serve: Serve, folder: Path) -> None:
    """End the worker with its runs, then the server; runs that were cut off are marked Crashed, so that Retry works."""
    for name in ("worker", "server"):
        process = known(folder, name)
        if name == "server" and process is not None:
            _mark_all(serve)
        if process is not None:
            end(process)
            screen.print(f"{name} stopped")
        if name == "worker":
            import runs

            for orphan in runs.processes(folder).values():  # of a worker that was killed
                end(orphan)
        (folder / f"{name}.json").unlink(missing_ok=True)


def _mark_all(serve: Serve) -> None:
    """Mark what was cut off; a server that does not answer any more is ended all the same, and `start` marks later."""
    try:
        screen.print(f"{_mark(serve, all_ended=True)} runs were cut off; Retry builds only what is missing")
    except SourceError as error:
        screen.print(str(error), highlight=False)


def repair(serve: Serve, _folder: Path) -> None:
    """Mark the runs whose process is gone as Crashed, so that they offer Retry.

    Raises SourceError when the server does not answer.
    """
    if number := _mark(serve):
        screen.print(f"{number} runs had no process any more; Retry builds only what is missing")


def status(serve: Serve, folder: Path) -> int:
    """Say what is up; return 0 when server and worker are."""
    up = {name: known(folder, name) is not None for name in ("server", "worker")}
    for name, is_up in up.items():
        screen.print(f"{name}: {'up, ' + serve.address if is_up else 'down'}", highlight=False)
    return 0 if all(up.values()) else 1


def _mark(serve: Serve, *, all_ended: bool = False) -> int:
    import runs

    return _ask(serve, lambda client: runs.mark_crashed(client, POOL, all_ended=all_ended))


def _ask(serve: Serve, request: Callable[["PrefectClient"], Awaitable[Answer]]) -> Answer:
    """Return what `request` returns with a client of the server; raises SourceError when the server does not answer."""
    from prefect.client.orchestration import PrefectClient

    async def ask() -> Answer:
        async with PrefectClient(f"{serve.address}/api", auth_string=os.environ.get(LOCK)) as client:
            return await request(client)

    try:
        return asyncio.run(ask())
    except httpx.HTTPError as error:
        raise SourceError(f"The server at {serve.address} did not answer ({error}). Start it: make serve") from error


def _bring_up(name: str, command: list[str], folder: Path, environment: Mapping[str, str]) -> None:
    if known(folder, name) is None:
        screen.print(f"Starting the {name}; log: {folder / name}.log", highlight=False)
        begin(name, command, folder, environment)
    else:
        screen.print(f"{name} is up already")


def _wait(serve: Serve, folder: Path) -> None:
    """Wait until the server answers; raises SourceError when it died or never does."""
    last = time.monotonic() + serve.patience
    while time.monotonic() < last and known(folder, "server") is not None:
        try:
            if httpx.get(f"{serve.address}/api/health", timeout=5, trust_env=False).is_success:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.5)
    what = f"did not answer within {serve.patience:.0f} s" if known(folder, "server") else "ended"
    raise SourceError(f"The server at {serve.address} {what}. The reason is at the end of {folder / 'server.log'}.")


def main() -> int:
    """Run the command; returns 0 when it did what was asked."""
    commands = {"start": start, "stop": stop, "status": status, "repair": repair}
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        screen.print(__doc__, markup=False, highlight=False)
        return 2
    try:
        return commands[sys.argv[1]](Serve(), Site().home.resolve() / "prefect") or 0
    except (SettingsError, SourceError) as error:
        screen.print(f"[red]{error}[/red]", highlight=False)
        return 1


if __name__ == "__main__":
    sys.exit(main())
