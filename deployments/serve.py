"""The Prefect UI on this machine: a server, a work pool, a worker and all deployments, with one command.

`bitext-pivot serve` calls `start`; `stop` and `status` are commands of the same names. The folder `prefect` in
BITEXT_PIVOT_HOME contains the database, the logs, the process ids by which `stop` finds the processes, and the address
of the server, so that `stop` works in a shell without BITEXT_PIVOT_SERVE_PORT.

The server listens on this machine only. It starts on another address only with a password
(PREFECT_SERVER_API_AUTH_STRING, `user:password`), because anyone who reaches the page can run code. To use PostgreSQL
instead of SQLite, set BITEXT_PIVOT_SERVE_DATABASE to postgresql://user:password@host:5432/database.

`start` and `stop` mark runs and tasks whose process no longer exists as crashed, so that the runs offer Retry.
Otherwise the server marks runs three minutes after the last heartbeat (automations.toml).
"""

import json
import os
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar
from urllib.parse import quote

import httpx
import psutil
from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from bitext_pivot.core.command_names import program_path
from bitext_pivot.core.errors import SourceError
from bitext_pivot.core.proxy import checked_proxy
from bitext_pivot.core.site import Site, variable_problems, without_proxy
from bitext_pivot.core.standard_output import show
from bitext_pivot.core.untrusted import shown
from bitext_pivot.deployments import servers
from bitext_pivot.deployments.access import PASSWORD, check_host, check_port
from bitext_pivot.deployments.database import server_variables, worker_variables
from bitext_pivot.deployments.processes import begin, find, listening

if TYPE_CHECKING:
    from prefect.client.orchestration import SyncPrefectClient

POOL = "local"
_VARIABLES = "BITEXT_PIVOT_SERVE_"
"""Prefix of the variables of `PrefectServer`."""
_START = "start here"
"""The tag, in deployments.toml, of deployments that users should try first."""
RECORDING = {
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "200",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
}
"""Settings with which the server records the states of tasks in batches, within a second.

By default the server records states one by one. If a Retry reuses many shards, the server falls behind and drops the
states that do not fit into its queue (docs/scaling.md).
"""
_Answer = TypeVar("_Answer")
_say = partial(show, wrap=False)


class PrefectServer(BaseSettings):
    """The address and the database of the server, and how long to wait for it."""

    model_config = SettingsConfigDict(
        env_prefix=_VARIABLES,
        frozen=True,
        use_attribute_docstrings=True,
    )

    host: str = "127.0.0.1"
    """Address on which the server listens."""
    port: int = Field(default=4200, ge=1, le=65535)
    """Port on which the server listens."""
    patience: float = Field(default=600, gt=0)
    """Seconds to wait until the server answers."""
    database: SecretStr | None = None
    """Address of a PostgreSQL database for the server. Empty: SQLite."""

    @property
    def reached_at(self) -> str:
        """The host name by which this machine reaches the server."""
        return "127.0.0.1" if self.host == "0.0.0.0" else self.host

    @property
    def address(self) -> str:
        """The address of the UI for a browser on this machine."""
        return f"http://{self.reached_at}:{self.port}"

    @property
    def addresses(self) -> list[str]:
        """Addresses whose web pages may use the API: those of this machine, and PREFECT_SERVER_UI_API_URL."""
        public = httpx.URL(os.environ.get("PREFECT_SERVER_UI_API_URL", ""))
        more = [f"{public.scheme}://{public.netloc.decode()}"] if public.host else []
        return [self.address, f"http://localhost:{self.port}", *more]

    def environment(self, folder: Path) -> dict[str, str]:
        """Return the environment variables of the worker.

        Variables of the calling process override them, except for the address of the server.
        """
        password = os.environ.get(PASSWORD)
        defaults = (
            RECORDING
            | {
                "PREFECT_HOME": str(folder.resolve()),
                "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
                "DO_NOT_TRACK": "1",
                "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
                # The folder in the package of Prefect may be read-only.
                "PREFECT_SERVER_UI_STATIC_DIRECTORY": str(folder.resolve() / "ui"),
                "PREFECT_WORKER_QUERY_SECONDS": "2",
                "PREFECT_CLIENT_MAX_RETRIES": "7",  # waits 2, 4, ... 128 s: a server may be away for four minutes
                "PREFECT_LOGGING_EXTRA_LOGGERS": "bitext_pivot",
                "PREFECT_SERVER_CORS_ALLOWED_ORIGINS": ",".join(self.addresses),  # not any web page
                "PREFECT_SERVER_CSRF_PROTECTION_ENABLED": "true",  # a web page may send what it may not read
                **({"PREFECT_API_AUTH_STRING": password} if password else {}),
            }
        )
        return (
            defaults
            | worker_variables(os.environ)
            | Site().folders
            | {"PREFECT_API_URL": f"{self.address}/api"}
        )


