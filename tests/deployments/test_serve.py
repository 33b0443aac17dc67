"""`make serve` on a busy port; what it starts is in test_secrets.py."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bitext_pivot.commands.main import main


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
    message = "bitext-pivot: The server would listen on [x], where other machines reach it, and "
    assert capsys.readouterr().err.startswith(message)
