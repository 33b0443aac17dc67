"""`make serve` on a busy port; what it starts is in test_secrets.py."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from messages import Said

from bitext_pivot.commands.main import main
from bitext_pivot.deployments.processes import begin, find
from bitext_pivot.deployments.serve import PrefectServer, start_page


def test_a_busy_port_is_refused_before_anything_starts(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        environment = os.environ | {
            "BITEXT_PIVOT_HOME": str(tmp_path),
            "BITEXT_PIVOT_SERVE_PORT": str(port),
        }
        command = [sys.executable, "-m", "bitext_pivot", "serve"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        f"bitext-pivot: Port {port} is in use by another program. Set BITEXT_PIVOT_SERVE_PORT to a free port: "
        f"BITEXT_PIVOT_SERVE_PORT={port + 1 if port < 65535 else port - 1} bitext-pivot serve"
    ]
    assert list(tmp_path.iterdir()) == []


def test_an_open_address_without_a_password_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BITEXT_PIVOT_SERVE_HOST", "[x]")
    assert main(["serve"]) == 2
    message = "bitext-pivot: The server would listen on [x], which other machines can reach, and "
    assert capsys.readouterr().err.startswith(message)


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_the_first_page_has_the_deployments_to_begin_with(host: str) -> None:
    from bitext_pivot.deployments.definitions import deployments

    address = urlsplit(start_page(PrefectServer(host=host, port=4300)))
    assert (address.netloc, address.path) == ("127.0.0.1:4300", "/v2/deployments")
    (tag,) = json.loads(parse_qs(address.query)["tags"][0])
    names = {deployment.name for deployment in deployments() if tag in deployment.tags}
    assert {"first-fr-en", "plan"} <= names
    assert "ar-en" not in names


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server that was started with variables which are no longer set; no server of Prefect."""
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path))
    folder = tmp_path / "prefect"
    folder.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = ["-m", "http.server", "--bind", "127.0.0.1", str(port)]
    begun: list[subprocess.Popen[bytes]] = []
    start = subprocess.Popen

    def keep(*given: Any, **options: Any) -> subprocess.Popen[bytes]:
        begun.append(start(*given, **options))
        return begun[-1]

    with monkeypatch.context() as patch:  # a process whose object is gone warns
        patch.setattr(subprocess, "Popen", keep)
        begin("server", command, folder, os.environ, {"host": "127.0.0.1", "port": port})
    assert find(folder, "server") is not None
    yield f"http://127.0.0.1:{port}"
    begun[0].kill()
    begun[0].wait()


def test_a_server_on_another_port_is_found(
    elsewhere: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="1"):
        main(["status"])
    assert capsys.readouterr().out == f"server: up, {elsewhere}\nworker: down\n"
    main(["stop"])
    assert elsewhere in capsys.readouterr().out
    with pytest.raises(SystemExit, match="1"):
        main(["status"])
    assert capsys.readouterr().out == "server: down\nworker: down\n"


@pytest.mark.parametrize("proxy", ["socks5://127.0.0.1:1", "ftp://127.0.0.1:1"])
def test_a_proxy_that_no_run_can_use_is_refused_before_anything_starts(
    proxy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: Said
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        monkeypatch.setenv("BITEXT_PIVOT_SERVE_PORT", str(free.getsockname()[1]))
    monkeypatch.setenv("BITEXT_PIVOT_HOME", str(tmp_path))
    monkeypatch.setenv("ALL_PROXY", proxy)
    assert "ALL_PROXY" in refused("serve")
    assert list(tmp_path.iterdir()) == []
