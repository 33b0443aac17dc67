"""The server of a command; that it ends with the command: tests/flows/test_interrupt.py, and alone: test_servers.py."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
import web
from messages import Golden

from bitext_pivot.core.errors import SettingsError, SourceError


@pytest.fixture
def begun(tmp_path: Path) -> Path:
    """A log, with the folder it is in."""
    return tmp_path / "temporary-server-7.log"


@pytest.mark.parametrize("name", [".env", "prefect.toml", "pyproject.toml", "profiles.toml", ""])
def test_the_file_that_names_a_server_is_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bitext_pivot.deployments.temporary_server import _origin

    address = "http://127.0.0.1:1/api"
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PREFECT_API_URL", raising=False)
    (tmp_path / "pyproject.toml").write_text("[project]", encoding="utf-8")
    if name:
        (tmp_path / name).write_text(f"PREFECT_API_URL = '{address}'", encoding="utf-8")
    expected = str(tmp_path / name) if name else "PREFECT_API_URL"
    assert _origin(address, tmp_path / "profiles.toml") == expected
    monkeypatch.setenv("PREFECT_API_URL", address)
    assert _origin(address, tmp_path / "profiles.toml") == "PREFECT_API_URL"


@pytest.mark.parametrize("kind", ["folder", "text"])
def test_what_stands_in_the_place_of_the_database_is_named(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, golden: Golden
) -> None:
    from prefect.settings import PREFECT_API_URL, PREFECT_HOME, temporary_settings

    from bitext_pivot.deployments.temporary_server import ensure_server

    database = tmp_path / "prefect.db"
    if kind == "folder":
        database.mkdir()
    else:
        database.write_text("no database", encoding="utf-8")
    started: list[str] = []
    monkeypatch.setattr("bitext_pivot.deployments.temporary_server.start", started.append)
    with (
        temporary_settings({PREFECT_HOME: tmp_path}, restore_defaults={PREFECT_API_URL}),
        golden.refused(SettingsError),
    ):
        ensure_server(for_command=False)


@pytest.mark.system
def test_the_server_of_a_command_asks_no_proxy(tmp_path: Path) -> None:
    """Whichever variable names one, of whatever kind: each of these would fail."""
    proxies = {
        "ALL_PROXY": "socks5://127.0.0.1:1",
        "HTTPS_PROXY": "ftp://127.0.0.1:1",
        "http_proxy": "http://127.0.0.1:1",
    }
    script = (
        "from prefect import get_client\n"
        "from bitext_pivot.deployments.temporary_server import ensure_server\n"
        "ensure_server(for_command=False)\n"
        "with get_client(sync_client=True) as client:\n    print(client.api_healthcheck())"
    )
    environment = {
        key: value
        for key, value in os.environ.items()
        if key != "PREFECT_API_URL" and "PROXY" not in key.upper()
    }
    environment |= {**proxies, "PREFECT_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == ("None\n", 0), done.stderr


@pytest.mark.nightly
@pytest.mark.system
def test_the_server_knows_runs_and_has_neither_pages_nor_what_deployments_need(begun: Path) -> None:
    from prefect.client.orchestration import SyncPrefectClient

    from bitext_pivot.deployments import temporary_server

    settings = {"PREFECT_HOME": str(begun.parent), temporary_server.AUTHENTICATION: "build:secret"}
    address = temporary_server.start("127.0.0.1", begun, settings)
    with SyncPrefectClient(address, auth_string="build:secret") as client:
        assert client.api_healthcheck() is None
        assert client.request("POST", "/flow_runs/count").json() == 0
    assert httpx.get(f"{address}/flow_runs/count").status_code in {401, 405}
    assert httpx.get(address.removesuffix("/api")).status_code == 404


@pytest.mark.system
def test_the_server_ends_with_a_command_that_is_killed(begun: Path) -> None:
    """A killed process calls no `atexit`: the server sees that the pipe between them is closed."""
    script = (
        "import os, signal, sys; from pathlib import Path\n"
        "from bitext_pivot.deployments import temporary_server as own\n"
        "settings = {'PREFECT_HOME': sys.argv[1], own.AUTHENTICATION: 'build:secret'}\n"
        "print(own.start('127.0.0.1', Path(sys.argv[2]), settings), flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    arguments = [sys.executable, "-c", script, str(begun.parent), str(begun)]
    command = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, check=False)
    assert command.returncode == -signal.SIGKILL
    address = command.stdout.strip()
    assert address.startswith("http://127.0.0.1:")
    for _ in range(600):
        try:
            httpx.get(f"{address}/health")
        except httpx.TransportError:
            return
        time.sleep(0.1)
    raise AssertionError(f"the server at {address} still answers")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "No Prefect server answers at http://127.0.0.1:9/api"),
        (
            b'"3.4.14"',
            "is no Prefect server of version 3.8.8 or newer: 3.4.14. Start one with make",
        ),
        (b'{"name": "other"}', "is no Prefect server of version 3.8.8 or newer: Invalid version"),
        (b"<html>", "is no Prefect server of version 3.8.8 or newer: Expecting value"),
    ],
)
def test_a_named_server_that_is_of_no_use_is_refused_in_a_line(
    answer: bytes | None, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import prefect
    from prefect.settings import PREFECT_API_URL, temporary_settings

    from bitext_pivot.deployments import temporary_server

    monkeypatch.setattr(prefect, "__version__", "3.8.8")
    monkeypatch.setattr(temporary_server, "NAMED_PATIENCE", 0)
    with (
        web.serve(lambda request: web.Answer(body=answer or b"")) as address,
        temporary_settings({PREFECT_API_URL: f"{address if answer else 'http://127.0.0.1:9'}/api"}),
        pytest.raises(SourceError, match=re.escape(words)) as refused,
    ):
        temporary_server.ensure_server(for_command=False)
    assert len(str(refused.value).splitlines()) == 1