def start(serve: PrefectServer, folder: Path) -> None:
    """Start the server and the worker unless they run, register the deployments and print the UI's address.

    Raises SettingsError for a public address without a password, a port in use or an unusable database address, and
    SourceError if the server ends or does not answer.
    """
    begun = time.monotonic()
    check_host(serve.host, os.environ)
    with checked_proxy():  # the worker and its runs will use it
        httpx.Client().close()
    if find(folder, "server") is None:
        check_port(serve.host, serve.port)
    environment = serve.environment(folder)
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)  # the database and the logs contain parameters and paths of all runs
    for database in folder.glob("prefect.db*"):
        database.chmod(0o600)  # another program may have started the server before
    listens = {"PREFECT_SERVER_API_HOST": serve.host, "PREFECT_SERVER_API_PORT": str(serve.port)}
    command = ["-m", "bitext_pivot.deployments.server"]
    server = _start(
        "server",
        command,
        folder,
        environment | listens | server_variables(serve.database, os.environ),
        {"host": serve.host, "port": serve.port},
    )
    _register(serve, server, folder)
    if find(folder, "worker") is None and (number := _repair_runs(serve)):
        _say(f"Runs without a process, marked as crashed: {number}. Retry builds what is missing.")
    command = ["-m", "prefect", "worker", "start", "--pool", POOL, "--name", "bitext-pivot"]
    _start("worker", command, folder, environment)
    _say(f"Ready after {time.monotonic() - begun:.0f} s. Open this address in a browser:")
    _say(f"{start_page(serve)}   (the deployments to begin with)")
    _say(f"{serve.address}/v2/deployments   (all deployments)")
    _say(f"Stop it with: {program_path('bitext-pivot')} stop; logs: {folder}")
    _say(
        f"To see builds of the command line there, too: export PREFECT_API_URL={serve.address}/api"
    )


def start_page(serve: PrefectServer) -> str:
    """Return the address of the UI's page that lists the deployments to try first."""
    return f"{serve.address}/v2/deployments?tags={quote(json.dumps([_START]))}"


def _start(
    name: str,
    command: list[str],
    folder: Path,
    environment: Mapping[str, str],
    listens: Mapping[str, Any] | None = None,
) -> psutil.Process:
    if process := find(folder, name):
        _say(f"{name} is up already")
        return process
    _say(f"Starting the {name}; log: {folder / name}.log")
    return begin(name, command, folder, environment, listens)


def _register(serve: PrefectServer, server: psutil.Process, folder: Path) -> None:
    """Load the flows while the server starts, wait for the server and register the deployments."""
    _say("Loading the recipes")
    from bitext_pivot.deployments import definitions, register

    deployments = definitions.deployments()
    _say("Waiting for the server")
    servers.wait(server, f"{serve.address}/api", folder / "server.log", serve.patience)
    names = ", ".join(deployment.name for deployment in deployments)
    _say(f"Registering {len(deployments)} deployments, a form for each recipe: {names}")
    _ask(serve, lambda client: register.create_pool(client, POOL))
    changed = _ask(serve, lambda client: register.register(client, POOL, deployments))
    _say(f"New or changed: {changed}")


def stop(serve: PrefectServer, folder: Path) -> None:
    """End the worker with its runs, then the server, and mark interrupted runs as crashed, so that they offer Retry."""
    if not (find(folder, "worker") or find(folder, "server")):
        _say("Nothing was running.")
    _end("worker", folder)
    from bitext_pivot.deployments import runs

    for orphan in runs.processes(folder).values():  # of a worker that was killed
        servers.end(orphan)
    if find(folder, "server") is not None:
        try:
            number = _repair_runs(serve, all_ended=True)
            _say(f"Runs that were cut off: {number}. Retry builds only what is missing.")
        except SourceError as error:  # `start` marks them later
            _say(str(error))
    _end("server", folder)


def _end(name: str, folder: Path) -> None:
    if process := find(folder, name):
        servers.end(process)
        _say(f"{name} stopped")
    (folder / f"{name}.json").unlink(missing_ok=True)


def status(serve: PrefectServer, folder: Path) -> int:
    """Print whether the server and the worker run; return 0 if both do."""
    is_up = [find(folder, name) is not None for name in ("server", "worker")]
    for name, up in zip(("server", "worker"), is_up, strict=True):
        _say(f"{name}: {'up, ' + serve.address if up else 'down'}")
    return 0 if all(is_up) else 1


def _repair_runs(serve: PrefectServer, *, all_ended: bool = False) -> int:
    from bitext_pivot.deployments import runs

    return _ask(serve, lambda client: runs.repair(client, POOL, all_ended=all_ended))


def _ask(serve: PrefectServer, request: Callable[["SyncPrefectClient"], _Answer]) -> _Answer:
    """Call a function with a client of the server. Raises SourceError if the server does not answer."""
    from prefect.client.orchestration import SyncPrefectClient

    try:
        with SyncPrefectClient(
            f"{serve.address}/api",
            auth_string=os.environ.get(PASSWORD),
            httpx_settings={"trust_env": False},
        ) as client:
            return request(client)
    except httpx.HTTPError as error:
        raise SourceError(
            f"The server at {serve.address} did not answer ({shown(error)}). Start it: bitext-pivot serve"
        ) from error


_Command = Literal["start", "stop", "status"]


def run(command: _Command) -> int:
    """Run `start`, `stop` or `status` with the environment's settings; return the exit status.

    The exit status is 1 if `status` finds that the server or the worker does not run, otherwise 0. Raises the errors of
    the command.
    """
    commands: dict[_Command, Callable[[PrefectServer, Path], int | None]]
    commands = {"start": start, "stop": stop, "status": status}
    folder = Site().home.resolve() / "prefect"
    try:
        serve = PrefectServer(**listening(folder))
    except ValidationError as error:
        raise variable_problems(error, _VARIABLES) from error
    os.environ |= without_proxy(os.environ, serve.reached_at)  # also for the worker
    return commands[command](serve, folder) or 0
