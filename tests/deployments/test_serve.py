"""`make serve` on a busy port; what it starts is in test_secrets.py."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bitext_pivot.deployments import serve

ROOT = Path(__file__).parents[2]


def test_a_busy_port_is_refused_before_anything_starts(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        environment = os.environ | {"BITEXT_PIVOT_HOME": str(tmp_path), "BITEXT_PIVOT_SERVE_PORT": str(port)}
        command = [sys.executable, str(ROOT / "deployments" / "serve.py"), "start"]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        f"Port {port} is in use by another program. Set BITEXT_PIVOT_SERVE_PORT to a free port: "
        f"BITEXT_PIVOT_SERVE_PORT={port + 1 if port < 65535 else port - 1} make serve"
    ]
    assert list(tmp_path.iterdir()) == []


def test_messages_are_printed_as_they_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["serve.py", "start"])
    monkeypatch.setenv("BITEXT_PIVOT_SERVE_HOST", "[x]")
    assert serve.main() == 1
    assert capsys.readouterr().out.startswith("The server would listen on [x], where other machines reach it, and ")
    monkeypatch.setattr(serve, "begin", lambda *_: None)
    serve._start("server", [], tmp_path / "[x]", {})
    assert capsys.readouterr().out == f"Starting the server; log: {tmp_path}/[x]/server.log\n"
